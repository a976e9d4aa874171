import type { CodeReading } from "./code.ts";

/** Commands that take nothing, or the rest of their line as plain text. */
const PLAIN = "=dDgGhHnNpPxzlL{}";
const TEXT = "aic";

/** Reads a sed script: which files it reads (`r`) and writes (`w`), and whether it runs commands (`e`). */
export function readSed(script: string): CodeReading {
  const reader = new SedReader(script);
  const harmless = reader.read();
  return { harmless, reads: reader.reads, writes: reader.writes, commands: reader.commands, literals: [] };
}

class SedReader {
  readonly reads: string[] = [];
  readonly writes: string[] = [];
  readonly commands: string[] = [];
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** False: something was not understood. */
  read(): boolean {
    while (this.at < this.text.length) if (!this.command()) return false;
    return true;
  }

  private peek(): string {
    return this.text[this.at] ?? "";
  }

  private skip(pattern: RegExp): void {
    while (this.at < this.text.length && pattern.test(this.peek())) this.at += 1;
  }

  private command(): boolean {
    this.skip(/[\s;]/);
    if (this.at >= this.text.length) return true;
    if (!this.address()) return false;
    this.skip(/[\s!]/);
    const name = this.peek();
    this.at += 1;
    if (name === "#") return this.line() !== undefined;
    if (name === "s") return this.substitute();
    if (name === "y") return this.delimited(2) && this.flags("");
    if (PLAIN.includes(name) && name !== "") return true;
    if (TEXT.includes(name) && name !== "") return this.textLines();
    if (name === "q" || name === "Q" || name === "l") return this.number();
    if (":btTv".includes(name) && name !== "") return this.label();
    if (name === "r" || name === "R") return this.file(this.reads);
    if (name === "w" || name === "W") return this.file(this.writes);
    if (name === "F") return true;
    if (name === "e") {
      this.commands.push(this.line());
      // `e` without a command runs the pattern space.
      return this.commands.at(-1)?.trim() !== "";
    }
    return false;
  }

  private address(): boolean {
    for (let count = 0; count < 2; count += 1) {
      this.skip(/\s/);
      const char = this.peek();
      if (/[\d$+~]/.test(char)) this.skip(/[\d$+~]/);
      else if (char === "/" || char === "\\") {
        if (char === "\\") this.at += 1;
        if (!this.delimited(1)) return false;
        this.skip(/[IM]/);
      } else return true;
      this.skip(/[\s~\d]/);
      if (this.peek() !== ",") return true;
      this.at += 1;
    }
    return true;
  }

  /** Passes `count` parts between equal delimiters. */
  private delimited(count: number): boolean {
    const mark = this.peek();
    if (mark === "" || mark === "\n") return false;
    this.at += 1;
    for (let part = 0; part < count; part += 1) {
      for (; this.at < this.text.length; this.at += 1) {
        const char = this.peek();
        if (char === "\\") this.at += 1;
        else if (char === mark) break;
      }
      if (this.at >= this.text.length) return false;
      this.at += 1;
    }
    return true;
  }

  private substitute(): boolean {
    return this.delimited(2) && this.flags("gpiImM0123456789");
  }

  private flags(allowed: string): boolean {
    for (; this.at < this.text.length; this.at += 1) {
      const char = this.peek();
      if (char === "w" && allowed !== "") {
        this.at += 1;
        return this.file(this.writes);
      }
      if (/[\s;}#]/.test(char)) return true;
      if (char === "" || !allowed.includes(char)) return false;
    }
    return true;
  }

  private line(): string {
    const end = this.text.indexOf("\n", this.at);
    const line = this.text.slice(this.at, end === -1 ? undefined : end);
    this.at = end === -1 ? this.text.length : end + 1;
    return line;
  }

  private file(list: string[]): boolean {
    const name = this.line().trim();
    list.push(name);
    return name !== "";
  }

  /** `a text`, with `\` at the end of a line going on. */
  private textLines(): boolean {
    let line = this.line();
    while (line.endsWith("\\") && this.at < this.text.length) line = this.line();
    return true;
  }

  private number(): boolean {
    this.skip(/[ \t\d]/);
    return true;
  }

  private label(): boolean {
    while (this.at < this.text.length && !/[\n;}]/.test(this.peek())) this.at += 1;
    return true;
  }
}
