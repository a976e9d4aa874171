import type { WordPart } from "./types.ts";
import type { Text } from "./value.ts";

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "", b: "\b", f: "\f" };

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "?");

/** Pieces of known text put together. */
export function merged(parts: readonly WordPart[]): Text {
  const out: WordPart[] = [];
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else {
      if (text !== "") out.push(text);
      text = "";
      out.push(part);
    }
  }
  return text === "" ? out : [...out, text];
}

const CODED = /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|u\{[\dA-Fa-f]{1,6}\})/y;
const OCTAL = /\\[0-7]{1,3}/y;

interface Escape {
  readonly text: string;
  readonly length: number;
  /** False: what it stands for is not known. */
  readonly sure: boolean;
}

/** What a backslash in a string of Python or JavaScript stands for. */
export function escapeAt(text: string, at: number, isRaw: boolean): Escape {
  const next = text[at + 1] ?? "";
  if (isRaw) return { text: `\\${next}`, length: 2, sure: true };
  CODED.lastIndex = at;
  const coded = CODED.exec(text)?.[0];
  if (coded !== undefined) {
    const code = Number.parseInt(coded.replace(/[\\xuU{}]/g, ""), 16);
    return { text: character(code), length: coded.length, sure: true };
  }
  OCTAL.lastIndex = at;
  const octal = OCTAL.exec(text)?.[0];
  if (octal !== undefined)
    return { text: character(Number.parseInt(octal.slice(1), 8)), length: octal.length, sure: true };
  // `\N{FULL STOP}`.
  return { text: ESCAPES[next] ?? next, length: 2, sure: next !== "N" || text[at + 2] !== "{" };
}
