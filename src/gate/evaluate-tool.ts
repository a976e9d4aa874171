import type { Decision } from "../core/decision.ts";
import type { ToolRequest } from "../core/request.ts";
import { contractProblem, type ToolContract, toolContract } from "../tools/contracts.ts";
import { networkProblem, toolKey } from "../tools/network.ts";
import { denySentence, type GateContext } from "./context.ts";
import { evaluateExec, evaluateShellText } from "./evaluate-exec.ts";
import { judgeArgument } from "./judge-argument.ts";
import { judgeMention, judgePath } from "./judge-path.ts";
import { splitShell } from "./shell-text.ts";
import { type StringArgument, toolStrings } from "./tool-strings.ts";

type Arguments = ToolRequest["args"];

/** Judges a tool call: the network, the tool's contract, its own rules, then every argument at every depth. */
export function evaluateTool(request: ToolRequest, context: GateContext): Decision | undefined {
  const { tool, args } = request;
  const offline = context.policy.allowNetwork ? undefined : networkProblem(tool, args);
  if (offline !== undefined) return denySentence("network", offline);
  const contract = toolContract(tool);
  if (contract !== undefined) {
    const problem = contractProblem(contract, args) ?? ruleProblem(contract, args);
    if (problem !== undefined) return denySentence("argument", problem);
  }
  const odd = toolKey(tool) === "git_ops" ? gitProblem(args) : undefined;
  if (odd !== undefined) return denySentence("argument", odd);
  let asked: Decision | undefined;
  for (const argument of toolStrings(request)) {
    const decision = judgeString(argument, context);
    if (decision?.decision === "deny") return named(decision, argument);
    if (decision !== undefined) asked ??= named(decision, argument);
  }
  return asked;
}

function judgeString(argument: StringArgument, context: GateContext): Decision | undefined {
  const { value } = argument;
  switch (argument.role) {
    case "content":
      return undefined;
    case "key":
      return judgeMention(value, context);
    case "command":
      return evaluateShellText(value, context);
    case "argv":
      return evaluateExec(argument.argv ?? [value], context);
    case "path":
    case "folder":
      if (value.trim() === "") return undefined;
      return judgePath(value, context) ?? judgeMention(value.replaceAll("\\", "/"), context);
    case "unknown":
      return judgeArgument(value, "plain", context);
  }
}

/** A value that climbs or names the system is shown with the argument that holds it. */
function named(decision: Decision, argument: StringArgument): Decision {
  const plain = argument.value.trim().toLowerCase();
  const climbs = ["../", "~/.ssh", "/etc/"].some((part) => plain.includes(part));
  return climbs ? { ...decision, what: `argument '${argument.key}': ${decision.what}` } : decision;
}

function ruleProblem(contract: ToolContract, args: Arguments): string | undefined {
  if (contract.name === "execute_code") return commandProblem(text(args["command"]), text(args["dir"]));
  const path = text(args["path"]);
  if (contract.absolute && path !== "" && !path.startsWith("/")) {
    return `tool '${contract.name}' requires an absolute path`;
  }
  return undefined;
}

/** In the order in which they are reported. */
const FORBIDDEN = ["&&", "||", ";", "|", "$(", "`", "&", "\n", "<(", ">(", "(", ")"];

function commandProblem(command: string, dir: string): string | undefined {
  if (command.trim() === "") return "execute_code requires a non-empty command";
  if (!dir.startsWith("/")) return "execute_code requires an absolute working directory";
  const { operators } = splitShell(command.trim());
  const found = FORBIDDEN.find((mark) => operators.includes(mark)) ?? operators[0];
  if (found === undefined) return undefined;
  return `execute_code command contains unsafe shell operator '${found.replace("\n", "\\n")}'`;
}

function gitProblem(args: Arguments): string | undefined {
  for (const name of ["action", "cwd"]) {
    if (Object.hasOwn(args, name) && typeof args[name] !== "string") {
      return `argument '${name}' for tool 'git_ops' must be a string`;
    }
  }
  const cwd = text(args["cwd"]);
  return cwd !== "" && !cwd.startsWith("/") ? "git_ops requires an absolute cwd" : undefined;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
