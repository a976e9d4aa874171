import { type Decision, strictest } from "../core/decision.ts";
import { analyze, analyzeArgv } from "../shell/analyze.ts";
import type {
  Analysis,
  AssignEffect,
  CommandEffect,
  Effect,
  FileEffect,
  NetworkEffect,
  OpaqueEffect,
} from "../shell/types.ts";
import { judgeBinary } from "./binaries.ts";
import { ask, deny, type GateContext } from "./context.ts";
import { judgeArgument } from "./judge-argument.ts";
import { judgeMention, judgePath } from "./judge-path.ts";
import { seenFromHere } from "./link-target.ts";
import { judgeProgramPath } from "./program-path.ts";
import type { ShellJudge } from "./shell-judge.ts";
import { judgeWord, literalOf, shownWord } from "./words.ts";

export const shellJudge: ShellJudge = { text: judgeShellText, argv: judgeArgv };

/** Judges shell text: first what it names, in order, then the programs that it would start. */
function judgeShellText(text: string, context: GateContext): Decision | undefined {
  return judgeAnalysis(analyze(text, options(context)), text, { ...context, inShell: true });
}

/** The first program and its own arguments are judged elsewhere, by what is known of that program. */
function judgeArgv(argv: readonly string[], context: GateContext): Decision | undefined {
  const analysis = analyzeArgv(argv, options(context));
  const effects = analysis.effects.filter((effect) => effect.context.length > 0 || !isOwn(effect));
  return judgeAnalysis({ ...analysis, effects }, argv.join(" "), context);
}

function isOwn(effect: Effect): boolean {
  return effect.kind === "command" || effect.kind === "read" || effect.kind === "write";
}

function options({ workspace, view }: GateContext): { cwd: string; home?: string } {
  return view.home === undefined ? { cwd: workspace.cwd } : { cwd: workspace.cwd, home: view.home };
}

function judgeAnalysis(analysis: Analysis, text: string, context: GateContext): Decision | undefined {
  const links = linkTargets(analysis.effects);
  let worst: Decision | undefined;
  const take = (decision: Decision | undefined): boolean => {
    if (decision !== undefined) worst = worst === undefined ? decision : strictest(worst, decision);
    return worst?.decision === "deny";
  };
  for (const effect of analysis.effects) if (take(judgeNames(effect, links, context))) return worst;
  for (const effect of analysis.effects) if (take(judgeStart(effect, context))) return worst;
  if (!analysis.complete) {
    const reason = analysis.problems[0] ?? "the command could not be read";
    return deny({ rule: "builtin:shell", code: "shell", what: text, reason });
  }
  return worst;
}

/** What an effect names: files, and programs that are files of the workspace. */
function judgeNames(effect: Effect, links: LinkTargets, context: GateContext): Decision | undefined {
  switch (effect.kind) {
    case "command":
      return effect.internal ? undefined : everywhere(effect, context, (here) => judgeProgram(effect, here));
    case "read":
    case "write":
      return everywhere(effect, context, (here) => judgeFile(effect, links, here));
    case "opaque":
      return context.kind === "exec"
        ? undefined
        : first(effect.literals, (text) => judgeArgument(text, "name", context));
    default:
      return undefined;
  }
}

/** In every folder that the effect may happen in. Where that is not known, a relative path is not known either. */
function everywhere(
  effect: Effect,
  context: GateContext,
  judge: (here: GateContext) => Decision | undefined,
): Decision | undefined {
  const { workspace } = context;
  const folders = effect.cwds ?? [workspace.cwd];
  const decision = first(folders, (cwd) => judge({ ...context, workspace: { ...workspace, cwd } }));
  if (decision !== undefined || effect.cwds !== undefined || context.kind === "exec") return decision;
  const word =
    effect.kind === "command"
      ? effect.name
      : effect.kind === "read" || effect.kind === "write"
        ? effect.path
        : undefined;
  if (word === undefined || (effect.kind === "command" && literalOf(word)?.includes("/") === false))
    return undefined;
  if (effect.kind !== "command" && "look" in effect && (effect.look === "name" || effect.look === "mention"))
    return undefined;
  if (literalOf(word)?.startsWith("/") === true) return undefined;
  return ask({
    rule: "builtin:shell",
    code: "shell",
    what: shownWord(word),
    reason: "the folder cannot be known",
  });
}

function judgeProgram(effect: CommandEffect, context: GateContext): Decision | undefined {
  const name = literalOf(effect.name);
  return name === undefined ? undefined : judgeProgramPath(name, context, judgePath);
}

function judgeFile(effect: FileEffect, links: LinkTargets, context: GateContext): Decision | undefined {
  const written = literalOf(effect.path);
  if (written === undefined) return judgeWord(effect.path, effect.look, context);
  const text = (effect.command === "ln" ? links.get(written) : undefined) ?? written;
  if (effect.from === "operand") return judgeArgument(text, effect.look, context);
  return judgeTarget(text, effect.kind, context);
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

const NO_SECRETS = { match: () => undefined, matchWord: () => undefined, namePatterns: () => [] };

type LinkTargets = ReadonlyMap<string, string>;

/** The targets of `ln -s` as they are seen from the working folder. */
function linkTargets(effects: readonly Effect[]): LinkTargets {
  const found = new Map<string, string>();
  for (const effect of effects) {
    if (effect.kind !== "command" || literalOf(effect.name)?.endsWith("ln") !== true) continue;
    const argv = effect.argv.map((word) => literalOf(word) ?? "");
    const seen = seenFromHere("ln", argv);
    argv.forEach((text, index) => {
      const here = seen[index];
      if (here !== undefined && here !== text) found.set(text, here);
    });
  }
  return found;
}

/** What an effect starts. */
function judgeStart(effect: Effect, context: GateContext): Decision | undefined {
  switch (effect.kind) {
    case "command":
      return judgeCommand(effect, context);
    case "assign":
      return judgeAssignment(effect, context);
    case "opaque":
      return context.kind === "exec" ? undefined : judgeOpaque(effect);
    case "network":
      return judgeNetwork(effect, context);
    default:
      return undefined;
  }
}

function judgeOpaque(effect: OpaqueEffect): Decision {
  const reason = `runs code that cannot be judged: ${effect.detail}`;
  return ask({ rule: "builtin:shell", code: "opaque", what: effect.interpreter, reason });
}

function judgeNetwork(effect: NetworkEffect, context: GateContext): Decision | undefined {
  if (context.kind === "exec" || context.policy.allowNetwork) return undefined;
  const reason = "needs network access (disabled in config)";
  return deny({ rule: "builtin:network", code: "network", what: effect.command, reason });
}

function judgeCommand(effect: CommandEffect, context: GateContext): Decision | undefined {
  if (effect.internal) return undefined;
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
  const { workspace } = context;
  return first(effect.cwds ?? [workspace.cwd], (cwd) =>
    judgeBinary(name, { ...context, workspace: { ...workspace, cwd } }),
  );
}

/** Search paths and preloads make a listed name run something else; a command under `exec` is bounded all the same. */
function judgeAssignment(effect: AssignEffect, context: GateContext): Decision | undefined {
  if (effect.risk === "program") return undefined;
  const what = `${effect.name}=${shownWord(effect.value)}`;
  const reason = "changes which code runs";
  if (context.kind !== "exec") return ask({ rule: "builtin:shell", code: "variable", what, reason });
  const isHeld = context.policy.allowBinaries.length > 0 && /^(?:PATH|LD_.*|BASH_ENV|ENV)$/.test(effect.name);
  return isHeld ? deny({ rule: "allow_binaries", code: "binary", what, reason }) : undefined;
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
