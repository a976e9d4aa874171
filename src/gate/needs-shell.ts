import type { Request } from "../core/request.ts";
import type { Policy } from "../policy/types.ts";
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

export function argvNeedsShell([name = "", ...args]: readonly string[], policy: Policy): boolean {
  return policy.allowBinaries.length > 0 || runsArguments(baseName(name), args);
}
