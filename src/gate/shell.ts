import { type Decision, strictest } from "../core/decision.ts";
import type {
  Analysis,
  CommandEffect,
  Effect,
  FileEffect,
  NetworkEffect,
  OpaqueEffect,
  Where,
} from "../shell/types.ts";
import { judgeAgentShell } from "./agent-shell.ts";
import { analyzed } from "./analyzed.ts";
import { judgeBareRepository } from "./bare-repository.ts";
import { baseName, judgeBinary } from "./binaries.ts";
import { ask, changed, deny, type GateContext } from "./context.ts";
import { printsContent, startsToolchain } from "./file-effects.ts";
import type { FileView } from "./file-view.ts";
import { judgeArgument, judgeLiteral } from "./judge-argument.ts";
import { judgeAssignment } from "./judge-assignment.ts";
import { judgeProtected } from "./judge-file.ts";
import { judgeMention, judgePath } from "./judge-path.ts";
import { judgeProgramPath } from "./program-path.ts";
import type { ShellJudge } from "./shell-judge.ts";
import { judgeWord, knownFolder, literalOf, shownWord, treeOf } from "./words.ts";

export const shellJudge: ShellJudge = { text: judgeShellText, argv: judgeArgv, agent: judgeAgentShell };

/** Judges shell text: first what it names, in order, then the programs that it would start. */
function judgeShellText(text: string, context: GateContext): Decision | undefined {
  const analysis = analyzed(text, context);
  return judgeAnalysis(analysis, text, changed(context, { inShell: true, hidden: analysis.hidden }));
}

/** The first program and its own arguments were judged by what is known of it; a tool's may also write. */
function judgeArgv(argv: readonly string[], context: GateContext): Decision | undefined {
  const analysis = analyzed(argv, context);
  const isJudged = (effect: Effect): boolean => effect.context.length === 0 && isOwn(effect);
  const effects =
    context.kind === "exec" ? analysis.effects.filter((effect) => !isJudged(effect)) : analysis.effects;
  // What is left of a run's own command line stands in shell text, or is what another program starts.
  const here = changed(context, { hidden: analysis.hidden, inShell: context.kind === "exec" });
  return judgeAnalysis({ ...analysis, effects }, argv.join(" "), here);
}

function isOwn(effect: Effect): boolean {
  return effect.kind === "command" || effect.kind === "read" || effect.kind === "write";
}

function judgeAnalysis(analysis: Analysis, text: string, context: GateContext): Decision | undefined {
  let worst: Decision | undefined;
  const take = (decision: Decision | undefined): boolean => {
    if (decision !== undefined) worst = worst === undefined ? decision : strictest(worst, decision);
    return worst?.decision === "deny";
  };
  for (const effect of analysis.effects) if (take(judgeNames(effect, context))) return worst;
  for (const effect of analysis.effects) if (take(judgeStart(effect, context))) return worst;
  if (!analysis.complete) {
    const reason = analysis.problems[0] ?? "the command could not be read";
    return deny({ rule: "builtin:shell", code: "shell", what: text, reason });
  }
  return worst;
}

/** One effect by itself. */
export function judgeEffect(effect: Effect, context: GateContext): Decision | undefined {
  const named = judgeNames(effect, context);
  const started = judgeStart(effect, context);
  return named !== undefined && started !== undefined ? strictest(named, started) : (named ?? started);
}

/** What an effect names: files, and programs that are files of the workspace. */
function judgeNames(effect: Effect, context: GateContext): Decision | undefined {
  switch (effect.kind) {
    case "command":
      return effect.internal
        ? undefined
        : everywhere(effect, context, (here) => judgeProgram(effect, here, context.workspace.cwd));
    case "read":
    case "write":
      return everywhere(effect, context, (here) => judgeFile(effect, here) ?? judgeLater(effect, here));
    case "opaque":
      return context.kind === "exec"
        ? undefined
        : first(effect.literals, (text) => judgeLiteral(text, effect.reach, context));
    default:
      return undefined;
  }
}

/** In every folder that the effect may happen in. Where that is not known, a relative path is not known either. */
function everywhere(
  effect: CommandEffect | FileEffect,
  context: GateContext,
  judge: (here: GateContext) => Decision | undefined,
): Decision | undefined {
  const decision = inFolders(effect, context, judge);
  if (decision !== undefined || effect.cwds !== undefined || context.kind === "exec") return decision;
  const word = effect.kind === "command" ? effect.name : effect.path;
  const text = literalOf(word);
  if (effect.kind === "command" && text?.includes("/") === false) return undefined;
  if (effect.kind !== "command" && (effect.look === "name" || effect.look === "mention")) return undefined;
  if (text?.startsWith("/") === true) return undefined;
  const reason = "the folder cannot be known";
  return ask({ rule: "builtin:shell", code: "shell", what: shownWord(word), reason });
}

/** Judges in each folder that an effect may happen in: mostly the one that the request starts in. */
function inFolders(
  effect: Where,
  context: GateContext,
  judge: (here: GateContext) => Decision | undefined,
): Decision | undefined {
  const { cwds } = effect;
  if (cwds === undefined || (cwds.length === 1 && cwds[0] === context.workspace.cwd)) return judge(context);
  return first(cwds, (cwd) => judge(inFolder(cwd, context)));
}

