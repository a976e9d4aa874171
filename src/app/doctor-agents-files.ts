import { HOOK_TABLES } from "../agents/install/hooks.ts";
import { jsonOf, parseJsonc } from "../agents/install/jsonc.ts";
import { pluginCommand } from "../agents/install/opencode-plugin.ts";
import { type Places, settingsPlace, userFolder } from "../agents/install/places.ts";
import { PaldronError } from "../core/errors.ts";
import { isJsonObject, type Json } from "../core/strict-json.ts";
import { readSettings } from "../host/settings-file.ts";
import { parseDocument } from "../policy/toml.ts";
import type { AgentFault, AgentFile, AgentHook, FileScope } from "./doctor-agents-types.ts";

export interface AgentFiles {
  readonly files: readonly AgentFile[];
  readonly hooks: readonly AgentHook[];
  readonly faults: readonly AgentFault[];
}

/** Every settings file in which an agent may find hooks, or an order not to run any. */
export function agentFiles(agent: string, places: Places): AgentFiles {
  const files: AgentFile[] = [];
  const faults: AgentFault[] = [];
  const seen = new Set<string>();
  for (const [scope, path] of paths(agent, places)) {
    try {
      const { text, real } = readSettings(path, { root: "/", shared: false });
      if (text === undefined || seen.has(real)) continue;
      seen.add(real);
      files.push({ scope, path, real, value: valueIn(path, text) });
    } catch (error) {
      if (!(error instanceof PaldronError)) throw error;
      const what = error.message.replace(/; nothing was changed$/, "");
      faults.push({ code: "settings", where: path, what, remedy: `mend or remove ${path}` });
    }
  }
  return { files, faults, hooks: files.flatMap((file) => hooksIn(agent, file)) };
}

function paths(agent: string, places: Places): readonly (readonly [FileScope, string])[] {
  const own = (["managed", "user", "project"] as const).flatMap((scope) => {
    const place = settingsPlace(agent, scope, places);
    return place === undefined ? [] : [[scope, place.path] as const];
  });
  const { project, systemRoot } = places;
  const folder = userFolder(agent, places);
  const more: Readonly<Record<string, readonly (readonly [FileScope, string])[]>> = {
    claude: [["local", `${project}/.claude/settings.local.json`]],
    codex: [
      ["managed", `${systemRoot}/etc/codex/hooks.json`],
      ["user", `${folder}/config.toml`],
      ["project", `${project}/.codex/config.toml`],
    ],
    copilot: [
      ["user", `${folder}/settings.json`],
      ["user", `${folder}/config.json`],
      ["project", `${project}/.github/copilot/settings.json`],
      ["local", `${project}/.github/copilot/settings.local.json`],
      ["project", `${project}/.claude/settings.json`],
      ["local", `${project}/.claude/settings.local.json`],
    ],
    cursor: [["project", `${project}/.claude/settings.json`]],
  };
  return [...own, ...(more[agent] ?? [])];
}

function valueIn(path: string, text: string): Json {
  if (path.endsWith(".js")) return [...(pluginCommand(text) ?? [])];
  if (!path.endsWith(".toml")) {
    const node = parseJsonc(text, path);
    return node === undefined ? {} : jsonOf(node);
  }
  // Dates and large numbers are of no interest here.
  const plain = JSON.stringify(parseDocument(text, path), (_, value: unknown) =>
    typeof value === "bigint" ? Number(value) : value,
  );
  return JSON.parse(plain) as Json;
}

function hooksIn(agent: string, file: AgentFile): readonly AgentHook[] {
  const { value } = file;
  if (Array.isArray(value)) {
    const handler = { command: String(value[0] ?? ""), args: value.slice(1) as readonly Json[] };
    return [{ file, event: "tool.execute.before", handler, matcher: undefined }];
  }
  const hooks = isJsonObject(value) ? value["hooks"] : undefined;
  if (!isJsonObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, entries]) =>
    (Array.isArray(entries) ? entries : []).flatMap((entry: Json): readonly AgentHook[] => {
      if (!isJsonObject(entry)) return [];
      const { matcher } = entry;
      const grouped = entry["hooks"];
      if (HOOK_TABLES[agent]?.grouped === false && grouped === undefined) {
        return [{ file, event, handler: entry, matcher }];
      }
      return (Array.isArray(grouped) ? grouped : [])
        .filter((handler: Json) => isJsonObject(handler))
        .map((handler) => ({ file, event, handler, matcher }));
    }),
  );
}
