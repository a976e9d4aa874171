import type { Decision } from "../core/decision.ts";
import { relativeTo } from "../policy/paths.ts";
import { baseName, judgeBinary } from "./binaries.ts";
import { deny, type GateContext } from "./context.ts";
import { judgeArgument } from "./judge-argument.ts";
import { judgeMention, judgePath } from "./judge-path.ts";
import { seenFromHere } from "./link-target.ts";
import { nestedCommands, ownArguments } from "./nested.ts";
import { argumentKinds } from "./operands.ts";
import { type ShellCommand, type ShellRedirect, splitShell } from "./shell-text.ts";

/** What is looked for: the paths that a command names, or the programs that it would start. */
export type Phase = "paths" | "programs";

interface Step {
  readonly context: GateContext;
  readonly phase: Phase;
  readonly depth: number;
}

const MAX_DEPTH = 8;

/** Words of the shell's grammar; what follows them is a command. */
const KEYWORDS = new Set("if then elif else fi while until do done time ! { } coproc".split(" "));
/** Words after which only names and values follow. */
const HEADS = new Set(["for", "case", "select", "function", "in", "esac"]);
/** Built into every shell: they start no program of their own. */
const BUILTINS = new Set(
  (
    ": [ [[ alias bg break builtin cd command continue declare dirs disown echo eval exec exit export false fg getopts " +
    "hash help history jobs kill let local popd printf pushd pwd read readonly return set shift test times trap true " +
    "type typeset ulimit umask unalias unset wait"
  ).split(" "),
);

/** Judges a command and whatever it starts, as far as its arguments tell. */
export function judgeCommand(
  argv: readonly string[],
  context: GateContext,
  phase: Phase,
): Decision | undefined {
  return command(argv, { context, phase, depth: 0 });
}

/** Judges shell text: first what it names, in order, then the programs that it would start. */
export function judgeShellText(text: string, context: GateContext): Decision | undefined {
  return (
    shellText(text, { context, phase: "paths", depth: 0 }) ??
    shellText(text, { context, phase: "programs", depth: 0 })
  );
}

function command(argv: readonly string[], step: Step): Decision | undefined {
  const [name = "", ...args] = argv;
  const program = baseName(name);
  const own = step.phase === "programs" ? undefined : judgeOwn(program, args, step.context);
  if (own !== undefined) return own;
  const inner = { ...step, depth: step.depth + 1 };
  return first(nestedCommands(program, args), (nested) => {
    if (nested.kind === "shell") return shellText(nested.text, inner);
    return (
      (step.phase === "programs" ? start(nested.argv[0], step.context) : undefined) ??
      command(nested.argv, inner)
    );
  });
}

function start(name: string | undefined, context: GateContext): Decision | undefined {
  return name === undefined ? undefined : judgeBinary(name, context);
}

function judgeOwn(program: string, args: readonly string[], context: GateContext): Decision | undefined {
  const own = seenFromHere(program, ownArguments(program, args));
  const kinds = argumentKinds(program, own);
  return first(own, (arg, index) => {
    const kind = kinds[index];
    return kind === undefined ? undefined : judgeArgument(arg, kind, context);
  });
}

/**
 * Conservative: looks at words, not at meaning. This is the one place where the gate reads shell; an analysis that
 * understands it replaces the body of this function.
 */
function shellText(text: string, step: Step): Decision | undefined {
  const { context, phase, depth } = step;
  if (phase === "programs" && context.policy.allowBinaries.length === 0) return undefined;
  if (depth > MAX_DEPTH) return unreadable(text);
  return first(splitShell(text).commands.map(stripGrammar), (part) =>
    phase === "paths" ? judgeNames(part, step) : judgeStarts(part, step),
  );
}

/** Removes keywords and assignments before the command's name. */
function stripGrammar(part: ShellCommand): ShellCommand {
  const start = part.words.findIndex(
    (word) => !KEYWORDS.has(word.text) && !/^[A-Za-z_]\w*\+?=/.test(word.text),
  );
  return { words: start < 0 ? [] : part.words.slice(start), redirects: part.redirects };
}

function judgeNames(part: ShellCommand, step: Step): Decision | undefined {
  const { context } = step;
  const argv = part.words.map((word) => word.text);
  const [name, ...rest] = argv;
  const words =
    name !== undefined && HEADS.has(name)
      ? first(rest, (word) => judgeArgument(word, "name", context))
      : (judgeProgramPath(name ?? "", context, judgePath) ?? command(argv, step));
  return words ?? first(part.redirects, (target) => judgeTarget(target, context));
}

/** A new file that a command writes is judged by what the run leaves behind; here only where it would lie. */
function judgeTarget(target: ShellRedirect, context: GateContext): Decision | undefined {
  const { text } = target;
  if (target.dynamic || /^(?:\d+-?|-)$/.test(text)) return judgeMention(text, context);
  const decision = judgePath(text, context);
  const isName = decision?.code === "secret" || decision?.code === "deny_glob";
  if (!isName || context.kind !== "exec" || !target.output || exists(text, context)) return decision;
  return judgePath(text, { ...context, secrets: NO_SECRETS });
}

function exists(path: string, context: GateContext): boolean {
  return context.view.lexists(path.startsWith("/") ? path : `${context.workspace.cwd}/${path}`);
}

const NO_SECRETS = { match: () => undefined, matchWord: () => undefined, namePatterns: () => [] };

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

function judgeStarts(part: ShellCommand, step: Step): Decision | undefined {
  const [name] = part.words;
  if (name === undefined || name.text === "" || HEADS.has(name.text)) return undefined;
  if (name.dynamic) return unreadable(name.text);
  const own = BUILTINS.has(name.text) ? undefined : judgeBinary(name.text, step.context);
  return (
    own ??
    command(
      part.words.map((word) => word.text),
      step,
    )
  );
}

function unreadable(text: string): Decision {
  const reason = "the program cannot be told from the text";
  return deny({ rule: "allow_binaries", code: "binary", what: text, reason });
}

function first<T>(
  items: readonly T[],
  judge: (item: T, index: number) => Decision | undefined,
): Decision | undefined {
  for (const [index, item] of items.entries()) {
    const decision = judge(item, index);
    if (decision !== undefined) return decision;
  }
  return undefined;
}
