import { PaldronError } from "../core/errors.ts";
import type { Workspace } from "../core/request.ts";
import { loadPolicies, type PolicySet } from "../host/policy-file.ts";
import { findWorkspace, workspaceFolder } from "../host/workspace.ts";
import type { Context } from "./context.ts";
import type { ParsedArgs } from "./parse.ts";

/** What a request is judged by, and where. */
export interface Judgement extends PolicySet {
  readonly workspace: Workspace;
}

interface Where {
  readonly pwd: string | undefined;
  readonly option: string | undefined;
  readonly home: string | undefined;
}

function whereOf(parsed: ParsedArgs, env: Context["env"], root?: string): Where {
  return { pwd: env["PWD"], option: parsed.values.get("--workspace") ?? root, home: env["HOME"] };
}

/** The policy that the options and the environment name. A policy in the workspace only tightens one outside it. */
export function policyOf(parsed: ParsedArgs, env: Context["env"], root?: string): PolicySet {
  const environment = env["PALDRON_POLICY"];
  const option = parsed.values.get("--policy");
  // An empty name is a mistake, not none.
  if (option === undefined && environment === "")
    throw new PaldronError("usage", "PALDRON_POLICY is set but empty");
  return loadPolicies({
    option,
    environment: environment === "" ? undefined : environment,
    workspace: () => workspaceFolder(whereOf(parsed, env, root)).root,
  });
}

/**
 * The same with the workspace: the option's, else `root`, else the current folder. Which folder may be one is the
 * user's own policy to say.
 */
export function judgementOf(parsed: ParsedArgs, env: Context["env"], root?: string): Judgement {
  const set = policyOf(parsed, env, root);
  return { ...set, workspace: findWorkspace({ ...whereOf(parsed, env, root), policy: set.own }) };
}
