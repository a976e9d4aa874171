import {
  foundJson,
  freshJson,
  type JsonSettings,
  registerJson,
  unregisterJson,
} from "../agents/install/json-settings.ts";
import { jsonOf, memberOf, parseJsonc } from "../agents/install/jsonc.ts";
import { pluginCommand, pluginText } from "../agents/install/opencode-plugin.ts";
import { ownCall, plainWords, type Registration } from "../agents/install/own-handler.ts";
import { blockBody, codexRequirements, dropBlock, putBlock } from "../agents/install/toml-settings.ts";
import { PaldronError } from "../core/errors.ts";
import type { SettingsFile } from "../host/settings-file.ts";
import { parseDocument } from "../policy/toml.ts";

/** What becomes of a settings file. */
export interface NewText {
  /** Undefined: it goes. The same as before: nothing to do. */
  readonly text: string | undefined;
  readonly notes: readonly string[];
}

interface FileChange {
  readonly file: SettingsFile;
  readonly own: Registration;
  readonly undo: boolean;
}

/** A file that is made ends with a line break more for each folder that is made for it. */
function made(file: SettingsFile, text: string): string {
  return text + "\n".repeat(file.missing.length);
}

export function jsonChange({ file, own, undo, settings }: FileChange & { settings: JsonSettings }): NewText {
  const { text } = file;
  if (text === undefined) return { text: undo ? undefined : made(file, freshJson(settings, own)), notes: [] };
  const found = foundJson(text, settings);
  if (!undo) {
    const policy = own.policy ?? found.find(({ call }) => call.policy !== undefined)?.call.policy;
    return { text: registerJson(text, settings, { ...own, policy }), notes: switchedOff(text, file.path) };
  }
  const rest = unregisterJson(text, settings);
  const left = rest === undefined ? [] : foundJson(rest, settings);
  return {
    text: rest,
    notes: [...new Set(left.map(({ event }) => event))].map(
      (event) => `${file.path}: hooks.${event} starts paldron in a form that init did not write; it stays`,
    ),
  };
}

/** Settings in the file itself that keep its hooks from running. */
function switchedOff(text: string, path: string): readonly string[] {
  const root = parseJsonc(text, path);
  const all = root === undefined ? undefined : memberOf(root, "disableAllHooks");
  const config = root === undefined ? undefined : memberOf(root, "hooksConfig");
  const enabled = config === undefined ? undefined : memberOf(config.node, "enabled");
  return [
    ...(all !== undefined && jsonOf(all.node) === true
      ? [`${path}: disableAllHooks is on: no hook runs`]
      : []),
    ...(enabled !== undefined && jsonOf(enabled.node) === false
      ? [`${path}: hooksConfig.enabled is false: no hook runs`]
      : []),
  ];
}

export function pluginChange({ file, own, undo }: FileChange): NewText {
  const { text, path } = file;
  if (text === undefined) return { text: undo ? undefined : made(file, pluginText(own)), notes: [] };
  const command = pluginCommand(text);
  if (command === undefined) {
    if (undo) return { text, notes: [`${path} is not as init wrote it; it stays`] };
    throw new PaldronError("io", `${path}: it is not a plugin that init wrote; nothing was changed`);
  }
  if (undo) return { text: undefined, notes: [] };
  const policy = own.policy ?? ownCall(command)?.policy;
  return { text: pluginText({ ...own, policy }).trimEnd() + text.slice(text.trimEnd().length), notes: [] };
}

/** Codex's machine-wide requirements, in TOML. */
export function requirementsChange({ file, own, undo }: FileChange): NewText {
  const { text, path } = file;
  if (undo) return { text: text === undefined ? undefined : dropBlock(text), notes: [] };
  const without = text === undefined ? undefined : dropBlock(text);
  const before = parseDocument(without ?? "", path);
  const folder = path.slice(0, path.lastIndexOf("/"));
  const policy = own.policy ?? registeredPolicy(text);
  const body = codexRequirements({ ...own, policy }, folder, {
    hasFeature: at(before, "features", "hooks") === true,
    hasManagedFolder: typeof at(before, "hooks", "managed_dir") === "string",
  });
  const now = text === undefined ? made(file, putBlock(text, body)) : putBlock(text, body);
  checkToml({ before, text: now, path, body });
  return { text: now, notes: [] };
}

function at(table: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (value, key) => (isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    table,
  );
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) !== Date.prototype;
}

function registeredPolicy(text: string | undefined): string | undefined {
  const line = /^command = (".*")$/m.exec((text === undefined ? undefined : blockBody(text)) ?? "")?.[1];
  if (line === undefined) return undefined;
  try {
    return ownCall(plainWords(String(JSON.parse(line))))?.policy;
  } catch {
    return undefined;
  }
}

interface TomlCheck {
  readonly before: unknown;
  readonly text: string;
  readonly path: string;
  readonly body: string;
}

/** The new text must be TOML that still says all that the old one said. */
export function checkToml({ before, text, path, body }: TomlCheck): void {
  let now: unknown;
  try {
    now = parseDocument(text, path);
  } catch (cause) {
    const add = body.split("\n").join("; ");
    throw new PaldronError("io", `${path}: a table in it cannot be added to; add by hand: ${add}`, { cause });
  }
  if (!holds(now, before)) {
    throw new PaldronError(
      "io",
      `${path}: it cannot be changed without changing what it says; nothing was changed`,
    );
  }
}

function holds(now: unknown, before: unknown): boolean {
  if (Array.isArray(before)) {
    return Array.isArray(now) && before.every((value, index) => holds(now[index], value));
  }
  if (!isTable(before)) return String(now) === String(before) && typeof now === typeof before;
  return isTable(now) && Object.entries(before).every(([key, value]) => holds(at(now, key), value));
}
