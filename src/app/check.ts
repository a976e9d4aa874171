import type { Decision } from "../core/decision.ts";
import { PaldronError } from "../core/errors.ts";
import type { Request, Workspace } from "../core/request.ts";
import { evaluate } from "../gate/evaluate.ts";
import type { FileView } from "../gate/file-view.ts";
import { needsShell } from "../gate/needs-shell.ts";
import type { RuleJudge } from "../gate/rule-judge.ts";
import type { ShellJudge } from "../gate/shell-judge.ts";
import { fileView } from "../host/file-view.ts";
import type { Policy, UnknownTools } from "../policy/types.ts";
import { parseToolArgs } from "./tool-args.ts";

export interface RunCheckOptions {
  readonly tool: string;
  /** The arguments as JSON text; `{}` when neither this nor `args` is given. */
  readonly argsText?: string | undefined;
  /** The arguments, already read. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly policy: Policy;
  readonly workspace: Workspace;
  /** The caller's environment: HOME and PATH are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The disk as the gate sees it; the real one by default. */
  readonly view?: FileView | undefined;
  /** What becomes of a tool that is not known. Default `allow`: the caller named it. */
  readonly unknownTools?: UnknownTools | undefined;
}

export interface CheckCommandOptions {
  readonly argv: readonly string[];
  readonly policy: Policy;
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Judges one tool call; runs nothing. */
export async function runCheck(options: RunCheckOptions): Promise<{ readonly decision: Decision }> {
  const request = toolRequest(options);
  return { decision: judgeTool(request, options, await loadJudges(request, options.policy)) };
}

/** Judges a command as `exec` would before it starts it; runs nothing. */
export async function runCheckCommand(options: CheckCommandOptions): Promise<Decision> {
  const request = execRequest(options);
  return judgeExec(request, options, await loadJudges(request, options.policy));
}

/** As `runCheck`, at once, for a process that has all of the gate loaded anyway. */
export function checkTool(options: RunCheckOptions, judges: Judges): Decision {
  return judgeTool(toolRequest(options), options, judges);
}

/** As `runCheckCommand`, at once. */
export function checkCommand(options: CheckCommandOptions, judges: Judges): Decision {
  return judgeExec(execRequest(options), options, judges);
}

/** The parts of the gate that are large and often not needed. */
interface Judges {
  readonly shell: ShellJudge | undefined;
  readonly rules: RuleJudge | undefined;
}

/** The shell analysis is most of the gate's code; a start that does not need it does not read it. */
async function loadJudges(request: Request, policy: Policy): Promise<Judges> {
  const shell = needsShell(request, policy) ? (await import("../gate/shell.ts")).shellJudge : undefined;
  return { shell, rules: await loadRules(policy) };
}

/** The same for what knows the rules, where the policy has some. */
export async function loadRules(policy: Policy): Promise<RuleJudge | undefined> {
  return policy.rules.length > 0 ? (await import("../gate/rules/judge.ts")).ruleJudge : undefined;
}

function toolRequest({ tool, args, argsText, workspace }: RunCheckOptions): Request {
  return { kind: "tool", tool, args: args ?? parseToolArgs(argsText ?? "{}"), workspace };
}

function execRequest({ argv, workspace }: CheckCommandOptions): Request {
  if ((argv[0] ?? "").trim() === "") throw new PaldronError("usage", "the command is empty");
  return { kind: "exec", argv, workspace };
}

function judgeTool(request: Request, options: RunCheckOptions, judges: Judges): Decision {
  const { policy, workspace, env } = options;
  const view = options.view ?? fileView({ env, workspace });
  const unknownTools = options.unknownTools ?? "allow";
  return evaluate(request, policy, view, { unknownTools, shell: judges.shell, rules: judges.rules });
}

function judgeExec(request: Request, options: CheckCommandOptions, judges: Judges): Decision {
  const { policy, workspace, env } = options;
  return evaluate(request, policy, fileView({ env, workspace }), judges);
}
