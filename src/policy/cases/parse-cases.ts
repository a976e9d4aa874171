import type { DecisionKind } from "../../core/decision.ts";
import { PaldronError } from "../../core/errors.ts";
import { printable } from "../../core/printable.ts";
import { isJsonObject, parseStrictJson } from "../../core/strict-json.ts";
import { tableLines } from "../key-lines.ts";
import { firstMistake, type Mistake } from "../mistake.ts";
import { nearest } from "../nearest.ts";
import { checkDecision, checkText, isProblem } from "../rules/fields.ts";
import { parseDocument } from "../toml.ts";

type CaseRequest =
  | { readonly kind: "shell"; readonly command: string }
  | { readonly kind: "exec"; readonly argv: readonly string[] }
  | { readonly kind: "tool"; readonly tool: string; readonly args: Readonly<Record<string, unknown>> };

/** One test of a policy: a request and the decision that it must get. */
export interface PolicyCase {
  readonly name: string | undefined;
  readonly request: CaseRequest;
  readonly decision: DecisionKind;
  /** Id of the rule that must have decided, where that matters. */
  readonly rule: string | undefined;
  readonly path: string;
  readonly line: number | undefined;
}

const KEYS = ["name", "command", "argv", "tool", "args", "decision", "rule"];
const MAX_LINE = 1024 * 1024;

interface Row {
  readonly value: Readonly<Record<string, unknown>>;
  readonly line: number | undefined;
}

/** Reads a file of cases: TOML with `[[case]]` tables, or JSON Lines. A file without any is a mistake. */
export function parseCases(text: string, path: string): readonly PolicyCase[] {
  const isLines = /\.(?:jsonl|ndjson)$/i.test(path) || (!/\.toml$/i.test(path) && /^\s*\{/.test(text));
  const rows = isLines ? jsonRows(text, path) : tomlRows(text, path);
  if (rows.length === 0) throw new PaldronError("policy", `${path}: holds no case`);
  const mistakes: Mistake[] = [];
  const cases = rows.flatMap((row) => {
    const read = readCase(row, path);
    if ("problem" in read) {
      mistakes.push({ line: row.line, message: read.problem });
      return [];
    }
    return [read];
  });
  if (mistakes.length > 0) throw firstMistake(mistakes, path);
  return cases;
}

function jsonRows(text: string, path: string): readonly Row[] {
  return text.split("\n").flatMap((json, index) => {
    if (json.trim() === "") return [];
    try {
      const bytes = new TextEncoder().encode(json);
      const value = parseStrictJson(bytes, { what: "case", maxBytes: MAX_LINE });
      if (isJsonObject(value)) return [{ value, line: index + 1 }];
    } catch (error) {
      if (!(error instanceof PaldronError)) throw error;
      throw new PaldronError("policy", `${path}:${index + 1}: ${error.message}`, { cause: error });
    }
    throw new PaldronError("policy", `${path}:${index + 1}: a case must be one JSON object`);
  });
}

function tomlRows(text: string, path: string): readonly Row[] {
  const document = parseDocument(text, path);
  const other = Object.keys(document).find((key) => key !== "case");
  if (other !== undefined)
    throw new PaldronError("policy", `${path}: key \`${printable(other)}\` is not known`);
  const tables: unknown = document["case"] ?? [];
  if (!Array.isArray(tables) || !tables.every(isTable))
    throw new PaldronError(
      "policy",
      `${path}: key \`case\` must be a list of tables, each under \`[[case]]\``,
    );
  const lines = tableLines(text, "case");
  return tables.map((value, index) => ({ value, line: lines[index]?.line }));
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readCase({ value, line }: Row, path: string): PolicyCase | { readonly problem: string } {
  const unknown = Object.keys(value).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    const near = nearest(unknown, KEYS);
    return {
      problem: `key \`${printable(unknown)}\` is not known${near === undefined ? "" : `; did you mean \`${near}\`?`}`,
    };
  }
  const decision = checkDecision(value["decision"]);
  if (isProblem(decision)) return { problem: `key \`decision\` ${decision.problem}` };
  const request = readRequest(value);
  if (typeof request === "string") return { problem: request };
  for (const key of ["name", "rule"]) {
    const checked = value[key] === undefined ? { value: "" } : checkText(value[key]);
    if (isProblem(checked)) return { problem: `key \`${key}\` ${checked.problem}` };
  }
  const text = (key: string): string | undefined =>
    value[key] === undefined ? undefined : String(value[key]);
  return { name: text("name"), request, decision: decision.value, rule: text("rule"), path, line };
}

function readRequest(value: Row["value"]): CaseRequest | string {
  const { command, argv, tool, args = {} } = value;
  if ([command, argv, tool].filter((one) => one !== undefined).length !== 1)
    return "a case needs one of `command`, `argv` and `tool`";
  if (tool === undefined && value["args"] !== undefined) return "key `args` needs `tool`";
  if (typeof command === "string") return { kind: "shell", command };
  if (Array.isArray(argv) && argv.length > 0 && argv.every((word) => typeof word === "string"))
    return { kind: "exec", argv };
  if (typeof tool === "string" && tool.trim() !== "" && isTable(args))
    return { kind: "tool", tool, args: plain(args) };
  return "`command` and `tool` are text, `argv` is a list of words, `args` a table";
}

/** TOML's whole numbers arrive as bigint; a tool call has numbers. */
function plain(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const convert = (value: unknown): unknown => {
    if (typeof value === "bigint") return Number(value);
    if (Array.isArray(value)) return value.map(convert);
    return isTable(value) ? plain(value) : value;
  };
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, convert(value)]));
}
