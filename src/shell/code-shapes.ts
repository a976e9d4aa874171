import type { Token } from "./code-tokens.ts";
import { known } from "./value.ts";

/** `constructor(…) {` of a class, and `x.constructor.name`; a function's own makes functions of text. */
export function isPlainConstructor(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.text;
  if (tokens[at - 1]?.text !== ".") return next === "(";
  return next === "." && tokens[at + 2]?.text === "name";
}

export const isOwner = (token: Token | undefined): boolean =>
  token?.kind !== "mark" || /^[)\]]$/.test(token.text);

/** `f(x, …)` and `f(x.y, …)`, where `x` stands for no module. */
export function isOfValue(
  tokens: readonly Token[],
  at: number,
  modules: ReadonlyMap<string, string>,
): boolean {
  const first = tokens[at + 2];
  return (
    tokens[at + 1]?.text === "(" &&
    first?.kind === "word" &&
    /^[,.)]$/.test(tokens[at + 3]?.text ?? "") &&
    !modules.has(first.text) &&
    !/^__/.test(first.text)
  );
}

/** `"".join(["a", "b"])` and `["a", "b"].join("")` put a name together. */
export function isJoin(tokens: readonly Token[], at: number): boolean {
  if (tokens[at + 1]?.text === "." && tokens[at + 2]?.text === "join")
    return /^[[(]$/.test(tokens[at + 4]?.text ?? "") && tokens[at + 5]?.kind === "string";
  return tokens[at - 1]?.text === "(" && tokens[at - 2]?.text === "join" && tokens[at - 4]?.text === "]";
}

/** `Buffer.from(x, "hex")`; a hash that is shown as such is none. */
export function isEncoding(tokens: readonly Token[], at: number, text: string): boolean {
  if (/^rot_?13$/.test(text)) return true;
  if (!/^(?:base64|base64url|hex|latin1|binary|utf16le|ucs2)$/.test(text)) return false;
  return (
    tokens[at - 1]?.text === "," &&
    tokens.slice(Math.max(0, at - 12), at).some((token) => token.text === "from")
  );
}

/** `import os` and the like name a module without using it. */
export function isImport(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text ?? "";
  return (
    /^(?:import|from|as|,)$/.test(before) ||
    tokens[at + 1]?.text === "=" ||
    /^(?:const|let|var)$/.test(before)
  );
}

/** The name in `getattr(x, "name")`, where it is a string. */
export function attributeNamed(tokens: readonly Token[], at: number): string | undefined {
  let depth = 0;
  for (let i = at + 1; i < Math.min(tokens.length, at + 40); i += 1) {
    const text = tokens[i]?.text ?? "";
    if (tokens[i]?.kind !== "mark") continue;
    if (/[([{]/.test(text)) depth += 1;
    if (/[)\]}]/.test(text)) depth -= 1;
    if (depth === 0) return undefined;
    if (text !== "," || depth > 1) continue;
    const key = tokens[i + 1];
    const isWhole = /^[,)]$/.test(tokens[i + 2]?.text ?? "");
    return key?.kind === "string" && isWhole ? known(key.value) : undefined;
  }
  return undefined;
}

/** A URL or host of this machine. */
export const LOOPBACK = /^(?:(?:https?|wss?):\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/;

/** Whether there are URLs and all are of this machine. */
export function staysHere(literals: readonly string[]): boolean {
  const urls = literals.filter((text) => /^\w{2,8}:\/\//.test(text));
  return urls.length > 0 && urls.every((text) => LOOPBACK.test(text));
}
