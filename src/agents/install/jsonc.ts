import { PaldronError } from "../../core/errors.ts";
import type { Json } from "../../core/strict-json.ts";

/** JSON with comments and trailing commas, with the place of everything, so that a text can be edited in place. */

/** A value of an array or a member of an object. */
export interface Item {
  /** Of a member; undefined in an array. */
  readonly key: string | undefined;
  /** Where the key or value begins. */
  readonly start: number;
  /** Behind the value. */
  readonly end: number;
  /** Behind what stands before it: a bracket, a comma or a comment. */
  readonly before: number;
  /** The comma that follows. */
  readonly comma: number | undefined;
  readonly node: Node;
}

interface Container {
  readonly kind: "array" | "object";
  readonly start: number;
  readonly end: number;
  readonly items: readonly Item[];
  /** Behind the last thing that stands inside: a bracket, a value, a comma or a comment. */
  readonly tail: number;
  /** That is a comment to the end of its line. */
  readonly tailIsLine: boolean;
}

interface Scalar {
  readonly kind: "scalar";
  readonly start: number;
  readonly end: number;
  readonly value: string | number | boolean | null;
}

export type Node = Container | Scalar;
export type { Container };

const MAX_DEPTH = 100;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const BLANKS = /[ \t\r\n]+/y;
const BOM = "\ufeff";

/** @throws PaldronError `io`, which repeats nothing of the text. */
export function parseJsonc(text: string, what: string): Node | undefined {
  return new Reader(text, what).document();
}

/** The value without its places. */
export function jsonOf(node: Node): Json {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map((item) => jsonOf(item.node));
  const object: Record<string, Json> = Object.create(null);
  for (const { key, node: value } of node.items) object[key ?? ""] = jsonOf(value);
  return object;
}

export function memberOf(node: Node, key: string): Item | undefined {
  return node.kind === "object" ? node.items.find((item) => item.key === key) : undefined;
}

class Reader {
  readonly #text: string;
  readonly #what: string;
  #at = 0;
  /** Behind the last token or comment. */
  #last = 0;
  #lastIsLine = false;

  constructor(text: string, what: string) {
    this.#text = text;
    this.#what = what;
  }

  /** Undefined: nothing but blanks. */
  document(): Node | undefined {
    if (this.#text.startsWith(BOM)) this.#token(BOM.length);
    const begin = this.#last;
    this.#space();
    if (this.#at === this.#text.length && this.#last === begin) return undefined;
    const node = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) throw this.#odd();
    return node;
  }

  #fail(why: string): PaldronError {
    const line = this.#text.slice(0, this.#at).split("\n").length;
    return new PaldronError("io", `${this.#what}:${line}: ${why}; nothing was changed`);
  }

  #odd(): PaldronError {
    return this.#fail("not valid JSON");
  }

  #token(length: number): void {
    this.#at += length;
    this.#last = this.#at;
    this.#lastIsLine = false;
  }

  /** Blanks and comments. */
  #space(): void {
    for (;;) {
      BLANKS.lastIndex = this.#at;
      this.#at += BLANKS.exec(this.#text)?.[0].length ?? 0;
      if (this.#text.startsWith("//", this.#at)) {
        const rest = /[\r\n]/g;
        rest.lastIndex = this.#at;
        this.#token((rest.exec(this.#text)?.index ?? this.#text.length) - this.#at);
        this.#lastIsLine = true;
      } else if (this.#text.startsWith("/*", this.#at)) {
        const end = this.#text.indexOf("*/", this.#at + 2);
        if (end < 0) throw this.#odd();
        this.#token(end + 2 - this.#at);
      } else return;
    }
  }

  #value(depth: number): Node {
    const char = this.#text[this.#at];
    if (char === "{" || char === "[") {
      if (depth >= MAX_DEPTH) throw this.#fail(`nested deeper than ${MAX_DEPTH} levels`);
      return this.#container(depth, char === "{");
    }
    const start = this.#at;
    const value = this.#scalar(char);
    return { kind: "scalar", start, end: this.#at, value };
  }

  #scalar(char: string | undefined): Scalar["value"] {
    if (char === '"') return this.#string();
    for (const [word, value] of [
      ["true", true],
      ["false", false],
      ["null", null],
    ] as const) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#token(word.length);
      return value;
    }
    NUMBER.lastIndex = this.#at;
    const digits = NUMBER.exec(this.#text)?.[0];
    if (digits === undefined) throw this.#odd();
    this.#token(digits.length);
    return Number(digits);
  }

  #string(): string {
    let end = this.#at + 1;
    while (this.#text[end] !== '"') {
      if (end >= this.#text.length) throw this.#odd();
      end += this.#text[end] === "\\" ? 2 : 1;
    }
    try {
      const value: unknown = JSON.parse(this.#text.slice(this.#at, end + 1));
      if (typeof value !== "string") throw this.#odd();
      this.#token(end + 1 - this.#at);
      return value;
    } catch {
      throw this.#odd();
    }
  }

  #container(depth: number, isObject: boolean): Container {
    const start = this.#at;
    const close = isObject ? "}" : "]";
    const items: Item[] = [];
    const keys = new Set<string>();
    this.#token(1);
    for (;;) {
      this.#space();
      if (this.#text[this.#at] === close) break;
      const previous = items.at(-1);
      if (previous !== undefined && previous.comma === undefined) throw this.#odd();
      items.push(this.#item(depth, isObject ? keys : undefined));
    }
    const [tail, tailIsLine] = [this.#last, this.#lastIsLine];
    this.#token(1);
    return { kind: isObject ? "object" : "array", start, end: this.#at, items, tail, tailIsLine };
  }

  #item(depth: number, keys: Set<string> | undefined): Item {
    const [start, before] = [this.#at, this.#last];
    const key = keys === undefined ? undefined : this.#key(keys);
    const node = this.#value(depth + 1);
    const end = this.#at;
    this.#space();
    if (this.#text[this.#at] !== ",") return { key, start, end, before, comma: undefined, node };
    const comma = this.#at;
    this.#token(1);
    return { key, start, end, before, comma, node };
  }

  #key(keys: Set<string>): string {
    if (this.#text[this.#at] !== '"') throw this.#odd();
    const key = this.#string();
    // The client would take one of them, and nobody knows which.
    if (keys.has(key)) throw this.#fail("a key stands twice in one object");
    keys.add(key);
    this.#space();
    if (this.#text[this.#at] !== ":") throw this.#odd();
    this.#token(1);
    this.#space();
    return key;
  }
}
