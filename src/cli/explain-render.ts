import type { Trace } from "../app/explain.ts";
import { describe } from "../core/decision.ts";
import type { Request } from "../core/request.ts";
import type { ExplainedEffect } from "../gate/explain.ts";
import { sourcePaths } from "../policy/source-paths.ts";
import type { PolicySource } from "../policy/types.ts";
import { visible } from "./escape.ts";
import { table } from "./table.ts";

function requestText(request: Request): string {
  return request.kind === "exec"
    ? `command ${request.argv.map((word) => JSON.stringify(word)).join(" ")}`
    : `tool ${request.tool} ${JSON.stringify(request.args)}`;
}

function policyText(source: PolicySource): string {
  const paths = sourcePaths(source);
  return paths.length === 0 ? "the built-in defaults" : paths.join(", ");
}

function effectRow(effect: ExplainedEffect, index: number): readonly string[] {
  const { kind, what, context, decision } = effect;
  const way = context.length === 0 ? "" : ` [${context.join(", ")}]`;
  const verdict =
    decision === undefined ? "" : `${decision.decision} by ${decision.rule}: ${describe(decision)}`;
  return [`  ${index + 1}`, kind, `${what}${way}`, verdict];
}

/** The whole trace for people. */
export function explainText(trace: Trace, source: PolicySource): string {
  const { request, decision, deciding, named, texts, rules } = trace;
  const head = table([
    ["request", requestText(request)],
    ["policy", policyText(source)],
    ["workspace", request.workspace.root],
    ["decision", decision.decision],
    ["rule", decision.rule],
    ["because", decision.decision === "allow" ? "nothing is against it" : describe(decision)],
    ["effect", `${deciding.kind}: ${deciding.what}`],
  ]);
  const lines = [...head];
  const section = (title: string, rows: readonly (readonly string[])[]): void => {
    lines.push("", title, ...(rows.length === 0 ? ["  none"] : table(rows)));
  };
  if (request.kind === "tool") section("named by the call:", named.map(effectRow));
  for (const text of texts) {
    section("would do:", text.effects.map(effectRow));
    lines.push(...text.problems.map((problem) => `  not understood: ${problem}`));
  }
  const origin = (path: string, line: number | undefined): string =>
    line === undefined ? path : `${path}:${line}`;
  section(
    "rules of the policy that match:",
    rules.map((rule) => [`  ${rule.id}`, rule.decision, origin(rule.path, rule.line), rule.what]),
  );
  section(
    "what would change the answer:",
    trace.changes.map((change) => [`  ${change}`]),
  );
  return `${lines.map(visible).join("\n")}\n`;
}

function effectJson({ kind, what, context, decision }: ExplainedEffect): Readonly<Record<string, unknown>> {
  const { decision: kindOf, rule, code } = decision ?? {};
  return {
    kind,
    what,
    context,
    decision: kindOf ?? null,
    rule: rule ?? null,
    code: code ?? null,
    reason: decision === undefined ? null : describe(decision),
  };
}

/** The whole trace for programs. */
export function explainJson(trace: Trace, source: PolicySource): Readonly<Record<string, unknown>> {
  const { request, decision, deciding, named, texts, rules, changes } = trace;
  const { kind, workspace, ...asked } = request;
  return {
    request: { kind, ...asked, cwd: workspace.cwd, workspace: workspace.root },
    policy: sourcePaths(source),
    decision: decision.decision,
    rule: decision.rule,
    code: decision.code,
    reason: decision.decision === "allow" ? null : describe(decision),
    effect: deciding,
    named: named.map(effectJson),
    texts: texts.map(({ complete, problems, effects }) => ({
      complete,
      problems,
      effects: effects.map(effectJson),
    })),
    rules: rules.map((rule) => ({ ...rule, line: rule.line ?? null })),
    changes,
  };
}
