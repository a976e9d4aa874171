import { roleByName } from "./by-name.ts";
import type { Session } from "./session.ts";
import {
  type CommandSpec,
  type Found,
  type Grammar,
  grammarOf,
  type ParsedCommand,
  RUNS,
  type Rule,
} from "./spec.ts";
import type { Word } from "./types.ts";
import { dropPrefix, isMany, knownPrefix, literal, textOf } from "./value.ts";

/** A word of which nothing is known may also be an option. */
function mayBeOption(word: Word): boolean {
  if (word.kind === "unknown") return word.source === "unknown";
  const first = word.kind === "partial" ? word.parts[0] : undefined;
  return typeof first === "object" && "hole" in first && first.hole === "unknown";
}

/** Cuts the words of a command into options, their values, operands and the command it runs. */
export function parseCommand(spec: CommandSpec, argv: readonly Word[]): ParsedCommand {
  return new Reader(spec, argv).read();
}

class Reader {
  private readonly spec: CommandSpec;
  private readonly grammar: Grammar;
  private readonly argv: readonly Word[];
  private readonly found: Found[] = [];
  private readonly given = new Set<string>();
  private readonly operandWords: Word[] = [];
  private position = 0;
  private ended = false;
  private rest: readonly Word[] | undefined;
  private unsure = false;
  private unlisted: string | undefined;

  constructor(spec: CommandSpec, argv: readonly Word[]) {
    this.spec = spec;
    this.grammar = grammarOf(spec);
    this.argv = argv;
  }

  read(): ParsedCommand {
    while (this.position < this.argv.length && this.rest === undefined) this.word();
    this.placeOperands();
    const { found, rest: argv, given, unsure, unlisted } = this;
    return { found, argv, operands: this.operandWords.length, given, unsure, unlisted };
  }

  private word(): void {
    const word = this.argv[this.position];
    if (word === undefined) return;
    const text = textOf(word);
    const prefix = knownPrefix(word);
    const dashed = !this.ended && prefix.startsWith("-") && text !== "-";
    if (dashed && text === "--") {
      this.position += 1;
      this.ended = true;
      return;
    }
    if (dashed) {
      this.option(word, prefix);
      return;
    }
    if (!this.ended && this.spec.plus !== undefined && prefix.length > 1 && prefix.startsWith("+")) {
      if (!/^\+(?:\d+|[FGg])$/.test(text ?? ""))
        this.found.push({ role: this.spec.plus, word: dropPrefix(word, 1), option: "+" });
      this.position += 1;
      return;
    }
    if (this.spec.style === "cluster" && this.position === 0 && text !== undefined) {
      this.option(literal(`-${text}`), `-${text}`);
      return;
    }
    if (!this.ended && mayBeOption(word)) this.unsure = true;
    this.operand(word);
  }

  private operand(word: Word): void {
    if (this.grammar.wraps && this.isCommandStart(word)) {
      this.rest = this.argv.slice(this.position);
      return;
    }
    if (this.grammar.wraps && isMany(word)) this.unsure = true;
    this.operandWords.push(word);
    this.position += 1;
    // Options of a wrapper end at its first operand, those of an interpreter at its script.
    if (this.grammar.wraps ? !this.grammar.operands.includes("assign") : this.spec.stop !== undefined)
      this.ended = true;
  }

  private isCommandStart(word: Word): boolean {
    const roles = this.grammar.operands;
    const before = roles.indexOf("argv");
    if (roles[0] === "assign") return !/^[^=]+=/.test(knownPrefix(word)) || word.kind === "unknown";
    return this.operandWords.length >= before;
  }

  private option(word: Word, prefix: string): void {
    if (prefix.startsWith("--") || this.spec.style === "long") {
      this.longOption(word, prefix);
      return;
    }
    this.cluster(word, prefix);
  }

  private longOption(word: Word, prefix: string): void {
    this.position += 1;
    const equals = prefix.indexOf("=");
    const name = equals === -1 ? prefix : prefix.slice(0, equals);
    const rule = this.ruleOf(name, equals === -1 && word.kind !== "literal");
    if (rule === undefined) {
      if (this.spec.style === "long" && this.gluedLong(word, prefix)) return;
      this.unknownOption(word, name);
      return;
    }
    this.given.add(rule.name);
    if (equals !== -1) {
      this.add(rule, dropPrefix(word, equals + 1));
      return;
    }
    if (rule.kind !== "value") {
      this.add(rule, undefined);
      return;
    }
    this.add(rule, this.take());
  }

  /** `-O2`, `-Ipath`: a short option with its value, in commands whose long options have one dash. */
  private gluedLong(word: Word, prefix: string): boolean {
    for (let size = Math.min(prefix.length - 1, 12); size >= 2; size -= 1) {
      const rule = this.grammar.rules.get(prefix.slice(0, size));
      if (rule === undefined || rule.kind === "flag" || !rule.name.startsWith("-")) continue;
      this.given.add(rule.name);
      this.add(rule, dropPrefix(word, size));
      return true;
    }
    return false;
  }

