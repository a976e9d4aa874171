import { LIMITS } from "./limits.ts";
import type { Hole, HoleSource, Word, WordPart } from "./types.ts";

/** The value of a variable: known text and holes. A glob in it is characters that a glob matched, not a pattern. */
export type Text = readonly WordPart[];

export const isHole = (part: WordPart): part is Hole => typeof part !== "string" && "hole" in part;

export const literal = (text: string): Word => ({ kind: "literal", text });
const unknown = (source: HoleSource = "unknown", many = false): Word => ({
  kind: "unknown",
  source,
  many,
});
export const hole = (source: HoleSource): Text => [{ hole: source }];

/** The text of a word all of whose characters are known. */
export const textOf = (word: Word | undefined): string | undefined =>
  word?.kind === "literal" ? word.text : undefined;

/** Two unknown runs side by side are one. */
function isSameHole(part: WordPart, last: WordPart | undefined): boolean {
  return isHole(part) && last !== undefined && isHole(last) && part.hole === last.hole;
}

/** Joins neighbouring strings and holes, and drops empty strings. */
function normalize(parts: Text): Text {
  const out: WordPart[] = [];
  for (const part of parts) {
    if (part === "") continue;
    const last = out.length === 0 ? undefined : out[out.length - 1];
    if (typeof part === "string" && typeof last === "string") out[out.length - 1] = last + part;
    else if (!isSameHole(part, last)) out.push(part);
  }
  return out;
}

export function wordOf(text: Text, many = false): Word {
  if (text.length === 1 && !many && typeof text[0] === "string") return literal(text[0]);
  const parts = normalize(text);
  const [first] = parts;
  if (parts.length === 0) return many ? unknown("unknown", true) : literal("");
  if (parts.length === 1 && first !== undefined) {
    if (typeof first === "string") return many ? { kind: "partial", parts, many } : literal(first);
    if (isHole(first)) return unknown(first.hole, many);
  }
  return { kind: "partial", parts, many };
}

export function partsOf(word: Word): Text {
  if (word.kind === "literal") return word.text === "" ? [] : [word.text];
  return word.kind === "partial" ? word.parts : [{ hole: word.source }];
}

export const isMany = (word: Word): boolean => word.kind !== "literal" && word.many;

/** The known string of a text, or undefined when it has a hole. */
export function known(text: Text): string | undefined {
  let out = "";
  for (const part of text) {
    if (typeof part !== "string") return undefined;
    out += part;
  }
  return out;
}

/** What the first characters of a word certainly are. */
export function knownPrefix(word: Word): string {
  const [first] = partsOf(word);
  return typeof first === "string" ? first : "";
}

/** A word without its first `count` characters, which must be known. */
export function dropPrefix(word: Word, count: number): Word {
  const [first, ...rest] = partsOf(word);
  if (typeof first !== "string") return word;
  return wordOf([first.slice(count), ...rest], isMany(word));
}

/** Two texts side by side, bounded: a value that grows without end becomes a hole. */
export function concat(a: Text, b: Text): Text {
  if (a.length === 0 && b.length === 1 && typeof b[0] === "string" && b[0].length <= LIMITS.value)
    return b[0] === "" ? [] : b;
  const parts = normalize([...a, ...b]);
  let size = 0;
  for (const part of parts) size += typeof part === "string" ? part.length : 1;
  return size > LIMITS.value ? hole("unknown") : parts;
}

/** The weakest source among the holes; undefined for a known text. */
export function sourceOf(text: Text): HoleSource | undefined {
  const order: readonly HoleSource[] = ["integer", "listing", "fresh", "inherited", "unknown"];
  let weakest: HoleSource | undefined;
  for (const part of text) {
    if (typeof part === "string") continue;
    const source = isHole(part) ? part.hole : "listing";
    if (weakest === undefined || order.indexOf(source) > order.indexOf(weakest)) weakest = source;
  }
  return weakest;
}

/** Text that a glob matched: what stands in it is known by the pattern, not only that it was listed. */
export const hasGlob = (text: Text): boolean =>
  text.some((part) => typeof part !== "string" && !isHole(part));

/** The pieces of a text between blanks. */
export function piecesOf(text: Text): readonly Text[] {
  const out: WordPart[][] = [[]];
  for (const part of text) {
    const pieces = typeof part === "string" ? part.split(/[ \t\n]+/) : [part];
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) out.push([]);
      if (piece !== "") out.at(-1)?.push(piece);
    }
  }
  return out.filter((piece) => piece.length > 0);
}

/** Splits text with unquoted glob characters into literal parts and globs. */
export function globParts(text: string): WordPart[] {
  if (!/[*?[]/.test(text)) return [text];
  const out: WordPart[] = [];
  let plain = "";
  for (let i = 0; i < text.length; ) {
    const char = text[i];
    const close = char === "[" ? bracketEnd(text, i) : -1;
    if (char === "*" || char === "?" || close > 0) {
      if (plain !== "") out.push(plain);
      plain = "";
      const end = close > 0 ? close + 1 : i + 1;
      out.push({ glob: text.slice(i, end) });
      i = end;
    } else {
      plain += char;
      i += 1;
    }
  }
  if (plain !== "") out.push(plain);
  return out;
}

/** Index of the `]` that closes the bracket at `open`, or -1. Linear over the whole text: gives up after 64 characters. */
function bracketEnd(text: string, open: number): number {
  const first = /[!^]/.test(text[open + 1] ?? "") ? open + 3 : open + 2;
  for (let i = first; i < text.length && i < open + 64; i++) if (text[i] === "]") return i;
  return -1;
}

const sameText = (a: Text, b: Text): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Adds texts that are not yet there. Undefined when there are more than the limit. */
export function unionTexts(a: readonly Text[], b: readonly Text[]): readonly Text[] | undefined {
  const out = [...a];
  for (const text of b) if (!out.some((have) => have === text || sameText(have, text))) out.push(text);
  return out.length > LIMITS.alternatives ? undefined : out;
}
