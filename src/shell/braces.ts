import { LIMITS } from "./limits.ts";

/**
 * Brace expansion as bash does it: on the text of the word, before anything else, blind to what the pieces mean.
 * Undefined when the word holds something this reader does not follow, or yields too many words.
 */
export function expandBraces(text: string): readonly string[] | undefined {
  // Substitutions inside braces would have to be cut at the right place; nobody writes them.
  if (/[`]|[$<>]\(/.test(text)) return undefined;
  try {
    const out = expand(text, 0);
    return out.length > LIMITS.braces ? undefined : out;
  } catch (error) {
    if (error === TOO_MANY) return undefined;
    throw error;
  }
}

const TOO_MANY = Symbol("too many");

function expand(text: string, depth: number): string[] {
  if (depth > 16) throw TOO_MANY;
  for (let i = 0; i < text.length; i = next(text, i)) {
    if (text[i] !== "{") continue;
    const group = readGroup(text, i);
    if (group === undefined) continue;
    const heads = group.items.flatMap((item) => (group.sequence ? [item] : expand(item, depth + 1)));
    const tails = expand(text.slice(group.end), depth + 1);
    if (heads.length * tails.length > LIMITS.braces) throw TOO_MANY;
    const before = text.slice(0, i);
    return heads.flatMap((head) => tails.map((tail) => before + head + tail));
  }
  return [text];
}

/** Index after the character at `i`, with quoted runs and `${…}` taken as one. */
function next(text: string, i: number): number {
  const char = text[i];
  if (char === "\\") return i + 2;
  if (char === "'") return after(text, "'", i + 1);
  if (char === '"') return afterDouble(text, i + 1);
  if (char === "$" && text[i + 1] === "'") return afterAnsi(text, i + 2);
  if (char === "$" && text[i + 1] === "{") return after(text, "}", i + 2);
  return i + 1;
}

function after(text: string, close: string, from: number): number {
  const at = text.indexOf(close, from);
  return at === -1 ? text.length : at + 1;
}

function afterDouble(text: string, from: number): number {
  for (let i = from; i < text.length; i += text[i] === "\\" ? 2 : 1) if (text[i] === '"') return i + 1;
  return text.length;
}

function afterAnsi(text: string, from: number): number {
  for (let i = from; i < text.length; i += text[i] === "\\" ? 2 : 1) if (text[i] === "'") return i + 1;
  return text.length;
}

interface Group {
  readonly items: readonly string[];
  readonly sequence: boolean;
  readonly end: number;
}

function readGroup(text: string, open: number): Group | undefined {
  const items: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let i = open + 1; i < text.length; i = next(text, i)) {
    const char = text[i];
    if (char === "{") depth += 1;
    else if (char === "}" && depth > 0) depth -= 1;
    else if (char === "," && depth === 0) {
      items.push(text.slice(start, i));
      start = i + 1;
    } else if (char === "}") {
      items.push(text.slice(start, i));
      if (items.length > 1) return { items, sequence: false, end: i + 1 };
      const sequence = readSequence(items[0] ?? "");
      return sequence === undefined ? undefined : { items: sequence, sequence: true, end: i + 1 };
    }
  }
  return undefined;
}

const SEQUENCE = /^(?:(-?\d{1,9})\.\.(-?\d{1,9})|([a-zA-Z])\.\.([a-zA-Z]))(?:\.\.(-?\d{1,9}))?$/;

function readSequence(body: string): string[] | undefined {
  const match = SEQUENCE.exec(body);
  if (match === null) return undefined;
  const letters = match[3] !== undefined;
  const from = letters ? (match[3] ?? "").charCodeAt(0) : Number(match[1]);
  const to = letters ? (match[4] ?? "").charCodeAt(0) : Number(match[2]);
  const step = Math.abs(Number(match[5] ?? 1)) || 1;
  if (Math.abs(to - from) / step >= LIMITS.braces) throw TOO_MANY;
  const width = letters ? 0 : paddedWidth(match[1] ?? "", match[2] ?? "");
  const out: string[] = [];
  for (let n = from; from <= to ? n <= to : n >= to; n += from <= to ? step : -step) {
    // Letters between Z and a are punctuation that bash quotes in ways of its own.
    if (letters && !/[a-zA-Z]/.test(String.fromCharCode(n))) throw TOO_MANY;
    out.push(letters ? String.fromCharCode(n) : pad(n, width));
  }
  return out;
}

function paddedWidth(a: string, b: string): number {
  const padded = [a, b].some((text) => /^-?0\d/.test(text));
  return padded ? Math.max(a.length, b.length) : 0;
}

function pad(n: number, width: number): string {
  const digits = String(Math.abs(n));
  return n < 0 ? `-${digits.padStart(width - 1, "0")}` : digits.padStart(width, "0");
}
