import type { Decision } from "../core/decision.ts";
import { judgeBinary } from "./binaries.ts";
import { denySentence, type GateContext } from "./context.ts";
import { judgeOwnArguments } from "./judge-own.ts";
import { argvNeedsShell } from "./needs-shell.ts";
import { judgeProgramPath } from "./program-path.ts";

/**
 * Judges an argument vector: the program, its own arguments by its conventions, then whatever it starts. An empty
 * program name is allowed here: starting it fails.
 */
export function evaluateExec(argv: readonly string[], context: GateContext): Decision | undefined {
  const name = argv[0] ?? "";
  if (name.trim() === "") return undefined;
  // The program itself need not lie in `allow_paths`, but may be no secret and no way out.
  const anywhere = { ...context, allowed: [] };
  return (
    judgeBinary(name, context) ??
    judgeProgramPath(name, anywhere) ??
    judgeOwnArguments(argv, context) ??
    judgeStarted(argv, context)
  );
}

function judgeStarted(argv: readonly string[], context: GateContext): Decision | undefined {
  const isNeeded = context.kind === "tool" || argvNeedsShell(argv, context.policy);
  if (!isNeeded) return undefined;
  return context.shell === undefined ? unread() : context.shell.argv(argv, context);
}

/** Judges shell text. */
export function evaluateShellText(text: string, context: GateContext): Decision | undefined {
  return context.shell === undefined ? unread() : context.shell.text(text, context);
}

/** What is asked of a command beyond that where an agent sends it. */
export function evaluateAgentText(text: string, context: GateContext): Decision | undefined {
  return context.shell === undefined ? unread() : context.shell.agent(text, context);
}

function unread(): Decision {
  return denySentence("shell", "the command could not be read");
}
