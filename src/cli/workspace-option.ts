import type { Workspace } from "../core/request.ts";
import { findWorkspace } from "../host/workspace.ts";
import type { Policy } from "../policy/types.ts";
import type { Context } from "./context.ts";
import type { ParsedArgs } from "./parse.ts";

/** The folder that was named, or the current one. */
export function workspaceOf(args: ParsedArgs, env: Context["env"], policy: Policy): Workspace {
  return findWorkspace({
    pwd: env["PWD"],
    option: args.values.get("--workspace"),
    home: env["HOME"],
    policy,
  });
}
