import { type Decision, strictest } from "../core/decision.ts";
import type { AgentArgument } from "../tools/agent-arguments.ts";
import type { AgentTool } from "../tools/agent-tools.ts";
import { embeddedPatches, patchFiles } from "../tools/apply-patch.ts";
import { judgeBinary } from "./binaries.ts";
import { ask, denySentence, type GateContext } from "./context.ts";
import { evaluateAgentText, evaluateExec, evaluateShellText } from "./evaluate-exec.ts";
import { judgeFileWrite } from "./judge-file.ts";

export interface AgentArgumentInput {
  readonly tool: AgentTool;
  readonly role: AgentArgument;
  readonly name: string;
  readonly value: unknown;
  /** A command will run under `exec`. */
  readonly confined: boolean;
}

/** Nothing, Ctrl-C, Ctrl-D. */
const INTERRUPTS = new Set(["", "\u0003", "\u0004"]);
const CARRIER = /^(?:\/(?:usr\/(?:local\/)?)?bin\/)?(?:ba|z|da)?sh$/;

/** The command of a shell tool: text, or, where the tool takes one, a list of words. */
export function judgeShellArgument(input: AgentArgumentInput, context: GateContext): Decision | undefined {
  const { value, tool, name, confined } = input;
  const here: GateContext = confined ? { ...context, kind: "exec" } : context;
  if (typeof value === "string") {
    // What confines the command starts it with bash.
    return (confined ? judgeBinary("bash", here) : undefined) ?? judgeText(value, here);
  }
  const words: readonly unknown[] = Array.isArray(value) && tool.argv === true ? value : [];
  if (words.length === 0 || !words.every((word) => typeof word === "string")) {
    return denySentence("argument", `argument '${name}' must be text`);
  }
  const [program = "", option = "", text = ""] = words;
  // The shell is the tool's own; what it is given counts.
  if (words.length === 3 && CARRIER.test(program) && /^-l?c$/.test(option)) return judgeText(text, here);
  const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  return strictestOf([
    judgePatches(words.join("\n"), here),
    evaluateExec(words, here),
    evaluateAgentText(quoted, here),
  ]);
}

function judgeText(text: string, context: GateContext): Decision | undefined {
  if (text.trim() === "") return denySentence("argument", "the command is empty");
  if (text.includes("\0")) return denySentence("argument", "the command holds a NUL character");
  return strictestOf([
    judgePatches(text, context),
    evaluateShellText(text, context),
    evaluateAgentText(text, context),
  ]);
}

/** The earliest of the strictest. */
function strictestOf(decisions: readonly (Decision | undefined)[]): Decision | undefined {
  return decisions.reduce((a, b) => (a === undefined ? b : b === undefined ? a : strictest(a, b)), undefined);
}

/** `apply_patch <<'EOF'`: the files of the patch. */
function judgePatches(text: string, context: GateContext): Decision | undefined {
  if (!/\bapply_?patch\b/i.test(text)) return undefined;
  let asked: Decision | undefined;
  for (const patch of embeddedPatches(text)) {
    const decision = judgePatch(patch, { ...context, kind: "tool" });
    if (decision?.decision === "deny") return decision;
    asked ??= decision;
  }
  return asked;
}

/** Every file that the patch adds, updates, moves or deletes. */
export function judgePatch(text: string, context: GateContext): Decision | undefined {
  const files = patchFiles(text);
  if (files === undefined) return denySentence("argument", "the patch cannot be read");
  let asked: Decision | undefined;
  for (const { path } of files) {
    const decision = judgeFileWrite(path, context);
    if (decision?.decision === "deny") return decision;
    asked ??= decision;
  }
  return asked;
}

/** Text for a program that runs already: nothing, an interrupt or the end of input; else nobody knows what it does. */
export function judgeTyped(text: string, context: GateContext): Decision | undefined {
  if (INTERRUPTS.has(text)) return undefined;
  const named = evaluateShellText(text, context);
  if (named?.decision === "deny") return named;
  const what = "text typed into a running program";
  return ask({ rule: "builtin:typed", code: "typed", what, reason: "cannot be judged" });
}
