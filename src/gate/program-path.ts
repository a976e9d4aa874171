import type { Decision } from "../core/decision.ts";
import { relativeTo } from "../policy/paths.ts";
import type { GateContext } from "./context.ts";
import { judgePath } from "./judge-path.ts";
import { locate } from "./location.ts";

/**
 * Judges a name in command position. A program named by a path inside the workspace is a file that the request names;
 * one elsewhere is only started.
 */
export function judgeProgramPath(name: string, context: GateContext): Decision | undefined {
  if (!name.includes("/")) return undefined;
  const isInside =
    !name.startsWith("/") || context.roots.some((root) => relativeTo(root, name) !== undefined);
  if (!isInside) return undefined;
  const decision = judgePath(name, context);
  // A link to a program outside (a virtual environment's python) is how tools are installed.
  const isLinked = decision?.code === "outside_workspace" && locate(name, context).inside;
  return isLinked ? undefined : decision;
}
