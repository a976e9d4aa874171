import type { Decision } from "../core/decision.ts";
import type { Request, Workspace } from "../core/request.ts";
import { gateContext } from "../gate/context.ts";
import { evaluate } from "../gate/evaluate.ts";
import { type Explanation, explain } from "../gate/explain.ts";
import { ruleJudge } from "../gate/rules/judge.ts";
import { shellJudge } from "../gate/shell.ts";
import { fileView } from "../host/file-view.ts";
import { realPathOf } from "../host/real-path.ts";
import { sourcePaths } from "../policy/source-paths.ts";
import type { Policy, PolicySource } from "../policy/types.ts";
import { judgeAgentCall } from "./agent-call.ts";
import { type AgentCall, decodeCall } from "./check-stdin.ts";
import { changes } from "./explain-changes.ts";
import { parseToolArgs } from "./tool-args.ts";

/** A request in one of the forms that `check` and `exec` take. */
export type Explained =
  | { readonly form: "tool"; readonly tool: string; readonly argsText: string | undefined }
  | { readonly form: "exec"; readonly argv: readonly string[] }
  | { readonly form: "stdin"; readonly bytes: Uint8Array };

export interface ExplainOptions {
  readonly request: Explained;
  readonly policy: Policy;
  readonly source: PolicySource;
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Trace extends Explanation {
  readonly request: Request;
  readonly decision: Decision;
  /** What would change the answer, one line each. */
  readonly changes: readonly string[];
}

/** Judges a request as `check` or `exec` would, and says what was seen on the way; runs nothing. */
export async function runExplain(options: ExplainOptions): Promise<Trace> {
  const { policy, source, workspace, env } = options;
  const view = fileView({ env, workspace });
  const { request, call } = requestOf(options.request, workspace);
  const decision =
    call === undefined
      ? evaluate(request, policy, view, { shell: shellJudge, rules: ruleJudge })
      : await judgeAgentCall({ ...call, policy, source, workspace, env, confined: false });
  const here = call?.folder === undefined ? workspace : { ...workspace, cwd: call.folder };
  const protectedFiles = sourcePaths(source).map(realPathOf);
  const input = { policy, workspace: here, view, kind: request.kind, shell: shellJudge, protectedFiles };
  const seen = explain(request, decision, gateContext(input));
  return { request, decision, ...seen, changes: changes(decision, policy) };
}

interface Asked {
  readonly request: Request;
  /** Where an agent made it. */
  readonly call?: AgentCall;
}

function requestOf(asked: Explained, workspace: Workspace): Asked {
  if (asked.form === "exec") return { request: { kind: "exec", argv: asked.argv, workspace } };
  if (asked.form === "tool") {
    const args = parseToolArgs(asked.argsText ?? "{}");
    return { request: { kind: "tool", tool: asked.tool, args, workspace } };
  }
  const call = decodeCall(asked.bytes);
  return { request: { kind: "tool", tool: call.tool, args: call.args, workspace }, call };
}
