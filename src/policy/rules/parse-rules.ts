import { printable } from "../../core/printable.ts";
import { itemLines, tableLines } from "../key-lines.ts";
import type { Mistake } from "../mistake.ts";
import { nearest } from "../nearest.ts";
import {
  type Checked,
  checkAccess,
  checkArguments,
  checkCases,
  checkCommand,
  checkDecision,
  checkPath,
  checkText,
  checkTool,
  isProblem,
} from "./fields.ts";
import type { Rule, RuleCase } from "./types.ts";

/** The keys of a `[[rule]]`, in the order of docs/rules.md. */
export const RULE_KEYS = [
  "id",
  "command",
  "tool",
  "path",
  "access",
  "args",
  "decision",
  "reason",
  "match",
  "not_match",
] as const;

const MAX_RULES = 1000;

export interface RulesInput {
  /** The value under `rule`. */
  readonly value: unknown;
  /** The text it stands in, for the lines. */
  readonly text: string;
  readonly path: string;
  /** Stands before the ids of rules that name none; empty for the policy itself. */
  readonly prefix: string;
  /** The line of the key `rule`, where the rules are written in place. */
  readonly line: number | undefined;
}

/** The rules of a policy file, and what is wrong with them. */
export function parseRules(input: RulesInput): {
  readonly rules: readonly Rule[];
  readonly mistakes: readonly Mistake[];
} {
  const { value, line } = input;
  if (!Array.isArray(value)) {
    const message = "key `rule` must be a list of tables, each under `[[rule]]`";
    return { rules: [], mistakes: [{ line, message }] };
  }
  if (value.length > MAX_RULES)
    return { rules: [], mistakes: [{ line, message: `key \`rule\` must have at most ${MAX_RULES} tables` }] };
  const lines = tableLines(input.text, "rule");
  const rules: Rule[] = [];
  const mistakes: Mistake[] = [];
  for (const [index, table] of (value as readonly unknown[]).entries()) {
    const at = lines[index] ?? { line, keys: {} };
    const reader = new RuleReader({ input, index, table, at });
    const rule = reader.read();
    if (rule !== undefined) rules.push(rule);
    mistakes.push(...reader.mistakes);
  }
  return { rules, mistakes: [...mistakes, ...repeatedIds(rules)] };
}

function repeatedIds(rules: readonly Rule[]): Mistake[] {
  const seen = new Set<string>();
  return rules.flatMap((rule) => {
    if (!seen.has(rule.id)) {
      seen.add(rule.id);
      return [];
    }
    const line = rule.origin.keys["id"] ?? rule.origin.line;
    return [{ line, message: `rule id \`${printable(rule.id)}\` is used twice` }];
  });
}

interface ReaderInput {
  readonly input: RulesInput;
  readonly index: number;
  readonly table: unknown;
  readonly at: { readonly line: number | undefined; readonly keys: Readonly<Record<string, number>> };
}

/** Reads one table and notes everything that is wrong with it. */
class RuleReader {
  readonly mistakes: Mistake[] = [];
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #name: string;
  readonly #source: ReaderInput;

  constructor(source: ReaderInput) {
    this.#source = source;
    const { table, index } = source;
    this.#name = `rule[${index}]`;
    const isTable = typeof table === "object" && table !== null && !Array.isArray(table);
    this.#given = isTable ? (table as Record<string, unknown>) : Object.create(null);
    if (!isTable) this.#wrong("rule", "must be a table");
  }

  read(): Rule | undefined {
    for (const key of Object.keys(this.#given)) this.#checkKey(key);
    const { at, input } = this.#source;
    const id = this.#take("id", checkText);
    const rule: Rule = {
      id: id ?? `${input.prefix}${this.#name}`,
      decision: this.#take("decision", checkDecision) ?? "deny",
      reason: this.#take("reason", checkText),
      command: this.#take("command", checkCommand),
      tool: this.#take("tool", checkTool),
      path: this.#take("path", checkPath),
      access: this.#take("access", checkAccess),
      args: this.#take("args", checkArguments),
      cases: [...this.#cases("match", true), ...this.#cases("not_match", false)],
      origin: { path: input.path, line: at.line, keys: at.keys },
    };
    this.#checkWhole();
    return this.mistakes.length === 0 ? rule : undefined;
  }

  #wrong(key: string, message: string): void {
    const { keys } = this.#source.at;
    const line = (Object.hasOwn(keys, key) ? keys[key] : undefined) ?? this.#source.at.line;
    this.mistakes.push({ line, message: `${this.#name}: key \`${printable(key)}\` ${message}` });
  }

  #checkKey(key: string): void {
    if ((RULE_KEYS as readonly string[]).includes(key)) return;
    const near = nearest(key, RULE_KEYS);
    this.#wrong(key, `is not known${near === undefined ? "" : `; did you mean \`${near}\`?`}`);
  }

  #take<T>(key: (typeof RULE_KEYS)[number], check: (value: unknown) => Checked<T>): T | undefined {
    if (!Object.hasOwn(this.#given, key)) return undefined;
    const checked = check(this.#given[key]);
    if (!isProblem(checked)) return checked.value;
    this.#wrong(key, checked.problem);
    return undefined;
  }

  #cases(key: "match" | "not_match", matches: boolean): RuleCase[] {
    const { at, input } = this.#source;
    const line = at.keys[key];
    const lines = line === undefined ? [] : itemLines(input.text, line);
    return (this.#take(key, checkCases) ?? []).map((text, index) => ({
      text,
      matches,
      line: lines[index] ?? line ?? at.line,
    }));
  }

  /** What one key alone cannot tell. */
  #checkWhole(): void {
    const has = (key: string): boolean => Object.hasOwn(this.#given, key);
    if (!has("decision")) this.#wrong("decision", 'is missing: "allow", "ask" or "deny"');
    const others = ["tool", "path", "args"].filter(has);
    if (!has("command") && others.length === 0)
      this.#wrong("rule", "says nothing to match: `command`, `tool`, `path` or `args`");
    if (has("command") && others[0] !== undefined)
      this.#wrong(others[0], "cannot stand beside `command`: write two rules");
    if (has("access") && !has("path")) this.#wrong("access", "needs `path`");
  }
}
