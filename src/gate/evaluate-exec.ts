import type { Decision } from "../core/decision.ts";
import { judgeBinary } from "./binaries.ts";
import type { GateContext } from "./context.ts";
import { judgePath } from "./judge-path.ts";
import { judgeArgv, judgeProgramPath } from "./shell.ts";

/** Judges an argument vector. An empty program name is allowed here: starting it fails. */
export function evaluateExec(argv: readonly string[], context: GateContext): Decision | undefined {
  const name = argv[0] ?? "";
  if (name.trim() === "") return undefined;
  // The program itself need not lie in `allow_paths`, but may be no secret and no way out.
  const anywhere = { ...context, allowed: undefined };
  return (
    judgeBinary(name, context) ?? judgeProgramPath(name, anywhere, judgeProgram) ?? judgeArgv(argv, context)
  );
}

function judgeProgram(name: string, context: GateContext): Decision | undefined {
  const decision = judgePath(name, context);
  // A link to a program outside (a virtual environment's python) is how tools are installed.
  return decision?.code === "outside_workspace" ? undefined : decision;
}
