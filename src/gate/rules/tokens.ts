import { type CommandSpec, grammarOf, type Rule as OptionRule } from "../../shell/spec.ts";
import { specOf } from "../../shell/table.ts";
import type { Word } from "../../shell/types.ts";
import { knownStart, literalText } from "./words.ts";

/** What an argument is to its command. */
export interface Token {
  readonly word: Word;
  readonly kind: "option" | "value" | "operand" | "end";
  /** The options that it gives: every letter of a cluster. */
  readonly options: readonly string[];
  /** A long option that no grammar lists, so that it may stand for a longer one. */
  readonly abbreviation?: string | undefined;
  /** It may also be an option or the value of one. */
  readonly unsure: boolean;
}

const NO_SPEC: CommandSpec = {};

/** Sorts the arguments of a command by its option grammar; where that is not known, by their looks. */
export function tokensOf(program: string, args: readonly Word[]): readonly Token[] {
  const reader = new TokenReader(program);
  for (const word of args) reader.take(word);
  return reader.tokens;
}

/** Programs of rustup, whose first word may name a toolchain. */
const TAKES_TOOLCHAIN: ReadonlySet<string> = new Set(["cargo", "rustc", "rustdoc", "rustfmt"]);

class TokenReader {
  readonly tokens: Token[] = [];
  #spec: CommandSpec;
  #hasVerb = false;
  #ended = false;
  /** What the next word is: the value of an option, perhaps one, or neither. */
  #due: "value" | "perhaps" | undefined;
  readonly #takesToolchain: boolean;

  constructor(program: string) {
    this.#takesToolchain = TAKES_TOOLCHAIN.has(program);
    this.#spec = specOf(program) ?? NO_SPEC;
  }

  take(word: Word): void {
    const due = this.#due;
    this.#due = undefined;
    const start = knownStart(word);
    const isToolchain = this.#takesToolchain && this.tokens.length === 0 && start.startsWith("+");
    if (isToolchain) this.#push(word, "option");
    else if (due === "value") this.#push(word, "value");
    else if (!this.#ended && literalText(word) === "--") {
      this.#ended = true;
      this.#push(word, "end");
    } else if (!this.#ended && start.startsWith("-") && literalText(word) !== "-") this.#option(word, start);
    else this.#operand(word, due === "perhaps");
  }

  #push(word: Word, kind: Token["kind"], unsure = false): void {
    this.tokens.push({ word, kind, options: [], unsure });
  }

  #operand(word: Word, maybeValue: boolean): void {
    const mayBeOption = !this.#ended && literalText(word) === undefined && knownStart(word) === "";
    this.#push(word, "operand", maybeValue || mayBeOption);
    const { commands, stop, operands = "" } = this.#spec;
    if (commands !== undefined && !this.#hasVerb) {
      this.#hasVerb = true;
      const verb = literalText(word) ?? "";
      this.#spec = (Object.hasOwn(commands, verb) ? commands[verb] : commands["*"]) ?? NO_SPEC;
    } else if ((stop !== undefined || operands.split(" ").includes("argv")) && !maybeValue)
      this.#ended = true;
  }

  #option(word: Word, start: string): void {
    const isLong = start.startsWith("--") || this.#spec.style === "long";
    const given = isLong ? this.#long(start) : { options: this.#cluster(start) };
    this.tokens.push({ word, kind: "option", unsure: literalText(word) === undefined, ...given });
  }

  #long(start: string): Pick<Token, "options" | "abbreviation"> {
    const equals = start.indexOf("=");
    const name = equals < 0 ? start : start.slice(0, equals);
    const { rules, longs } = grammarOf(this.#spec);
    const exact = rules.get(name);
    const meant = exact ?? rules.get(longs.find((long) => long.startsWith(name)) ?? "");
    if (equals < 0) this.#expect(meant, meant === undefined);
    return { options: [name], abbreviation: exact === undefined && name.length > 2 ? name : undefined };
  }

  /** `-rf`, `-j4`, `-mtext`. Letters behind one that takes a value are its value. */
  #cluster(start: string): readonly string[] {
    const { rules } = grammarOf(this.#spec);
    const options = [start];
    for (let i = 1; i < start.length; i += 1) {
      const name = `-${start[i]}`;
      const rule = rules.get(name);
      options.push(name);
      if (rule?.kind === "value" || rule?.kind === "optional") {
        if (i === start.length - 1) this.#expect(rule, false);
        return options;
      }
      // Without a grammar a long word behind a dash is an option of its own (`-version`) or carries a value.
      if (rule === undefined && start.length > 4) {
        this.#expect(undefined, true);
        return options.slice(0, 2);
      }
      if (i === start.length - 1) this.#expect(rule, rule === undefined);
    }
    return options;
  }

  #expect(rule: OptionRule | undefined, isUnknown: boolean): void {
    if (rule?.kind === "value") this.#due = "value";
    else if (isUnknown) this.#due = "perhaps";
  }
}
