import type { Decision } from "../core/decision.ts";
import { PaldronError } from "../core/errors.ts";
import type { Workspace } from "../core/request.ts";
import { ruleJudge } from "../gate/rules/judge.ts";
import { shellJudge } from "../gate/shell.ts";
import { ownEnvironment } from "../host/own-environment.ts";
import type { LoadedPolicy as ReadPolicy } from "../host/policy-file.ts";
import { findWorkspace } from "../host/workspace.ts";
import type { UnknownTools } from "../policy/types.ts";
import { checkCommand, checkTool } from "./check.ts";
import type { RunExecOptions, ExecResult as RunResult } from "./exec-types.ts";
import { copyJsonObject } from "./json-value.ts";
import {
  abortSignal,
  argumentVector,
  callback,
  copyOptions,
  type Environment,
  environment,
  oneOf,
  optionalString,
} from "./library-options.ts";
import { type LoadedPolicy, policyOf } from "./library-policy.ts";

/** Where and by what a request is judged. */
export interface CommonOptions {
  /** Default: the built-in defaults, which deny secrets, keep the network off and require isolation. */
  readonly policy?: LoadedPolicy | undefined;
  /**
   * The folder that the request may work in. Default: `cwd`. `/`, a home folder and folders above one are refused
   * unless the policy names them.
   */
  readonly workspace?: string | undefined;
  /** Where relative paths start. Default: the current folder. One outside the workspace counts as the workspace. */
  readonly cwd?: string | undefined;
  /** HOME and PATH are read from it; for `exec` an allow-list of it reaches the command. Default `process.env`. */
  readonly env?: Environment | undefined;
}

/** What {@link check} judges: a tool call of an agent, or a command as its argument vector. */
export type CheckRequest =
  | {
      readonly kind: "tool";
      readonly tool: string;
      readonly args?: Readonly<Record<string, unknown>> | undefined;
    }
  | { readonly kind: "exec"; readonly argv: readonly string[] };

export interface CheckOptions extends CommonOptions {
  /** What becomes of a tool that is not known. Default: what the policy says (`unknown_tools`, `ask`). */
  readonly unknownTools?: UnknownTools | undefined;
}

export interface ExecOptions extends CommonOptions {
  /** `ignore` (default): the null device. `inherit`: this process's own. */
  readonly stdin?: "ignore" | "inherit" | undefined;
  /**
   * `capture` (default): only the copies in the result, at most 1 MiB of each stream. `stream`: also relayed to this
   * process's descriptors 1 and 2, as it comes, or after the verdict where the policy has `jev_verdict`.
   */
  readonly output?: "capture" | "stream" | undefined;
  /**
   * Ends the run: SIGTERM, or the signal whose number is the reason of the abort (0: killed at once), then SIGKILL
   * after 1000 ms. The result is `broken` with the reason `cancelled`.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called with each warning as it becomes known, before the command starts where possible. */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /** Asks a person about a decision `ask`; only `true` lets the command run. Default: an `ask` is a deny. */
  readonly confirm?: ((decision: Decision) => Promise<boolean>) | undefined;
}

/** A run with its record. */
export interface ExecResult extends RunResult {
  /** The record of the run (docs/receipt.md): plain JSON, without the content of files or of the output. */
  readonly receipt: Readonly<Record<string, unknown>>;
}

const JUDGES = { shell: shellJudge, rules: ruleJudge };

const COMMON = ["policy", "workspace", "cwd", "env"] as const;
const OF_CHECK = [...COMMON, "unknownTools"] as const;
const OF_EXEC = [...COMMON, "stdin", "output", "signal", "onWarning", "confirm"] as const;

/**
 * Judges a request and runs nothing. An `ask` needs a person's yes; only `allow` means that the request may go on.
 *
 * @throws PaldronError `usage` for a wrong option, `request` for arguments that are no JSON, `workspace` for a folder
 * that cannot be used. An error is never an allow.
 * @example
 * ```ts
 * const decision = check({ kind: "tool", tool: "read_file", args: { path: `${process.cwd()}/.env` } });
 * // { decision: "deny", rule: "builtin:secrets[0]", code: "secret", what: "/srv/project/.env", reason: "secret" }
 * ```
 */
