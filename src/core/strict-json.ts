import { PaldronError } from "./errors.ts";

/** A value as JSON has it; objects have no prototype. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export interface StrictJsonOptions {
  /** For messages: `request`, `payload`. */
  readonly what: string;
  readonly maxBytes: number;
}

/** Deeper than anything that an agent sends; far from the end of the stack. */
const MAX_DEPTH = 200;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS = [
  ["true", true],
  ["false", false],
  ["null", null],
] as const;

/**
 * Reads one JSON document from bytes. What two readers could understand differently is refused: a second document, a
 * byte order mark, bytes that are not UTF-8, a key twice in one object at any depth, half a character, a number out of
 * range, and comments and trailing commas as everywhere. The message never repeats the text, which may hold a secret.
 * @throws PaldronError `request`
 */
export function parseStrictJson(bytes: Uint8Array, options: StrictJsonOptions): Json {
  const fail = (why: string): PaldronError =>
    new PaldronError("request", `the ${options.what} cannot be read: ${why}`);
  if (bytes.length > options.maxBytes) throw fail(`longer than ${options.maxBytes} bytes`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new PaldronError("request", `the ${options.what} cannot be read: not UTF-8`, { cause: error });
  }
  if (text.startsWith("\ufeff")) throw fail("it starts with a byte order mark");
  return new Reader(text, fail).document();
}

class Reader {
  readonly #text: string;
  readonly #fail: (why: string) => PaldronError;
  #at = 0;

  constructor(text: string, fail: (why: string) => PaldronError) {
    this.#text = text;
    this.#fail = fail;
  }

  document(): Json {
    this.#blanks();
    if (this.#at === this.#text.length) throw this.#fail("it is empty");
    const value = this.#value(0);
    this.#blanks();
    if (this.#at < this.#text.length) throw this.#fail(`more follows the first value ${this.#place()}`);
    return value;
  }

  #place(): string {
    return `at character ${this.#at + 1}`;
  }

  #odd(): PaldronError {
    return this.#fail(`not JSON ${this.#place()}`);
  }

  #blanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  #value(depth: number): Json {
    const char = this.#text[this.#at];
    if (char === '"') return this.#string();
    if (char === "{" || char === "[") {
      if (depth >= MAX_DEPTH) throw this.#fail(`nested deeper than ${MAX_DEPTH} levels`);
      return char === "{" ? this.#object(depth + 1) : this.#list(depth + 1);
    }
    for (const [word, value] of LITERALS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    return this.#number();
  }

  #number(): number {
    NUMBER.lastIndex = this.#at;
    const digits = NUMBER.exec(this.#text)?.[0];
    if (digits === undefined) throw this.#odd();
    const value = Number(digits);
    if (!Number.isFinite(value)) throw this.#fail(`a number out of range ${this.#place()}`);
    this.#at += digits.length;
    return value;
  }

  #string(): string {
    const start = this.#at;
    let plain = true;
    for (this.#at += 1; ; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) break;
      // Also NaN, the end of the text.
      if (!(code >= 0x20)) throw this.#odd();
      if (code !== 0x5c) continue;
      plain = false;
      this.#at += 1;
    }
    this.#at += 1;
    if (plain) return this.#text.slice(start + 1, this.#at - 1);
    const value = this.#unescape(start);
    if (/\p{Surrogate}/u.test(value)) throw this.#fail(`half a character ${this.#place()}`);
    return value;
  }

  #unescape(start: number): string {
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string;
    } catch {
      throw this.#odd();
    }
  }

  #list(depth: number): readonly Json[] {
    const items: Json[] = [];
    this.#at += 1;
    this.#blanks();
    if (this.#take("]")) return items;
    for (;;) {
      this.#blanks();
      items.push(this.#value(depth));
      this.#blanks();
      if (this.#take("]")) return items;
      if (!this.#take(",")) throw this.#odd();
    }
  }

  #object(depth: number): JsonObject {
    const found: Record<string, Json> = Object.create(null);
    this.#at += 1;
    this.#blanks();
    if (this.#take("}")) return found;
    for (;;) {
      this.#blanks();
      if (this.#text[this.#at] !== '"') throw this.#odd();
      const name = this.#string();
      if (name in found) throw this.#fail(`a key stands twice in one object ${this.#place()}`);
      this.#blanks();
      if (!this.#take(":")) throw this.#odd();
      this.#blanks();
      found[name] = this.#value(depth);
      this.#blanks();
      if (this.#take("}")) return found;
      if (!this.#take(",")) throw this.#odd();
    }
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
