import { type CaseResult, runPolicyTests } from "../app/policy-tests.ts";
import { PaldronError } from "../core/errors.ts";
import { EXIT } from "../core/exit-codes.ts";
import { printable } from "../core/printable.ts";
import { COMMANDS } from "./commands.ts";
import type { Context } from "./context.ts";
import { visible, visibleJson } from "./escape.ts";
import { parseOrHelp } from "./parse-or-help.ts";
import { judgementOf } from "./policy-option.ts";
import { table } from "./table.ts";
import { usageLine } from "./usage.ts";

export function run(args: readonly string[], context: Context): number {
  const parsed = parseOrHelp(COMMANDS.test, args, context);
  if (parsed === undefined) return EXIT.allow;
  if (parsed.operands.length === 0) throw new PaldronError("usage", usageLine(COMMANDS.test));
  const { policy, workspace } = judgementOf(parsed, context.env);
  const results = runPolicyTests({ files: parsed.operands, policy, workspace, env: context.env });
  const missed = results.filter((result) => !result.ok).length;
  if (parsed.values.has("--json")) context.out(`${visibleJson(jsonOf(results, missed), 2)}\n`);
  else context.out(textOf(results, missed));
  return missed === 0 ? EXIT.allow : EXIT.broken;
}

function textOf(results: readonly CaseResult[], missed: number): string {
  const rows = results.map((result) => [
    result.ok ? "ok" : "MISS",
    where(result),
    printable(result.name, 60),
    result.ok ? result.got : `${result.got}, not ${result.want}`,
    result.rule,
    result.ok ? "" : (result.reason ?? ""),
  ]);
  const sum = `${results.length - missed} of ${results.length} as they must be`;
  return `${[...table(rows), sum].map(visible).join("\n")}\n`;
}

function where({ path, line }: CaseResult): string {
  return line === undefined ? path : `${path}:${line}`;
}

function jsonOf(results: readonly CaseResult[], missed: number): Readonly<Record<string, unknown>> {
  const cases = results.map(({ line, reason, ...rest }) => ({
    ...rest,
    line: line ?? null,
    reason: reason ?? null,
  }));
  return { passed: results.length - missed, missed, cases };
}