export function check(request: CheckRequest, options?: CheckOptions): Decision {
  const given = copyOptions(options, "the options of check", OF_CHECK);
  const { read, workspace, env } = common(given, () => JUDGED_ENVIRONMENT);
  const { policy } = read;
  const asked = copyOptions(request, "a request", ["kind", "tool", "args", "argv"]);
  if (asked["kind"] === "exec") {
    return checkCommand({ argv: argumentVector(asked["argv"]), policy, workspace, env }, JUDGES);
  }
  const tool = optionalString(asked["tool"], "tool");
  if (asked["kind"] !== "tool" || tool === undefined) {
    throw new PaldronError("usage", 'a request has a kind, "tool" (with `tool`) or "exec" (with `argv`)');
  }
  const { args, unknownTools } = { args: asked["args"], unknownTools: given["unknownTools"] };
  return checkTool(
    {
      tool,
      args: args === undefined ? {} : copyJsonObject(args),
      policy,
      workspace,
      env,
      unknownTools:
        unknownTools === undefined
          ? policy.unknownTools
          : oneOf(unknownTools, "unknownTools", ["ask", "allow", "deny"]),
    },
    JUDGES,
  );
}

/**
 * Judges a command, runs it confined, and judges what it left and printed. `verdict` is `allow`, `deny` or `broken`;
 * a command that was allowed and failed by itself is `allow` with its status in `child`.
 *
 * What is wrong with the run is in the result, not thrown: branch on `verdict` and `reason.code`.
 *
 * @param argv the program and its arguments; no shell is involved.
 * @throws PaldronError (the promise rejects) `usage` for a wrong option, `workspace` for a folder that cannot be used:
 * nothing was judged and nothing ran. What `onWarning` or `confirm` throw comes through as it is.
 * @example
 * ```ts
 * const policy = loadPolicy("policy.toml");
 * const result = await exec(["npm", "test"], { policy, workspace: "/srv/project" });
 * if (result.verdict !== "allow") console.error(result.reason.text);
 * else console.log(result.child?.exit_code, new TextDecoder().decode(result.stdout));
 * ```
 */
export async function exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult> {
  const given = copyOptions(options, "the options of exec", OF_EXEC);
  const { read, workspace, env } = common(given, () => environment(ownEnvironment()));
  const run: RunExecOptions = {
    ...read,
    argv: argumentVector(argv),
    workspace,
    env,
    stdin: oneOf(given["stdin"], "stdin", ["ignore", "inherit"]),
    output: oneOf(given["output"], "output", ["capture", "stream"]),
    signal: abortSignal(given["signal"]),
    onWarning: callback(given["onWarning"], "onWarning"),
    confirm: callback(given["confirm"], "confirm"),
  };
  // Loaded by the first run: a program that only asks `check` does not pay for it.
  const [{ runExec }, { makeReceipt }] = await Promise.all([import("./exec.ts"), import("./receipt.ts")]);
  const result = await runExec(run);
  return { ...result, receipt: makeReceipt(run, result) };
}

/** A judgement reads no more of the environment than this, and a copy of all of it takes longer than the judgement. */
const JUDGED_ENVIRONMENT: Environment = {
  get HOME() {
    return ownEnvironment()["HOME"];
  },
  get PATH() {
    return ownEnvironment()["PATH"];
  },
};

interface Common {
  readonly read: ReadPolicy;
  readonly workspace: Workspace;
  readonly env: Environment;
}

function common(given: Readonly<Record<string, unknown>>, preset: () => Environment): Common {
  const read = policyOf(given["policy"]);
  const env = given["env"] === undefined ? preset() : environment(given["env"]);
  const cwd = optionalString(given["cwd"], "cwd");
  const workspace = findWorkspace({
    cwd,
    // The shell's name for the current folder says nothing about another one.
    pwd: cwd === undefined ? ownEnvironment()["PWD"] : undefined,
    option: optionalString(given["workspace"], "workspace"),
    home: env["HOME"],
    policy: read.policy,
  });
  return { read, workspace, env };
}
