import type { Decision } from "../core/decision.ts";
import type { ToolRequest } from "../core/request.ts";
import type { UnknownTools } from "../policy/types.ts";
import type { AgentArgument } from "../tools/agent-arguments.ts";
import type { AgentTool } from "../tools/agent-tools.ts";
import { judgeAgentArgument, judgeFolder } from "./agent-argument.ts";
import { denySentence, type GateContext } from "./context.ts";
import { evaluateTool } from "./evaluate-tool.ts";

export interface AgentOptions {
  /** What becomes of an argument that is not known. */
  readonly unknown: UnknownTools;
  /** The command will run under `exec`, so that the kernel bounds it. */
  readonly confined: boolean;
}

/**
 * Judges a tool call of a coding agent by the table of their tools. Allowed is only what is known to the last argument:
 * everything else is judged by its looks and then by what the policy says about unknown tools.
 */
export function evaluateAgent(
  tool: AgentTool,
  request: ToolRequest,
  context: GateContext,
  options: AgentOptions,
): Decision | undefined {
  const shape = shapeProblem(tool, request);
  if (shape !== undefined) return denySentence("argument", shape);
  if (tool.kind === "network" && !context.policy.allowNetwork) {
    return denySentence("network", `tool '${request.tool.trim()}' needs network access (disabled in config)`);
  }
  return judgeArguments(tool, request, context, options);
}

function judgeArguments(
  tool: AgentTool,
  request: ToolRequest,
  context: GateContext,
  options: AgentOptions,
): Decision | undefined {
  const known = Object.entries(request.args).flatMap(([name, value]) => {
    const role = roleOf(tool, name);
    return role === undefined || value === null ? [] : [{ name, role, value }];
  });
  let here = context;
  let asked: Decision | undefined;
  // The folder first: the other paths start there.
  for (const { name, value } of known.filter(({ role }) => role === "folder")) {
    const folder = judgeFolder(value, here, name);
    if ("decision" in folder) return folder;
    here = folder;
  }
  for (const { name, role, value } of known) {
    const decision = judgeAgentArgument({ tool, role, name, value, confined: options.confined }, here);
    if (decision?.decision === "deny") return decision;
    asked ??= decision;
  }
  for (const name of Object.keys(request.args)) {
    if (tool.args === undefined || roleOf(tool, name) !== undefined) continue;
    const decision = judgeUnknown(name, request, here, options);
    if (decision?.decision === "deny") return decision;
    asked ??= decision;
  }
  return asked;
}

function roleOf(tool: AgentTool, name: string): AgentArgument | undefined {
  return tool.args !== undefined && Object.hasOwn(tool.args, name) ? tool.args[name] : undefined;
}

/** An argument that no table knows: by its name and looks, then as an unknown tool. */
function judgeUnknown(
  name: string,
  { tool, args }: ToolRequest,
  context: GateContext,
  options: AgentOptions,
): Decision | undefined {
  const { workspace } = context;
  const one = { kind: "tool", tool: "argument", args: { [name]: args[name] }, workspace } as const;
  const decision = evaluateTool(one, context);
  if (decision !== undefined || options.unknown === "allow") return decision;
  return {
    decision: options.unknown,
    rule: "unknown_tools",
    code: "unknown_tool",
    what: `argument '${name}' of tool '${tool.trim()}'`,
    reason: "unknown argument",
  };
}

/** What is missing, doubled or given in two ways. */
function shapeProblem(tool: AgentTool, { tool: name, args }: ToolRequest): string | undefined {
  const given = (names: readonly string[]): readonly string[] =>
    names.filter((key) => Object.hasOwn(args, key) && args[key] !== null);
  for (const group of tool.oneOf) {
    const found = given(group);
    if (found.length === 0) return `missing required argument '${group[0] ?? ""}' for tool '${name.trim()}'`;
    if (found.length > 1 && tool.kind === "shell") {
      return `arguments '${found[0] ?? ""}' and '${found[1] ?? ""}' for tool '${name.trim()}' say the same thing twice`;
    }
  }
  return undefined;
}
