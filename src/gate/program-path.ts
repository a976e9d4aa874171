import type { Decision } from "../core/decision.ts";
import { relativeTo } from "../policy/paths.ts";
import type { GateContext } from "./context.ts";

/** A program named by a path inside the workspace is a file that the request names; one elsewhere is only started. */
export function judgeProgramPath(
  name: string,
  context: GateContext,
  judge: (name: string, context: GateContext) => Decision | undefined,
): Decision | undefined {
  if (!name.includes("/")) return undefined;
  const isInside =
    !name.startsWith("/") || context.roots.some((root) => relativeTo(root, name) !== undefined);
  return isInside ? judge(name, context) : undefined;
}
