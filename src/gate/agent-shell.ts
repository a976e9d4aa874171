import type { Decision } from "../core/decision.ts";
import type { CommandEffect, Effect, FileEffect } from "../shell/types.ts";
import { analyzed } from "./analyzed.ts";
import { baseName } from "./binaries.ts";
import { deny, type GateContext } from "./context.ts";
import { isInteractive } from "./interactive.ts";
import { judgeProtected } from "./judge-file.ts";
import { judgeOwnCall } from "./own-call.ts";
import { splitShell } from "./shell-text.ts";
import { literalOf } from "./words.ts";

/**
 * What is asked of shell text that an agent sends, beyond what any command is asked: it writes nothing that runs or is
 * obeyed later, leaves no shell or interpreter waiting for text that nobody judges, and starts Paldron only plainly.
 */
export function judgeAgentShell(text: string, context: GateContext): Decision | undefined {
  // Also where the command will have a home of its own, what is written to the caller's is told.
  const { effects } = analyzed(text, { ...context, kind: "tool" });
  let found: ReadonlySet<string> | undefined;
  const bare = (): ReadonlySet<string> => {
    found ??= bareCommands(text);
    return found;
  };
  for (const effect of effects) {
    const decision = judgeEffect(effect, bare, context);
    if (decision !== undefined) return decision;
  }
  return undefined;
}

function judgeEffect(
  effect: Effect,
  bare: () => ReadonlySet<string>,
  context: GateContext,
): Decision | undefined {
  if (effect.kind === "write") return judgeWrite(effect, context);
  if (effect.kind === "opaque" && effect.detail === "a script from standard input") {
    return effect.context.includes("pipeline") ? undefined : waiting(effect.interpreter);
  }
  return effect.kind === "command" ? judgeCommand(effect, bare, context) : undefined;
}

function judgeCommand(
  effect: CommandEffect,
  bare: () => ReadonlySet<string>,
  context: GateContext,
): Decision | undefined {
  const name = literalOf(effect.name);
  if (name === undefined || effect.internal) return undefined;
  const argv = effect.argv.map(literalOf);
  if (
    isInteractive(baseName(name), argv, false) &&
    !effect.context.includes("pipeline") &&
    bare().has(name)
  ) {
    return waiting(baseName(name));
  }
  return judgeOwnCall({ name, argv, assigned: effect.assignments.length > 0 }, context);
}

/** Words of commands that wait for input and get none from the text. */
function bareCommands(text: string): ReadonlySet<string> {
  const heredoc = text.includes("<<");
  const found = new Set<string>();
  for (const { words, redirects } of splitShell(text).commands) {
    if (redirects.some(({ output }) => !output)) continue;
    const argv = words.map((word) => word.text);
    // A heredoc's mark stands as a word behind its command.
    argv.forEach((word, at) => {
      if (isInteractive(baseName(word), argv.slice(at + 1), heredoc)) found.add(word);
    });
  }
  return found;
}

function waiting(program: string): Decision {
  return deny({
    rule: "builtin:interactive",
    code: "interactive",
    what: program,
    reason: "waits for input that cannot be judged; give it a script or a command",
  });
}

/**
 * The kernel keeps a confined command from files that run later, or finds and undoes what it made of them; what could
 * only fail is said before. A command that is not confined was judged for them already.
 */
function judgeWrite(effect: FileEffect, context: GateContext): Decision | undefined {
  const path = literalOf(effect.path);
  const isPath = path !== undefined && path !== "" && !path.startsWith("/dev/") && effect.look !== "mention";
  if (context.kind !== "exec" || !isPath) return undefined;
  const { workspace } = context;
  for (const cwd of effect.cwds ?? [workspace.cwd]) {
    const decision = judgeProtected(path, { ...context, workspace: { ...workspace, cwd } });
    if (decision?.decision === "deny") return decision;
  }
  return undefined;
}
