import { type Decision, describe } from "../core/decision.ts";
import type { Workspace } from "../core/request.ts";
import { evaluate } from "../gate/evaluate.ts";
import { ruleJudge } from "../gate/rules/judge.ts";
import { shellJudge } from "../gate/shell.ts";
import { fileView } from "../host/file-view.ts";
import { readPolicyFile } from "../host/policy-bytes.ts";
import { type PolicyCase, parseCases } from "../policy/cases/parse-cases.ts";
import type { Policy } from "../policy/types.ts";

export interface PolicyTestOptions {
  readonly files: readonly string[];
  readonly policy: Policy;
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface CaseResult {
  readonly name: string;
  readonly path: string;
  readonly line: number | undefined;
  readonly want: string;
  readonly got: string;
  readonly rule: string;
  readonly reason: string | undefined;
  readonly ok: boolean;
}

/** Judges every case of the files by the policy, as an agent's call or as a command; runs nothing. */
export function runPolicyTests({ files, policy, workspace, env }: PolicyTestOptions): readonly CaseResult[] {
  const cases = files.flatMap((path) => {
    const file = readPolicyFile(path, "test file");
    return parseCases(file.text, file.path);
  });
  const view = fileView({ env, workspace });
  const judges = { shell: shellJudge, rules: ruleJudge };
  return cases.map((one) => {
    const { request } = one;
    const decision =
      request.kind === "exec"
        ? evaluate({ ...request, workspace }, policy, view, judges)
        : evaluate({ ...callOf(request), kind: "tool", workspace }, policy, view, {
            ...judges,
            agent: true,
            unknownTools: policy.unknownTools,
          });
    return resultOf(one, decision);
  });
}

function callOf(request: Exclude<PolicyCase["request"], { kind: "exec" }>): {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
} {
  return request.kind === "shell" ? { tool: "Bash", args: { command: request.command } } : request;
}

function resultOf(one: PolicyCase, decision: Decision): CaseResult {
  const isRule = one.rule === undefined || one.rule === decision.rule;
  return {
    name: one.name ?? nameOf(one.request),
    path: one.path,
    line: one.line,
    want: one.rule === undefined ? one.decision : `${one.decision} by ${one.rule}`,
    got: decision.decision,
    rule: decision.rule,
    reason: decision.decision === "allow" ? undefined : describe(decision),
    ok: decision.decision === one.decision && isRule,
  };
}

function nameOf(request: PolicyCase["request"]): string {
  if (request.kind === "shell") return request.command;
  return request.kind === "exec" ? request.argv.join(" ") : `${request.tool} ${JSON.stringify(request.args)}`;
}
