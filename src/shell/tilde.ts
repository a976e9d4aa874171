import type { WordPart as PartNode, Word as WordNode } from "unbash";
import type { ExpandEnv } from "./expand.ts";
import { expandSimple } from "./parameter.ts";
import type { Word } from "./types.ts";
import { concat, hole, type Text, wordOf } from "./value.ts";

/** `word`: after the `=` of what looks like an assignment too. `assignment`: at the start and after every colon. */
type Place = "word" | "value" | "assignment";

const LIKE_ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** A word without quotes or expansions, as one argument. */
export function plainWord(word: WordNode, env: ExpandEnv): Word {
  if (!word.text.includes("~")) return { kind: "literal", text: word.value };
  return wordOf(tildeText(word, env, "word"));
}

/** The text of a word whose only expansions are tildes. A backslash in the name of a home takes its meaning away. */
export function tildeText(word: WordNode, env: ExpandEnv, place: Place): Text {
  const { text, value } = word;
  if (!text.includes("~")) return [value];
  if (place === "assignment") return tildes(text, value, env);
  const name = place === "word" ? LIKE_ASSIGNMENT.exec(text)?.[0] : undefined;
  if (name !== undefined)
    return concat([name], tildes(text.slice(name.length), value.slice(name.length), env));
  return isWhole(text, "/") ? tilde(value, env) : [value];
}

/** Whether an unquoted tilde starts the text, and no character of its name is quoted. */
function isWhole(text: string, ends: string): boolean {
  return new RegExp(`^~[^\\\\'"${ends}]*(?:[${ends}]|$)`).test(text);
}

/** Text with a tilde at the start or after a colon. Where a backslash stands the pieces cannot be told apart. */
function tildes(text: string, value: string, env: ExpandEnv): Text {
  if (!/(?:^|:)~/.test(text)) return [value];
  if (text !== value) return hole("unknown");
  let out: Text = [];
  value.split(":").forEach((piece, index) => {
    out = concat(out, index === 0 ? [] : [":"]);
    out = concat(out, piece.startsWith("~") ? tilde(piece, env) : [piece]);
  });
  return out;
}

function tilde(text: string, env: ExpandEnv): Text {
  const slash = text.indexOf("/");
  const prefix = slash === -1 ? text : text.slice(0, slash);
  const rest = slash === -1 ? "" : text.slice(slash);
  return concat(tildePrefix(prefix, env), [rest]);
}

function tildePrefix(prefix: string, env: ExpandEnv): Text {
  const name = { "~": "HOME", "~+": "PWD", "~-": "OLDPWD" }[prefix];
  // Only bash and its like know `~+` and `~-`; sh may be either.
  if (env.scope.dialect === "sh" && prefix !== "~") return hole("unknown");
  // Another user's home; where there is no such user the text stays as it is.
  if (name === undefined) return /^~[A-Za-z_]/.test(prefix) ? [prefix] : hole("unknown");
  const expansion = expandSimple(name, env);
  return expansion.kind === "text" ? expansion.text : hole("unknown");
}

/** Hands an expanded leading tilde to `add` and returns the parts that are left to do. */
export function leadingTilde(
  parts: readonly PartNode[],
  env: ExpandEnv,
  place: Place,
  add: (text: Text[number]) => void,
): readonly PartNode[] {
  const [first] = parts;
  if (first?.type !== "Literal" || !first.text.includes("~")) return parts;
  const rest = parts.slice(1);
  const name = (place === "word" ? LIKE_ASSIGNMENT.exec(first.text)?.[0] : undefined) ?? "";
  const [text, value] = [first.text.slice(name.length), first.value.slice(name.length)];
  const isAssigned = place === "assignment" || name !== "";
  const ends = isAssigned ? "/:" : "/";
  if (!(isAssigned ? /(?:^|:)~/ : /^~/).test(text)) return parts;
  // `~"x"` and `~$x` are no home folders: the prefix must be whole within the unquoted text.
  const isClosed = new RegExp(`[${ends}]`).test(text.slice(text.lastIndexOf("~"))) || rest.length === 0;
  if (!isAssigned && !(isClosed && isWhole(text, ends))) return parts;
  if (name !== "") add(name);
  const pieces = isAssigned ? (isClosed ? tildes(text, value, env) : hole("unknown")) : tilde(value, env);
  for (const part of pieces) add(part);
  return rest;
}
