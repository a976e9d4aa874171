import type { Json, JsonObject } from "../../core/strict-json.ts";

/** How a hook starts Paldron. Every path is absolute where `init` wrote it. */
export interface Registration {
  readonly node: string;
  readonly program: string;
  /** Undefined: the built-in defaults. */
  readonly policy: string | undefined;
}

/** A command line that is recognized as `paldron hook`. */
export interface OwnCall {
  /** Undefined: the program is started by its first line. */
  readonly node: string | undefined;
  readonly program: string;
  readonly agent: string | undefined;
  readonly policy: string | undefined;
  readonly workspace: string | undefined;
}

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+/;
const SINGLE = /^'([^']*)'/;
const DOUBLE = /^"([^"\\$`!]*)"/;

/**
 * The words of a command line that a shell cannot read in another way: plain characters and quotes around plain text.
 * Undefined for anything else, an assignment before the command too.
 */
export function plainWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  let rest = text.trim();
  while (rest !== "") {
    let word = "";
    while (rest !== "" && !/^[ \t]/.test(rest)) {
      const found = PLAIN.exec(rest) ?? SINGLE.exec(rest) ?? DOUBLE.exec(rest) ?? /^\\(')/.exec(rest);
      if (found === null) return undefined;
      word += found[1] ?? found[0];
      rest = rest.slice(found[0].length);
    }
    words.push(word);
    rest = rest.replace(/^[ \t]+/, "");
  }
  return words.length === 0 || /^\w+=/.test(text.trim()) ? undefined : words;
}

/** The argument vector of a handler: `command` with `args`, or text for a shell. */
export function handlerWords(handler: JsonObject): readonly string[] | undefined {
  const { command, bash, args } = handler;
  // An agent takes one of them, and nobody knows which.
  if (command !== undefined && bash !== undefined) return undefined;
  const line = command ?? bash;
  if (typeof line !== "string") return undefined;
  if (args === undefined) return plainWords(line);
  return isTexts(args) ? [line, ...args] : undefined;
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === "string");
}

/** `[NODE] …/paldron hook [--agent NAME] [--policy FILE] [--workspace DIR]` and nothing else; else undefined. */
export function ownCall(words: readonly string[] | undefined): OwnCall | undefined {
  const at = words?.indexOf("hook") ?? -1;
  if (words === undefined || (at !== 1 && at !== 2)) return undefined;
  const program = words[at - 1] ?? "";
  if (program.split("/").at(-1) !== "paldron") return undefined;
  const values = optionsOf(words.slice(at + 1));
  if (values === undefined) return undefined;
  return {
    node: at === 2 ? words[0] : undefined,
    program,
    agent: values.get("--agent"),
    policy: values.get("--policy"),
    workspace: values.get("--workspace"),
  };
}

function optionsOf(words: readonly string[]): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>();
  for (let i = 0; i < words.length; i += 1) {
    const [, name, inline] = /^(--(?:agent|policy|workspace))(?:=(.*))?$/s.exec(words[i] ?? "") ?? [];
    const value = inline ?? words[++i];
    if (name === undefined || value === undefined || values.has(name)) return undefined;
    values.set(name, value);
  }
  return values;
}

export function handlerCall(handler: Json | undefined): OwnCall | undefined {
  if (typeof handler !== "object" || handler === null || Array.isArray(handler)) return undefined;
  return ownCall(handlerWords(handler as JsonObject));
}
