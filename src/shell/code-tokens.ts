import { escapeAt, merged } from "./code-strings.ts";
import type { WordPart } from "./types.ts";
import { hole, type Text } from "./value.ts";

/** A piece of a program: a word, a string with what is known of it, a number, one character, or the end of a line. */
export interface Token {
  readonly kind: "word" | "string" | "number" | "mark" | "line";
  readonly text: string;
  /** The characters of a string; an expression inside is a hole. */
  readonly value: Text;
}

export interface Tokens {
  /** The program, then each expression that stands inside a string. */
  readonly segments: readonly (readonly Token[])[];
  /** False: it may be read in more than one way. */
  readonly sure: boolean;
}

export type Lexed = "js" | "python";

/** Cuts a program into tokens, in one pass. Where that is a guess it says so. */
export function tokensOf(language: Lexed, text: string): Tokens {
  const lexer = new Lexer(language, text.replace(/^#![^\n]*/, ""));
  lexer.run();
  return { segments: lexer.segments, sure: lexer.sure };
}

const SPACE = /[ \t\r\f]+/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const NUMBER = /\d[\w.]*/y;
const PYTHON_STRING = /([rRbBuUfFtT]{0,3})("""|'''|"|')/y;
/** What holds no mark that counts inside a string, or one character. */
const PYTHON_STRETCH = /[^\\{}\n"']+|[\s\S]/y;
const SCRIPT_STRETCH = /[^\\$\n"'`]+|[\s\S]/y;
/** Words behind which a slash starts a pattern. */
const BEFORE_PATTERN = /^(?:return|typeof|case|in|of|delete|void|throw|new|instanceof|else|do|yield|await)$/;
const DEPTH = 20;

class Lexer {
  readonly segments: Token[][] = [];
  sure = true;
  private readonly language: Lexed;
  private readonly text: string;
  private at = 0;
  private depth = 0;
  private readonly heads: boolean[] = [];
  private closedHead = false;

  constructor(language: Lexed, text: string) {
    this.language = language;
    this.text = text;
  }

  run(): void {
    this.segment(undefined);
  }

  /** Reads on until the text ends or `close` stands where an expression ends. */
  private segment(close: string | undefined): void {
    const out: Token[] = [];
    this.segments.push(out);
    this.depth += 1;
    if (this.depth > DEPTH) this.stop();
    let open = 0;
    while (this.at < this.text.length) {
      const char = this.text[this.at] ?? "";
      if (close !== undefined && open === 0 && char === close) break;
      if (/[([{]/.test(char)) open += 1;
      if (/[)\]}]/.test(char)) open -= 1;
      this.step(out, char);
    }
    this.depth -= 1;
  }

  private stop(): void {
    this.sure = false;
    this.at = this.text.length;
  }

  private step(out: Token[], char: string): void {
    if (this.match(SPACE) !== undefined) return;
    if (char === "\n") {
      this.at += 1;
      out.push({ kind: "line", text: char, value: [] });
    } else if (char === "\\") {
      // A line that goes on; anything else may spell a name in another way.
      if (this.text[this.at + 1] === "\n") this.at += 2;
      else this.stop();
    } else if (this.language === "python") this.python(out, char);
    else this.script(out, char);
  }

  private python(out: Token[], char: string): void {
    PYTHON_STRING.lastIndex = this.at;
    const start = PYTHON_STRING.exec(this.text);
    if (char === "#") this.skipLine();
    else if (start !== null) {
      this.at = PYTHON_STRING.lastIndex;
      out.push(this.pythonString((start[1] ?? "").toLowerCase(), start[2] ?? '"'));
    } else {
      // Letters beyond ASCII are other ways to write plain ones.
      if (char > "~") this.stop();
      this.plain(out, char);
    }
  }

  private script(out: Token[], char: string): void {
    const two = this.text.slice(this.at, this.at + 2);
    if (two === "//") this.skipLine();
    else if (two === "/*") this.skipTo("*/");
    else if (char === '"' || char === "'") {
      this.at += 1;
      out.push(this.quoted(char, false));
    } else if (char === "`") {
      this.at += 1;
      out.push(this.quoted(char, true));
    } else if (char === "/" && this.startsPattern(out)) out.push(this.pattern());
    else this.plain(out, char);
  }

  private plain(out: Token[], char: string): void {
    const word = this.match(WORD);
    const number = word === undefined ? this.match(NUMBER) : undefined;
    if (word !== undefined) out.push({ kind: "word", text: word, value: [] });
    else if (number !== undefined) out.push({ kind: "number", text: number, value: [] });
    else {
      this.at += 1;
      this.parenthesis(out, char);
      out.push({ kind: "mark", text: char, value: [] });
    }
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private skipLine(): void {
    const end = this.text.indexOf("\n", this.at);
    this.at = end === -1 ? this.text.length : end;
  }

  private skipTo(mark: string): void {
    const end = this.text.indexOf(mark, this.at + 2);
    this.at = end === -1 ? this.text.length : end + mark.length;
  }

  private pythonString(prefix: string, quote: string): Token {
    const parts: WordPart[] = [];
    const isRaw = prefix.includes("r");
    const holds = /[ft]/.test(prefix);
    while (this.at < this.text.length && !this.text.startsWith(quote, this.at)) {
      const char = this.text[this.at] ?? "";
      if (char === "\\") parts.push(this.escape(isRaw));
      else if (holds && (char === "{" || char === "}")) this.braced(parts, char, quote);
      else if (char === "\n" && quote.length === 1) this.stop();
      else parts.push(this.match(PYTHON_STRETCH) ?? char);
    }
    if (this.at >= this.text.length) this.sure = false;
    this.at += quote.length;
    return { kind: "string", text: quote, value: merged(parts) };
  }

  /** `{expression}` in an f-string; doubled braces stand for themselves. */
  private braced(parts: WordPart[], char: string, quote: string): void {
    if (this.text[this.at + 1] === char) {
      parts.push(char);
      this.at += 2;
      return;
    }
    if (char === "}") {
      this.stop();
      return;
    }
    this.at += 1;
    const from = this.at;
    this.segment("}");
    // Older Pythons end the string at such a quote.
    if (this.text.slice(from, this.at).includes(quote)) this.stop();
    this.at += 1;
    parts.push(...hole("unknown"));
  }

  private quoted(quote: string, isTemplate: boolean): Token {
    const parts: WordPart[] = [];
    while (this.at < this.text.length && this.text[this.at] !== quote) {
      const char = this.text[this.at] ?? "";
      if (char === "\\") parts.push(this.escape(false));
      else if (char === "\n" && !isTemplate) this.stop();
      else if (isTemplate && char === "$" && this.text[this.at + 1] === "{") {
        this.at += 2;
        this.segment("}");
        this.at += 1;
        parts.push(...hole("unknown"));
      } else parts.push(this.match(SCRIPT_STRETCH) ?? char);
    }
    if (this.at >= this.text.length) this.sure = false;
    this.at += 1;
    return { kind: "string", text: quote, value: merged(parts) };
  }

  private escape(isRaw: boolean): string {
    const { text, length, sure } = escapeAt(this.text, this.at, isRaw);
    if (!sure) this.sure = false;
    this.at += length;
    return text;
  }

  /** Whether a slash starts a pattern; behind `}` and some `)` both may be meant. */
  private startsPattern(out: readonly Token[]): boolean {
    const last = out.findLast(({ kind }) => kind !== "line");
    if (last === undefined) return true;
    if (last.kind === "word") return BEFORE_PATTERN.test(last.text);
    if (last.kind !== "mark") return false;
    if (last.text === "]" || (last.text === ")" && !this.closedHead)) return false;
    if (!/[)}+-]/.test(last.text)) return true;
    const end = this.text.indexOf("\n", this.at);
    const rest = this.text.slice(this.at + 1, end === -1 ? this.at + 2000 : Math.min(end, this.at + 2000));
    if (/[/"'`]/.test(rest)) this.sure = false;
    return false;
  }

  /** Remembers which parentheses hold the condition of a statement: what follows those may be a pattern. */
  private parenthesis(out: readonly Token[], char: string): void {
    if (char === "(") this.heads.push(/^(?:if|while|for|with)$/.test(out.at(-1)?.text ?? ""));
    else if (char === ")") this.closedHead = this.heads.pop() ?? true;
  }

  private pattern(): Token {
    let inClass = false;
    for (this.at += 1; this.at < this.text.length; this.at += 1) {
      const char = this.text[this.at];
      if (char === "\n") break;
      if (char === "\\") this.at += 1;
      else if (char === "[") inClass = true;
      else if (char === "]") inClass = false;
      else if (char === "/" && !inClass) {
        this.at += 1;
        return { kind: "number", text: "/", value: [] };
      }
    }
    this.stop();
    return { kind: "number", text: "/", value: [] };
  }
}
