import {
  type AndOr,
  type CompoundList,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  parse,
  type Redirected,
  type Statement,
} from "unbash";
import { runCommand } from "./command.ts";
import { runCase, runFor, runIf, runTest, runWhile } from "./compound.ts";
import { isTooDeep } from "./depth.ts";
import { callFunction, defineFunction, runCoproc } from "./functions.ts";
import { isMarked, MARK } from "./integer-mark.ts";
import { outputJoiner } from "./outputs.ts";
import { runSpec } from "./program.ts";
import { runRedirections } from "./redirect.ts";
import type { Runner } from "./runner.ts";
import { scanArithmetic, scanWord } from "./scan.ts";
import type { NestedText, Outcome, Session, Stdin, Walker } from "./session.ts";
import { runSimple } from "./simple.ts";
import { isStream, showStream } from "./streams.ts";
import { specOf } from "./table.ts";
import type { WordPart } from "./types.ts";
import { hole, known, sourceOf, type Text } from "./value.ts";

const runner: Runner = {
  node: run,
  list: runList,
  script: runScript,
  words: (session, node) => scanWord(session, node, runScript),
};

export const walker: Walker = {
  text: runText,
  call: (session, node, args) => callFunction(session, node, args, runner),
  command: runCommand,
  start: (session, words) => runCommand(session, words, { lookup: "programs", assignments: [] }).out,
  spec: (session, name, argv) => runSpec(session, { name, spec: specOf(name) ?? {} }, argv),
};

/** Parses and walks a text that some command runs. Gives what it prints, as far as that is known. */
function runText(session: Session, nested: NestedText): Text {
  const text = known(nested.text.map((part) => (isInteger(part) ? MARK : part)));
  if (text === undefined) {
    session.problem(`the text that ${nested.context} runs is not known`);
    if (nested.inPlace) session.scope.forgetAll();
    return hole("unknown");
  }
  if (isMarked(text)) session.marked = true;
  const run = (): Text => readScript(session, text);
  return session.within(
    nested.context,
    () => {
      if (nested.inPlace) return run();
      return session.isolated(() => {
        session.scope.dialect = nested.dialect;
        session.scope.positional = nested.positional;
        // Another shell knows neither the functions nor the aliases of this one, and only what was exported.
        session.scope.functions.clear();
        session.scope.aliases.clear();
        return run();
      });
    },
    hole("unknown"),
  );
}

/** Parses a text and walks it. */
export function readScript(session: Session, text: string): Text {
  session.takeText(text.length);
  // The parser takes the end of a line with a backslash for a blank there.
  if (/[<>]\(/.test(text) && /\)(?:\\\n)+[^\s;|&<>()]/.test(text))
    session.problem("words that touch each other");
  if (isTooDeep(text)) {
    session.problem("nested too deep");
    return hole("unknown");
  }
  return runScript(session, parse(text));
}

const isInteger = (part: WordPart): boolean =>
  typeof part !== "string" && "hole" in part && part.hole === "integer";

function runScript(session: Session, script: ParsedScript): Text {
  for (const error of script.errors ?? []) session.problem(`parse error: ${error.message}`);
  return runStatements(session, script.commands);
}

function runStatements(session: Session, statements: readonly Statement[]): Text {
  let out: Text = [];
  session.foresee(statements.length);
  const join = outputJoiner(statements);
  for (const statement of statements) {
    session.step();
    out = join(out, runStatement(session, statement).out);
  }
  return out;
}

/** Runs a list in the current shell; afterwards the scope is what is known whichever way it went. */
function runList(session: Session, list: CompoundList): Outcome {
  let out: Text = [];
  let last: Outcome = { ok: session.scope, fail: session.scope, out };
  session.foresee(list.commands.length);
  const join = outputJoiner(list.commands);
  for (const statement of list.commands) {
    session.step();
    last = runStatement(session, statement);
    out = join(out, last.out);
  }
  return { ok: last.ok, fail: last.fail, out };
}

