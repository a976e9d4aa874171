import { LIMITS } from "./limits.ts";
import { Session, STOP } from "./session.ts";
import type { Analysis, AnalyzeOptions, Word } from "./types.ts";
import { readScript, walker } from "./walk.ts";

/**
 * Reads shell text and lists what it would do: commands, files, variables, code it hands on. Pure; whatever cannot be
 * known is unknown in the list, and whatever is not understood makes the analysis incomplete.
 */
export function analyze(text: string, options: AnalyzeOptions): Analysis {
  const session = new Session(options, walker);
  return guarded(session, () => {
    checkText(session, text);
    readScript(session, text);
    finish(session);
  });
}

/**
 * The same for a command that was given as an argument vector: no shell reads it, only wrappers in it. A name of a
 * builtin counts as one (`eval`, `command`), so that whoever runs the words through a shell is judged too.
 */
export function analyzeArgv(argv: readonly string[], options: AnalyzeOptions): Analysis {
  const session = new Session(options, walker);
  return guarded(session, () => {
    const words = argv.map((text): Word => ({ kind: "literal", text }));
    session.walker.command(session, words, { lookup: "builtins", assignments: [] });
    finish(session);
  });
}

function guarded(session: Session, work: () => void): Analysis {
  try {
    work();
  } catch (error) {
    // A text that breaks the reader is a text that was not understood.
    if (error !== STOP)
      session.problem(error instanceof RangeError ? "nested too deep" : "the text could not be read");
  }
  const problems = [...session.problems];
  return { effects: session.effects, complete: problems.length === 0, hidden: session.hidden, problems };
}

/** Control characters that hide text from the person who is asked, or that no shell takes. */
function checkText(session: Session, text: string): void {
  if (text.length > LIMITS.text) session.problem("text too long");
  if (text.includes("\0")) session.problem("a NUL character in the text");
  else if (/(?![\t\n\r])\p{Cc}/u.test(text)) session.problem("control characters in the text");
  if (/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text))
    session.problem("characters that turn the direction of the text");
}

/** Traps run at the end too, and functions that nothing here calls may be called by what was not read. */
function finish(session: Session): void {
  session.scope.dead = false;
  for (const [name, count] of session.assigned) if (count > 1) session.scope.forget(name);
  const { dialect } = session.scope;
  for (const text of session.traps) {
    session.isolated(() => session.walker.text(session, { text, context: "trap", dialect, inPlace: true }));
  }
  for (const [node, state] of session.bodies) {
    if (state === "called") continue;
    session.isolated(() => {
      session.scope.forgetAll();
      session.scope.cwds = undefined;
      session.walker.call(session, node, [{ kind: "unknown", source: "unknown", many: true }]);
    });
  }
}
