import { HOOK_TABLES, hookLine } from "./hooks.ts";
import type { Registration } from "./own-handler.ts";

/** Settings in TOML get one block between two comments, so that it can be found again and nothing else is touched. */

const BEGIN = "# paldron init: begin";
const END = "# paldron init: end";

/** The text with the block at its end; an older block is replaced where it stands. Undefined: no file. */
export function putBlock(text: string | undefined, body: string): string {
  const newline = /\r?\n/.exec(text ?? "")?.[0] ?? "\n";
  const block = [BEGIN, ...body.split("\n"), END].join(newline);
  if (text === undefined) return `${block}\n`;
  const old = blockIn(text);
  if (old !== undefined) return text.slice(0, old.start) + block + text.slice(old.end);
  return `${text}${newline}${block}${newline}`;
}

/** The text without the block. Undefined: the file was made for it and holds nothing else. */
export function dropBlock(text: string): string | undefined {
  const block = blockIn(text);
  if (block === undefined) return text;
  const before = text.slice(0, block.start);
  const behind = text.slice(block.end);
  if (before === "" && behind.trim() === "") return undefined;
  return before.replace(/\r?\n$/, "") + behind.replace(/^\r?\n/, "");
}

/** What stands in the block; undefined where there is none. */
export function blockBody(text: string): string | undefined {
  const block = blockIn(text);
  if (block === undefined) return undefined;
  return text
    .slice(block.start + BEGIN.length, block.end - END.length)
    .replaceAll("\r\n", "\n")
    .replace(/^\n|\n$/g, "");
}

function blockIn(text: string): { readonly start: number; readonly end: number } | undefined {
  const found = /^# paldron init: begin\r?$[\s\S]*?^# paldron init: end(?=\r?$)/m.exec(text);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

/** What the file has already, so that nothing is said twice. */
export interface CodexRequirements {
  /** `features.hooks = true` stands there. */
  readonly hasFeature: boolean;
  /** `hooks.managed_dir` stands there. */
  readonly hasManagedFolder: boolean;
}

/** Codex's machine-wide requirements: hooks that need no trust and that `features.hooks = false` does not switch off. */
export function codexRequirements(own: Registration, folder: string, has: CodexRequirements): string {
  const table = HOOK_TABLES["codex"];
  const lines = (table?.events ?? []).flatMap(({ event }) => [
    `[[hooks.${event}]]`,
    'matcher = "*"',
    `[[hooks.${event}.hooks]]`,
    'type = "command"',
    `command = ${JSON.stringify(hookLine("codex", own))}`,
    "timeout = 20",
  ]);
  return [
    ...(has.hasFeature ? [] : ["[features]", "hooks = true"]),
    ...(has.hasManagedFolder ? [] : ["[hooks]", `managed_dir = ${JSON.stringify(folder)}`]),
    ...lines,
  ].join("\n");
}

/** The hooks that a person has said to trust, as Codex records it. */
export function codexTrust(hooks: readonly { readonly key: string; readonly hash: string }[]): string {
  return hooks
    .flatMap(({ key, hash }) => [
      `[hooks.state.${JSON.stringify(key)}]`,
      `trusted_hash = ${JSON.stringify(hash)}`,
    ])
    .join("\n");
}
