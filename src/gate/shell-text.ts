/** A word of shell text after quote removal. `dynamic`: it holds an expansion, so its value is not known. */
interface ShellWord {
  readonly text: string;
  readonly dynamic: boolean;
}

interface ShellRedirect extends ShellWord {
  /** The shell opens it for writing only. */
  readonly output: boolean;
}

interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** Targets of `<`, `>`, `>>` and the like. */
  readonly redirects: readonly ShellRedirect[];
}

export interface ShellText {
  readonly commands: readonly ShellCommand[];
  /** Operators outside quotes, in order: `&&`, `;`, `|`, `$(`, a backtick, a newline… */
  readonly operators: readonly string[];
}

const OPERATOR = /^(?:&&|\|\||;;|\|&|<\(|>\(|&(?!>)|;|\||\n|\(|\))/;
const REDIRECT = /^(?:\d*|&)(?:>>|>\||>&|<<<|<<-?|<&|<>|>|<)/;
const ARITHMETIC = /\$\(\([^`$()]*\)\)/y;
const SUBSTITUTION = /^(?:\$\((?!\()|`)/;

/**
 * Cuts shell text into the words of its simple commands. It does not understand shell: it ends a command at every
 * operator and substitution, also where a shell would not, so that whatever could start a command is seen as one.
 */
export function splitShell(text: string): ShellText {
  const splitter = new Splitter(text.replaceAll("\\\n", ""));
  return splitter.run();
}

class Splitter {
  readonly #text: string;
  #at = 0;
  #quoted = false;
  /** What closes each open substitution or group, and whether quotes were open around it. */
  readonly #open: { readonly close: string; readonly quoted: boolean }[] = [];
  #word: { text: string; dynamic: boolean } | undefined;
  #words: ShellWord[] = [];
  #redirects: ShellRedirect[] = [];
  #nextRedirect: "input" | "output" | undefined;
  readonly #commands: ShellCommand[] = [];
  readonly #operators: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  run(): ShellText {
    while (this.#at < this.#text.length) this.#step();
    this.#endCommand();
    return { commands: this.#commands, operators: this.#operators };
  }

  #step(): void {
    const rest = this.#text.slice(this.#at, this.#at + 8);
    const char = rest[0] ?? "";
    const substitution = SUBSTITUTION.exec(rest)?.[0];
    if (char === "\\") this.#escape(rest[1] ?? "");
    else if (this.#open.at(-1)?.close === char) this.#close(char);
    // Inside double quotes too; what follows is a command of its own.
    else if (substitution !== undefined) this.#enter(substitution);
    else if (char === '"') this.#toggleQuote();
    else if (char === "$") this.#take(this.#arithmetic() ?? char, true);
    else if (this.#quoted) this.#take(char, false);
    else this.#unquoted(char, rest);
  }

  #unquoted(char: string, rest: string): void {
    const redirect = /^[<>]\(/.test(rest) ? undefined : REDIRECT.exec(rest)?.[0];
    const operator = OPERATOR.exec(rest)?.[0];
    if (char === "'") this.#singleQuotes();
    else if (char === "#" && this.#word === undefined) this.#comment();
    else if (redirect !== undefined && this.#allowsRedirect(redirect)) this.#redirect(redirect);
    else if (operator?.endsWith("(") === true) this.#enter(operator);
    else if (operator !== undefined) this.#operator(operator);
    else if (/\s/.test(char)) this.#blank();
    else this.#take(char, false);
  }

  #blank(): void {
    this.#endWord();
    this.#at += 1;
  }

  /** `2>x` redirects at the start of a word only; in `a2>x` the 2 belongs to the word. */
  #allowsRedirect(mark: string): boolean {
    return this.#word === undefined || !/^\d/.test(mark);
  }

  #arithmetic(): string | undefined {
    ARITHMETIC.lastIndex = this.#at;
    return ARITHMETIC.exec(this.#text)?.[0];
  }

  #enter(mark: string): void {
    if (mark !== "(") this.#append("", true);
    this.#operator(mark);
    this.#open.push({ close: mark === "`" ? "`" : ")", quoted: this.#quoted });
    this.#quoted = false;
  }

  #close(mark: string): void {
    this.#operator(mark);
    this.#quoted = this.#open.pop()?.quoted ?? false;
  }

  #append(text: string, dynamic: boolean): void {
    this.#word = { text: (this.#word?.text ?? "") + text, dynamic: dynamic || this.#word?.dynamic === true };
  }

  #take(text: string, dynamic: boolean): void {
    this.#append(text, dynamic);
    this.#at += text.length;
  }

  #escape(next: string): void {
    this.#append(next, false);
    this.#at += 1 + next.length;
  }

  #toggleQuote(): void {
    this.#quoted = !this.#quoted;
    this.#append("", false);
    this.#at += 1;
  }

  #singleQuotes(): void {
    const end = this.#text.indexOf("'", this.#at + 1);
    const stop = end < 0 ? this.#text.length : end;
    this.#append(this.#text.slice(this.#at + 1, stop), false);
    this.#at = stop + 1;
  }

  #comment(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #redirect(mark: string): void {
    this.#endWord();
    if (!mark.includes("<<")) this.#nextRedirect = mark.includes("<") ? "input" : "output";
    this.#at += mark.length;
  }

  #operator(mark: string): void {
    this.#endCommand();
    this.#operators.push(mark);
    this.#at += mark.length;
  }

  #endWord(): void {
    if (this.#word === undefined) return;
    const redirect = this.#nextRedirect;
    if (redirect === undefined) this.#words.push(this.#word);
    else this.#redirects.push({ ...this.#word, output: redirect === "output" });
    this.#nextRedirect = undefined;
    this.#word = undefined;
  }

  #endCommand(): void {
    this.#endWord();
    if (this.#words.length + this.#redirects.length > 0) {
      this.#commands.push({ words: this.#words, redirects: this.#redirects });
    }
    this.#words = [];
    this.#redirects = [];
    this.#nextRedirect = undefined;
  }
}
