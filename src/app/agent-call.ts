import type { Decision } from "../core/decision.ts";
import type { Workspace } from "../core/request.ts";
import type { JsonObject } from "../core/strict-json.ts";
import { evaluate } from "../gate/evaluate.ts";
import { agentNeedsShell } from "../gate/needs-shell.ts";
import { fileView } from "../host/file-view.ts";
import { ownProgram } from "../host/own-program.ts";
import { realPathOf } from "../host/real-path.ts";
import { sourcePaths } from "../policy/source-paths.ts";
import type { Policy, PolicySource } from "../policy/types.ts";
import { loadRules } from "./check.ts";

/** Longer than any call or output that a client sends. */
export const MAX_REQUEST_BYTES = 16 * 1024 * 1024;

export interface AgentCallOptions {
  readonly tool: string;
  readonly args: JsonObject;
  /** Where the agent says that the call starts. */
  readonly folder: string | undefined;
  readonly policy: Policy;
  readonly source: PolicySource;
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A shell command of the call will run under `exec`. */
  readonly confined: boolean;
}

/** Judges the tool call of a coding agent; runs nothing. */
export async function judgeAgentCall(options: AgentCallOptions): Promise<Decision> {
  const { tool, args, folder, policy, source, workspace, env, confined } = options;
  const request = { kind: "tool", tool, args, workspace } as const;
  const shell = agentNeedsShell(request, policy) ? (await import("../gate/shell.ts")).shellJudge : undefined;
  return evaluate(request, policy, fileView({ env, workspace }), {
    shell,
    rules: await loadRules(policy),
    unknownTools: policy.unknownTools,
    agent: true,
    confined,
    folder,
    protectedFiles: sourcePaths(source).map(realPathOf),
    ownFiles: [ownProgram().program],
  });
}