  private cluster(word: Word, prefix: string): void {
    this.position += 1;
    if (this.grammar.numeric && /^-\d+[a-z]?$/.test(prefix) && word.kind === "literal") return;
    for (let i = 1; i < prefix.length; i += 1) {
      const rule = this.grammar.rules.get(`-${prefix[i]}`);
      if (rule === undefined) {
        if (i === 1 || this.spec.strict === true || this.grammar.wraps) {
          this.unknownOption(word, `-${prefix[i]}`);
          return;
        }
        continue;
      }
      this.given.add(rule.name);
      const glued = dropPrefix(word, i + 1);
      const isGlued = textOf(glued) !== "";
      if (rule.kind === "flag") this.add(rule, undefined);
      else if (rule.kind === "optional") {
        this.add(rule, isGlued ? glued : undefined);
        return;
      } else {
        this.add(rule, isGlued ? glued : this.take());
        return;
      }
    }
    if (mayBeOption(word)) this.unsure = true;
  }

  private take(): Word | undefined {
    const word = this.argv[this.position];
    this.position += 1;
    if (word !== undefined && isMany(word) && mayBeOption(word)) this.unsure = true;
    return word;
  }

  /** The rule of a long option; an abbreviation stands for the most dangerous one it may be. */
  private ruleOf(name: string, open: boolean): Rule | undefined {
    const exact = this.grammar.rules.get(name);
    if (exact !== undefined && !open) return exact;
    if (!name.startsWith("--") || name.length < 3) return undefined;
    const candidates = this.grammar.longs
      .filter((long) => long.startsWith(name))
      .map((long) => this.grammar.rules.get(long));
    return candidates.find((rule) => rule?.role !== undefined && RUNS.has(rule.role)) ?? candidates[0];
  }

  private unknownOption(word: Word, name: string): void {
    if (this.grammar.numeric && /^-\d/.test(name)) return;
    this.unlisted ??= name;
    // The command of a wrapper cannot be found behind an option that may or may not take a value.
    this.found.push({ role: "file", word, option: undefined });
    const isGlued = knownPrefix(word).startsWith(`${name}=`);
    const value = isGlued ? dropPrefix(word, name.length + 1) : this.argv[this.position];
    const role = value === undefined || name.length < 3 ? undefined : roleByName(name, value);
    if (value !== undefined && role !== undefined) this.found.push({ role, word: value, option: name });
  }

  private add(rule: Rule, word: Word | undefined): void {
    if (rule.role === undefined) return;
    if (rule.role === "argv") {
      // `fd -x cmd…`: the rest, up to a `;`.
      const rest =
        word === undefined ? this.argv.slice(this.position) : [word, ...this.argv.slice(this.position)];
      const end = rest.findIndex((item) => textOf(item) === ";");
      this.rest = end === -1 ? rest : rest.slice(0, end);
      return;
    }
    if (word === undefined && rule.kind !== "flag") return;
    this.found.push({ role: rule.role, word: word ?? literal(""), option: rule.name });
    if (this.grammar.stops.includes(rule.name)) this.ended = true;
  }

  private placeOperands(): void {
    if (this.operandWords.length === 0) return;
    const { plain, assigns, instead } = this.grammar;
    const list = instead.some((name) => this.given.has(name)) ? plain.slice(1) : plain;
    const end = this.operandWords.length - 1;
    const last =
      end > 0 && !this.given.has("-t") && !this.given.has("--target-directory")
        ? this.grammar.last
        : undefined;
    this.operandWords.forEach((word, index) => {
      const listed = assigns ? "assign" : (list[Math.min(index, list.length - 1)] ?? "file");
      const role = index === end ? (last ?? listed) : listed;
      const pair = this.spec.style === "pairs" ? this.pair(word) : undefined;
      this.found.push(pair ?? { role, word, option: undefined });
    });
  }

  private pair(word: Word): Found | undefined {
    const prefix = knownPrefix(word);
    const equals = prefix.indexOf("=");
    const rule = equals === -1 ? undefined : this.grammar.rules.get(prefix.slice(0, equals));
    return rule?.role === undefined
      ? undefined
      : { role: rule.role, word: dropPrefix(word, equals + 1), option: `${rule.name}=` };
  }
}

/** Problems of a parse that hide what a command would run. */
export function checkParse(session: Session, name: string, spec: CommandSpec, parsed: ParsedCommand): void {
  const wraps = (spec.operands ?? "").includes("argv");
  if (parsed.unlisted !== undefined && (spec.strict === true || wraps))
    session.problem(`\`${name} ${parsed.unlisted}\` is not known`);
  if (parsed.unsure && wraps) session.problem(`an argument of \`${name}\` before its command is not known`);
}