function runStatement(session: Session, statement: Statement): Outcome {
  if (statement.background === true) {
    const work = (): Text => session.isolated(() => run(session, statement.command)).out;
    const out = session.within("background", work, hole("unknown"));
    return { ok: session.scope, fail: session.scope, out };
  }
  const outcome = run(session, statement.command);
  const { ok, fail, out } = outcome;
  if (isStream(out)) showStream(session, out);
  session.scope = ok;
  if (ok !== fail) {
    session.scope = ok.fork();
    session.scope.join(fail);
  }
  return outcome;
}

const same = (session: Session, out: Text): Outcome => ({ ok: session.scope, fail: session.scope, out });

function run(session: Session, node: PipelineNode | AndOr): Outcome {
  switch (node.type) {
    case "AndOr":
      return runAndOr(session, node);
    case "Pipeline":
      return runPipeline(session, node);
    case "Command":
      return runSimple(session, node, runner);
    case "Redirected":
      return runRedirected(session, node);
    case "Subshell": {
      const out = session.isolated(() => runList(session, node.body).out);
      return same(session, out);
    }
    case "BraceGroup":
      return runList(session, node.body);
    case "If":
      return runIf(session, node, runner);
    case "While":
      return runWhile(session, node, runner);
    case "For":
    case "Select":
    case "ArithmeticFor":
      return runFor(session, node, runner);
    case "Case":
      return runCase(session, node, runner);
    case "TestCommand":
      return runTest(session, node, runner);
    case "ArithmeticCommand":
      if (session.scope.dialect !== "bash") session.problem("`((` means something else in other shells");
      if (node.expression !== undefined) scanArithmetic(session, node.expression, runScript);
      return same(session, []);
    case "Function":
      return defineFunction(session, node);
    case "Coproc":
      return runCoproc(session, node, runner);
  }
}

function runAndOr(session: Session, node: AndOr): Outcome {
  session.foresee(node.commands.length);
  const [first, ...rest] = node.commands;
  if (first === undefined) return same(session, []);
  let { ok, fail, out } = run(session, first);
  const outs: Text[] = [out];
  rest.forEach((command, index) => {
    const and = node.operators[index] === "&&";
    session.scope = (and ? ok : fail).fork();
    const next = run(session, command);
    outs.push(next.out);
    const skipped = (and ? fail : ok).fork();
    skipped.join(and ? next.fail : next.ok);
    [ok, fail] = and ? [next.ok, skipped] : [skipped, next.fail];
    // It may not run, and then nothing of it is printed.
    if (next.out.length > 0) out = hole(sourceOf([...out, ...next.out]) ?? "unknown");
  });
  if (!node.operators.includes("&&")) session.either.set(node, outs);
  return { ok, fail, out };
}

function runPipeline(session: Session, node: Pipeline): Outcome {
  const negated = node.prefixes.filter((prefix) => prefix.type === "Negation").length % 2 === 1;
  const [only] = node.commands;
  if (node.commands.length === 1 && only !== undefined) {
    const { ok, fail, out } = run(session, only);
    return negated ? { ok: fail, fail: ok, out } : { ok, fail, out };
  }
  session.foresee(node.commands.length);
  let input: Stdin = session.stdin;
  let out: Text = [];
  node.commands.forEach((command, index) => {
    const last = index === node.commands.length - 1;
    const before = session.scope;
    session.scope = before.fork();
    session.within(
      "pipeline",
      () => {
        out = session.withStdin(input, () => run(session, command)).out;
      },
      undefined,
    );
    const after = session.scope;
    session.scope = before;
    // zsh, ksh and `lastpipe` run the last command in the shell itself.
    if (last && !after.dead) session.scope.join(after);
    if (!session.scope.written.isSame(after.written))
      for (const [path, content] of after.written) session.scope.written.set(path, content);
    input = { kind: "text", text: out };
  });
  return same(session, out);
}

function runRedirected(session: Session, node: Redirected): Outcome {
  const redirected = runRedirections(session, node.redirects, runner);
  const outcome = session.withStdin(redirected.stdin ?? session.stdin, () => run(session, node.command));
  redirected.wrote(outcome.out);
  return redirected.stdout ? { ...outcome, out: [] } : outcome;
}
