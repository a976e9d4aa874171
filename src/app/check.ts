import type { Decision } from "../core/decision.ts";
import { PaldronError } from "../core/errors.ts";
import type { Workspace } from "../core/request.ts";
import { evaluate } from "../gate/evaluate.ts";
import type { FileView } from "../gate/file-view.ts";
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

/** Judges one tool call; runs nothing. */
export function runCheck(options: RunCheckOptions): { readonly decision: Decision } {
  const { tool, policy, workspace, env } = options;
  const args = options.args ?? parseToolArgs(options.argsText ?? "{}");
  const view = options.view ?? fileView({ env, workspace });
  const unknownTools = options.unknownTools ?? "allow";
  return { decision: evaluate({ kind: "tool", tool, args, workspace }, policy, view, { unknownTools }) };
}

export interface CheckCommandOptions {
  readonly argv: readonly string[];
  readonly policy: Policy;
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Judges a command as `exec` would before it starts it; runs nothing. */
export function runCheckCommand({ argv, policy, workspace, env }: CheckCommandOptions): Decision {
  if ((argv[0] ?? "").trim() === "") throw new PaldronError("usage", "the command is empty");
  return evaluate({ kind: "exec", argv, workspace }, policy, fileView({ env, workspace }));
}
