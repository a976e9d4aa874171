import type { Decision } from "../core/decision.ts";
import type { Request } from "../core/request.ts";
import type { Policy, UnknownTools } from "../policy/types.ts";
import { agentTool } from "../tools/agent-tools.ts";
import { TOOL_NAMES } from "../tools/contracts.ts";
import { isKnownTool } from "../tools/network.ts";
import { judgeFolder } from "./agent-argument.ts";
import { denySentence, type GateContext, gateContext } from "./context.ts";
import { evaluateAgent } from "./evaluate-agent.ts";
import { evaluateExec } from "./evaluate-exec.ts";
import { evaluateTool } from "./evaluate-tool.ts";
import type { FileView } from "./file-view.ts";
import type { RuleJudge } from "./rule-judge.ts";
import type { ShellJudge } from "./shell-judge.ts";

export interface EvaluateOptions {
  /** Reads shell. A request that `needsShell` is denied without it. */
  readonly shell: ShellJudge | undefined;
  /** Knows the rules. A request under a policy that has rules is denied without it. */
  readonly rules?: RuleJudge | undefined;
  /**
   * What becomes of a tool that is not known, when its arguments are harmless. Default `allow`: a caller that names
   * the tool itself (`check TOOL`) means it.
   */
  readonly unknownTools?: UnknownTools;
  /** The call comes from a coding agent and means the agent's own tools. */
  readonly agent?: boolean;
  /** A shell command of the call will run under `exec`, so that the kernel bounds it. */
  readonly confined?: boolean;
  /** Where the agent says that the call starts; it must lie in the workspace. */
  readonly folder?: string | undefined;
  /** Files that no tool call may write: the policy's own. */
  readonly protectedFiles?: readonly string[];
  /** Paldron's own program, as the disk resolves it. */
  readonly ownFiles?: readonly string[];
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
  const { workspace, kind } = request;
  const { shell, protectedFiles, ownFiles } = options;
  const context = gateContext({ policy, workspace, view, kind, shell, protectedFiles, ownFiles });
  const folder = options.folder === undefined ? context : judgeFolder(options.folder, context, "cwd");
  const isFolder = !("decision" in folder);
  const here = isFolder ? folder : context;
  const without = isFolder ? withoutRules(request, here, options) : folder;
  if (policy.rules.length === 0) return without;
  if (options.rules === undefined) return denySentence("rules", "the rules of the policy could not be read");
  return options.rules.judge(request, without, here);
}

function withoutRules(request: Request, context: GateContext, options: EvaluateOptions): Decision {
  if (request.kind === "exec") return evaluateExec(request.argv, context) ?? allow(request.argv[0] ?? "");
  const { confined = false, unknownTools = "allow" } = options;
  const tool = options.agent === true ? agentTool(request.tool) : undefined;
  if (tool === undefined) return evaluateTool(request, context) ?? unknown(request.tool, unknownTools);
  return evaluateAgent(tool, request, context, { unknown: unknownTools, confined }) ?? allow(request.tool);
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
