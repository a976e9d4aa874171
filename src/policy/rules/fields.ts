import type { DecisionKind } from "../../core/decision.ts";
import { printable } from "../../core/printable.ts";
import { globProblem } from "../glob.ts";
import { MAX_PATTERN_LENGTH } from "../glob-parse.ts";
import { ANY_WORD, type RuleAccess, type RuleWord } from "./types.ts";

/** A value that is taken, or what is wrong with it (`must be …`). */
export type Checked<T> = { readonly value: T } | { readonly problem: string };

const MAX_WORDS = 64;
const MAX_LIST = 256;
const MAX_CASES = 1000;
const MAX_TEXT = 4096;

export function isProblem<T>(checked: Checked<T>): checked is { readonly problem: string } {
  return "problem" in checked;
}

function kindOf(value: unknown): string {
  if (typeof value === "string") return `\`${printable(value, 60)}\``;
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a table" : printable(String(value), 60);
}

function textProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return `must hold strings, not ${kindOf(value)}`;
  if (value.length > MAX_TEXT) return `has an entry that is longer than ${MAX_TEXT} characters`;
  return value.includes("\0") ? "has an entry that holds a NUL character" : undefined;
}

export function checkText(value: unknown): Checked<string> {
  if (typeof value !== "string" || value.trim() === "")
    return { problem: `must be text, not ${kindOf(value)}` };
  const problem = textProblem(value);
  if (problem !== undefined) return { problem: problem.replace("has an entry that ", "") };
  return /[\n\r]/.test(value) ? { problem: "must be one line" } : { value };
}

function oneOf<const T extends string>(values: readonly T[]): (value: unknown) => Checked<T> {
  return (value) => {
    const found = values.find((known) => known === value);
    if (found !== undefined) return { value: found };
    return { problem: `must be ${values.map((known) => `"${known}"`).join(" or ")}, not ${kindOf(value)}` };
  };
}

export const checkDecision: (value: unknown) => Checked<DecisionKind> = oneOf(["allow", "ask", "deny"]);
export const checkAccess: (value: unknown) => Checked<RuleAccess> = oneOf(["read", "write"]);

/** The words that a command starts with; a list among them is a choice. */
export function checkCommand(value: unknown): Checked<readonly RuleWord[]> {
  if (!Array.isArray(value)) return { problem: `must be a list of words, not ${kindOf(value)}` };
  if (value.length === 0 || value.length > MAX_WORDS) return { problem: `must have 1 to ${MAX_WORDS} words` };
  const words: RuleWord[] = [];
  for (const entry of value as readonly unknown[]) {
    const choice: readonly unknown[] = Array.isArray(entry) ? entry : [entry];
    if (choice.length === 0 || choice.length > MAX_LIST)
      return { problem: `must have 1 to ${MAX_LIST} alternatives for a word` };
    const problem = choice.map(wordProblem).find((found) => found !== undefined);
    if (problem !== undefined) return { problem };
    words.push(choice as readonly string[]);
  }
  return { value: words };
}

function wordProblem(word: unknown): string | undefined {
  const problem = textProblem(word);
  if (problem !== undefined) return problem;
  if (word === "") return "has an empty word";
  if (word === ANY_WORD || typeof word !== "string" || !/[*?]/.test(word)) return undefined;
  return `has the word \`${printable(word, 60)}\`: words are exact, only "*" alone stands for any word`;
}

/** A pattern or a list of them. */
function checkPatterns(
  value: unknown,
  problemOf: (pattern: string) => string | undefined,
): Checked<readonly string[]> {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (entries.length === 0 || entries.length > MAX_LIST)
    return { problem: `must have 1 to ${MAX_LIST} patterns` };
  for (const entry of entries) {
    const problem = textProblem(entry);
    if (problem !== undefined) return { problem };
    const wrong = problemOf(String(entry));
    if (wrong !== undefined)
      return { problem: `has an entry \`${printable(String(entry), 60)}\` that ${wrong}` };
  }
  return { value: entries as readonly string[] };
}

export function checkPath(value: unknown): Checked<readonly string[]> {
  return checkPatterns(value, (glob) => (glob === "" ? "is empty" : globProblem(glob)));
}

function patternProblem(pattern: string): string | undefined {
  return pattern.length > MAX_PATTERN_LENGTH ? `is longer than ${MAX_PATTERN_LENGTH} characters` : undefined;
}

export function checkTool(value: unknown): Checked<string> {
  const checked = checkText(value);
  if (isProblem(checked)) return checked;
  const problem = patternProblem(checked.value);
  return problem === undefined ? checked : { problem };
}

type Arguments = readonly { readonly key: string; readonly patterns: readonly string[] }[];

/** `{ branch = "main", "options.force" = "true" }`. */
export function checkArguments(value: unknown): Checked<Arguments> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { problem: `must be a table of patterns, not ${kindOf(value)}` };
  const found: { key: string; patterns: readonly string[] }[] = [];
  const entries = flatten(value, "");
  if (entries.length === 0 || entries.length > MAX_LIST)
    return { problem: `must have 1 to ${MAX_LIST} arguments` };
  for (const [key, pattern] of entries) {
    const checked = checkPatterns(asText(pattern), patternProblem);
    if (isProblem(checked)) return { problem: `.${printable(key, 60)} ${checked.problem}` };
    found.push({ key, patterns: checked.value });
  }
  return { value: found };
}

/** Dotted keys of TOML arrive as tables in tables. */
function flatten(value: object, prefix: string): [string, unknown][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? flatten(inner, `${prefix}${key}.`)
      : [[`${prefix}${key}`, inner] satisfies [string, unknown]],
  );
}

/** `force = true` and `depth = 1` say what they look like. */
function asText(pattern: unknown): unknown {
  return ["boolean", "bigint", "number"].includes(typeof pattern) ? String(pattern) : pattern;
}

export function checkCases(value: unknown): Checked<readonly string[]> {
  if (!Array.isArray(value)) return { problem: `must be a list of lines, not ${kindOf(value)}` };
  if (value.length > MAX_CASES) return { problem: `must have at most ${MAX_CASES} lines` };
  const problem = value.map(textProblem).find((found) => found !== undefined);
  return problem === undefined ? { value: value as readonly string[] } : { problem };
}
