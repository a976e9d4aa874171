import type { Decision } from "../core/decision.ts";
import type { Request } from "../core/request.ts";
import type { Policy, UnknownTools } from "../policy/types.ts";
import { TOOL_NAMES } from "../tools/contracts.ts";
import { isKnownTool } from "../tools/network.ts";
import { gateContext } from "./context.ts";
import { evaluateExec } from "./evaluate-exec.ts";
import { evaluateTool } from "./evaluate-tool.ts";
import type { FileView } from "./file-view.ts";
import type { ShellJudge } from "./shell-judge.ts";

export interface EvaluateOptions {
  /** Reads shell. A request that `needsShell` is denied without it. */
  readonly shell: ShellJudge | undefined;
  /**
   * What becomes of a tool that is not known, when its arguments are harmless. Default `allow`: a caller that names
   * the tool itself (`check TOOL`) means it.
   */
  readonly unknownTools?: UnknownTools;
}

/**
 * Decides whether a request may run. Pure but for what it asks the view; a view that throws where no answer can be
 * given makes the request a deny, never an allow.
 */
export function evaluate(
  request: Request,
  policy: Policy,
  view: FileView,
  options: EvaluateOptions,
): Decision {
  const { shell } = options;
  const context = gateContext({ policy, workspace: request.workspace, view, kind: request.kind, shell });
  if (request.kind === "exec") {
    return evaluateExec(request.argv, context) ?? allow(request.argv[0] ?? "");
  }
  return evaluateTool(request, context) ?? unknown(request.tool, options.unknownTools ?? "allow");
}

function allow(what: string): Decision {
  return { decision: "allow", rule: "default", code: "default", what };
}

function unknown(tool: string, choice: UnknownTools): Decision {
  if (choice === "allow" || isKnownTool(tool, TOOL_NAMES)) return allow(tool);
  return {
    decision: choice,
    rule: "unknown_tools",
    code: "unknown_tool",
    what: `tool '${tool}'`,
    reason: "unknown tool",
  };
}
