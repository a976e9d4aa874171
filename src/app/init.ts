import { HOOK_TABLES } from "../agents/install/hooks.ts";
import type { Registration } from "../agents/install/own-handler.ts";
import { type Places, type Scope, settingsPlace, userFolder } from "../agents/install/places.ts";
import { PaldronError } from "../core/errors.ts";
import { ownProgram } from "../host/own-program.ts";
import { platform } from "../host/platform.ts";
import { realPathOf } from "../host/real-path.ts";
import { readSettings, removeSettings, type SettingsFile, writeSettings } from "../host/settings-file.ts";
import { jsonChange, type NewText, pluginChange, requirementsChange } from "./init-files.ts";
import { trustDropped } from "./init-trust.ts";

export interface InitOptions {
  readonly agent: string;
  readonly scope: Scope;
  readonly undo: boolean;
  /** Absolute; undefined: the one that is registered already, or none. */
  readonly policy: string | undefined;
  readonly places: Places;
}

/** A file that changes, and how. */
export interface SettingsChange {
  readonly file: SettingsFile;
  /** Undefined: the file is removed. */
  readonly text: string | undefined;
  /** Folders that `init` made for it, to be removed where they are empty. */
  readonly folders: number;
}

export interface InitPlan {
  readonly changes: readonly SettingsChange[];
  /** What a person has to know, one line each. */
  readonly notes: readonly string[];
}

/** Where agents keep their settings for the person who asks. */
export function placesOf(env: Places["env"], project: string, systemRoot: string): Places {
  const home = env["HOME"];
  if (home === undefined || !home.startsWith("/")) throw new PaldronError("io", "HOME names no folder");
  return { home: realPathOf(home), project, env, systemRoot, isMac: platform() === "darwin" };
}

/** What has to change so that the agent asks Paldron, or no longer does. Nothing is written. */
export function planInit(options: InitOptions): InitPlan {
  const { agent, scope, places } = options;
  if (platform() === "windows") {
    throw new PaldronError("usage", "init writes no settings on this system (docs/agents says how by hand)");
  }
  const place = settingsPlace(agent, scope, places);
  if (place === undefined) {
    throw new PaldronError("usage", `${agent} has no settings for the whole machine that paldron can write`);
  }
  const file = readSettings(place.path, place);
  const found = newText(file, options);
  // What links lead to is named, so that nobody is surprised by it.
  const links = file.real === file.path ? [] : [`${file.path} is ${file.real}`];
  const changes = [changeOf(file, found), ...dropTrust(file, options)].filter(
    (change) => change !== undefined && change.text !== change.file.text,
  );
  return { changes: changes.filter((change) => change !== undefined), notes: [...links, ...found.notes] };
}

function newText(file: SettingsFile, { agent, scope, undo, policy }: InitOptions): NewText {
  const own: Registration = { ...ownProgram(), policy };
  const table = HOOK_TABLES[agent];
  if (agent === "opencode") return pluginChange({ file, own, undo });
  if (agent === "codex" && scope === "managed") return requirementsChange({ file, own, undo });
  if (table === undefined) throw new PaldronError("usage", `unknown agent '${agent}'`);
  return jsonChange({ file, own, undo, settings: { agent, table, what: file.path } });
}

function changeOf(file: SettingsFile, { text }: NewText): SettingsChange {
  // The line breaks at the end of a file that was made tell how many folders were made for it.
  const folders = text === undefined ? (/\n*$/.exec(file.text ?? "")?.[0].length ?? 1) - 1 : 0;
  return { file, text, folders: Math.max(folders, 0) };
}

/** With Codex's hooks goes the trust in them. */
function dropTrust(
  file: SettingsFile,
  { agent, scope, undo, places }: InitOptions,
): readonly SettingsChange[] {
  if (agent !== "codex" || scope === "managed" || !undo) return [];
  const config = readCodexConfig(places);
  if (config?.text === undefined) return [];
  return [{ file: config, text: trustDropped(config, file.real), folders: 0 }];
}

/** Codex's own configuration, where it keeps which hooks are trusted. */
export function readCodexConfig(places: Places): SettingsFile {
  const folder = userFolder("codex", places);
  const root = folder.startsWith(`${places.home}/`) ? places.home : folder;
  return readSettings(`${folder}/config.toml`, { root, shared: false });
}

/** Writes what was planned; each file at once. */
export function applyInit({ changes }: InitPlan): void {
  for (const { file, text, folders } of changes) {
    if (text === undefined) removeSettings(file, folders);
    else writeSettings(file, text);
  }
}
