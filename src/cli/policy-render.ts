import type { LintFinding } from "../app/policy-lint.ts";
import type { Shown, ShownKey, ShownPolicy } from "../app/policy-show.ts";
import type { Rule } from "../policy/rules/types.ts";
import { visible } from "./escape.ts";
import { table } from "./table.ts";

const toml = (value: unknown): string => JSON.stringify(value);
const placeOf = ({ origin }: Rule): string =>
  origin.line === undefined ? origin.path : `${origin.path}:${origin.line}`;

/** The policy as TOML, each value with where it comes from. */
export function showText(shown: ShownPolicy): string {
  const lines = shown.keys.flatMap(keyLines);
  for (const list of shown.alsoAllowPaths) lines.push(`# a path must match one of these too: ${toml(list)}`);
  if (shown.alsoRequire.length > 0) lines.push(`# required too: ${toml(shown.alsoRequire)}`);
  return `${[...lines, ...shown.rules.flatMap(ruleLines)].map(visible).join("\n")}\n`;
}

function keyLines({ key, value }: ShownKey): string[] {
  if (value === undefined) return [`# ${key}: default`];
  if (!isList(value)) return [`${key} = ${toml(value.value)} # ${value.origin}`];
  if (value.length === 0) return [`${key} = []`];
  return [
    `${key} = [`,
    ...table(value.map((entry) => [`  ${toml(entry.value)},`, `# ${entry.origin}`])),
    "]",
  ];
}

function isList(value: Shown | readonly Shown[]): value is readonly Shown[] {
  return Array.isArray(value);
}

function ruleLines(rule: Rule): string[] {
  const { id, decision, reason, command, tool, path, access, args } = rule;
  const words = command?.map((choice) => (choice.length === 1 ? choice[0] : choice));
  const given = Object.entries({ id, command: words, tool, path, access, decision, reason });
  return [
    "",
    `[[rule]] # ${placeOf(rule)}`,
    ...given.flatMap(([key, value]) => (value === undefined ? [] : [`${key} = ${toml(value)}`])),
    ...(args ?? []).map(({ key, patterns }) => `args.${toml(key)} = ${toml(patterns)}`),
  ];
}

export function showJson(shown: ShownPolicy): Readonly<Record<string, unknown>> {
  return {
    keys: Object.fromEntries(
      shown.keys.map(({ key, value }) => [key, value ?? { value: null, origin: "default" }]),
    ),
    also_allow_paths: shown.alsoAllowPaths,
    also_require: shown.alsoRequire,
    rules: shown.rules.map(({ cases, origin, ...rule }) => ({
      ...rule,
      origin: { path: origin.path, line: origin.line ?? null },
    })),
  };
}

export function lintText(findings: readonly LintFinding[]): string {
  if (findings.length === 0) return "nothing found\n";
  const rows = findings.map(({ severity, where, message }) => [severity, where, message]);
  return `${table(rows).map(visible).join("\n")}\n`;
}