/** `..` behind a link to a folder leads where the disk says, so a folder counts as what it is there. */
function inFolder(cwd: string, context: GateContext): GateContext {
  const { workspace, view } = context;
  if (cwd === workspace.cwd) return context;
  const real = tryResolve(cwd, view) ?? cwd;
  return changed(context, { workspace: { root: workspace.root, names: workspace.names, cwd: real } });
}

function tryResolve(path: string, view: FileView): string | undefined {
  try {
    return view.resolve(path);
  } catch {
    return undefined;
  }
}

/** A program, and the folder that it looks around in when nothing else is named. */
function judgeProgram(effect: CommandEffect, context: GateContext, start: string): Decision | undefined {
  const name = literalOf(effect.name);
  const { cwd } = context.workspace;
  const folder =
    context.kind === "exec" || cwd === start ? undefined : judgePath(cwd, { ...context, allowed: [] });
  return folder ?? (name === undefined ? undefined : judgeProgramPath(name, context));
}

function judgeFile(effect: FileEffect, context: GateContext): Decision | undefined {
  const text = literalOf(effect.path);
  if (text !== undefined && startsToolchain(effect, text, context)) return undefined;
  if (text === undefined) {
    const decision = judgeWord(effect.path, effect.look, context);
    const tree = treeOf(effect.path);
    const isHarmless = decision?.decision === "ask" && tree !== undefined && !printsContent(effect, tree);
    return isHarmless ? undefined : decision;
  }
  if (effect.from === "operand") return judgeArgument(text, effect.look, context);
  return judgeTarget(text, effect.kind, context);
}

/** Under `exec` the kernel holds what runs later, and the comparison after the run. */
function judgeLater(effect: FileEffect, context: GateContext): Decision | undefined {
  if (effect.kind !== "write" || context.kind === "exec" || effect.look === "mention") return undefined;
  const text = literalOf(effect.path) ?? knownFolder(effect.path);
  return text === "" || text.startsWith("/dev/") ? undefined : judgeProtected(text, context);
}

/** A new file that a command writes is judged by what the run leaves behind; here only where it would lie. */
function judgeTarget(text: string, kind: "read" | "write", context: GateContext): Decision | undefined {
  if (/^(?:\d+-?|-)$/.test(text)) return judgeMention(text, context);
  const decision = judgePath(text, context);
  const isName = decision?.code === "secret" || decision?.code === "deny_glob";
  if (!isName || context.kind !== "exec" || kind !== "write" || exists(text, context)) return decision;
  return judgePath(text, { ...context, secrets: NO_SECRETS });
}

function exists(path: string, context: GateContext): boolean {
  return context.view.lexists(path.startsWith("/") ? path : `${context.workspace.cwd}/${path}`);
}

const NO_SECRETS = {
  match: () => undefined,
  matchWord: () => undefined,
  namePatterns: () => [],
  sampleNames: () => [],
};

/** What an effect starts. */
function judgeStart(effect: Effect, context: GateContext): Decision | undefined {
  switch (effect.kind) {
    case "command":
      return judgeCommand(effect, context);
    case "assign":
      return judgeAssignment(effect, context);
    case "opaque":
      return context.kind === "exec" ? undefined : judgeOpaque(effect, context);
    case "network":
      return judgeNetwork(effect, context);
    default:
      return undefined;
  }
}

function judgeOpaque(effect: OpaqueEffect, context: GateContext): Decision | undefined {
  if (effect.reach === "known" || (effect.detail === "source" && mayRunScripts(context))) return undefined;
  const reason = `runs code that cannot be judged: ${effect.detail}`;
  return ask({ rule: "builtin:shell", code: "opaque", what: effect.interpreter, reason });
}

/** `source FILE` runs the file as `bash FILE` does. */
function mayRunScripts({ policy }: GateContext): boolean {
  const { allowBinaries } = policy;
  return (
    allowBinaries.length === 0 || ["source", ".", "bash", "sh"].some((name) => allowBinaries.includes(name))
  );
}

function judgeNetwork(effect: NetworkEffect, context: GateContext): Decision | undefined {
  if (context.kind === "exec" || context.policy.allowNetwork) return undefined;
  const reason = "needs network access (disabled in config)";
  return deny({ rule: "builtin:network", code: "network", what: effect.command, reason });
}

function judgeCommand(effect: CommandEffect, context: GateContext): Decision | undefined {
  // What the text itself builds runs by the right of what built it; under `exec` the kernel has the last word.
  if (effect.internal || (effect.made !== undefined && context.kind === "tool")) return undefined;
  const name = literalOf(effect.name);
  if (name === undefined) {
    const reason = "the program cannot be told from the text";
    return deny({
      rule: "allow_binaries",
      code: "binary",
      what: effect.written ?? shownWord(effect.name),
      reason,
    });
  }
  if (name === "") return undefined;
  const isGit = context.kind === "tool" && baseName(name).toLowerCase() === "git";
  if (!isGit && context.policy.allowBinaries.length === 0) return undefined;
  return inFolders(
    effect,
    context,
    (here) => judgeBinary(name, here) ?? (isGit ? judgeBareRepository(effect.argv, here) : undefined),
  );
}

function first<T>(items: readonly T[], judge: (item: T) => Decision | undefined): Decision | undefined {
  let asked: Decision | undefined;
  for (const item of items) {
    const decision = judge(item);
    if (decision?.decision === "deny") return decision;
    asked ??= decision;
  }
  return asked;
}
