import type { Request, ToolRequest } from "../core/request.ts";
import type { Policy } from "../policy/types.ts";
import { agentTool } from "../tools/agent-tools.ts";
import { baseName } from "./binaries.ts";
import { runsArguments } from "./nested.ts";
import { toolStrings } from "./tool-strings.ts";

/**
 * Whether a request can only be judged by the shell analysis: it holds shell text or a command of an agent, or runs a
 * command in its arguments, or `allow_binaries` must hold for whatever it starts.
 */
export function needsShell(request: Request, policy: Policy): boolean {
  if (request.kind === "exec") return argvNeedsShell(request.argv, policy);
  for (const { role } of toolStrings(request)) if (role === "command" || role === "argv") return true;
  return false;
}

/** The same for the call of a coding agent, whose own tools are meant. */
export function agentNeedsShell(request: ToolRequest, policy: Policy): boolean {
  const tool = agentTool(request.tool);
  if (tool === undefined) return needsShell(request, policy);
  if (tool.kind === "shell" || tool.kind === "typed") return true;
  const { args } = tool;
  const isPlain =
    args === undefined ||
    Object.keys(request.args).every((name) => Object.hasOwn(args, name) && args[name] !== "edits");
  return !isPlain && needsShell(request, policy);
}

export function argvNeedsShell([name = "", ...args]: readonly string[], policy: Policy): boolean {
  return policy.allowBinaries.length > 0 || runsArguments(baseName(name), args);
}
