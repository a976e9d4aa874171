import type {
  ArithmeticFor,
  Case,
  CompoundList,
  For,
  If,
  Select,
  SyntaxNode,
  TestCommand,
  TestExpression,
  While,
  Word as WordNode,
} from "unbash";
import { checkSubscript, checkText } from "./arithmetic.ts";
import { changesIn } from "./assigned.ts";
import { NO_CHOICE } from "./choices.ts";
import { expandFields, expandText } from "./expand.ts";
import { LIMITS } from "./limits.ts";
import type { Runner } from "./runner.ts";
import { scanArithmetic } from "./scan.ts";
import type { Scope } from "./scope.ts";
import type { Outcome, Session } from "./session.ts";
import { checkAdjacent } from "./simple.ts";
import { hole, isMany, known, partsOf, sourceOf, type Text, unionTexts, wordOf } from "./value.ts";
import { emitAssignment } from "./variables.ts";

const after = (scope: Scope, out: Text): Outcome => ({ ok: scope, fail: scope, out });

function joined(scopes: readonly Scope[]): Scope {
  const [first, ...rest] = scopes;
  if (first === undefined) throw new Error("nothing to join");
  const scope = first.fork();
  for (const other of rest) scope.join(other);
  return scope;
}

const merge = (outs: readonly Text[]): Text => {
  const holes = outs.filter((out) => out.length > 0);
  if (holes.length <= 1) return holes[0] === undefined ? [] : hole(sourceOf(holes[0]) ?? "unknown");
  return hole(sourceOf(holes.flat()) ?? "unknown");
};

export function runIf(session: Session, node: If, runner: Runner): Outcome {
  const ends: Scope[] = [];
  const outs: Text[] = [];
  const branch = (list: CompoundList, from: Scope): void => {
    session.scope = from.fork();
    outs.push(runner.list(session, list).out);
    ends.push(session.scope);
  };
  let from = condition(session, node.clause, runner, outs);
  branch(node.then, from.ok);
  for (const elif of node.elif) {
    session.scope = from.fail.fork();
    from = condition(session, elif.clause, runner, outs);
    branch(elif.then, from.ok);
  }
  if (node.else === undefined) ends.push(from.fail);
  else branch(node.else, from.fail);
  session.scope = joined(ends);
  return after(session.scope, merge(outs));
}

function condition(session: Session, list: CompoundList, runner: Runner, outs: Text[]): Outcome {
  const outcome = runner.list(session, list);
  outs.push(outcome.out);
  return outcome;
}

/** Makes everything unknown that a loop may change, so that one reading of its body stands for all rounds. */
function enterLoop(session: Session, node: SyntaxNode): Scope {
  const before = session.scope.fork();
  const changes = changesIn(node, session.scope.functions);
  if (changes.all) session.scope.forgetAll();
  // What one round declares, the next one assigns.
  for (const name of changes.integers) session.integers.add(name);
  for (const [name, kind] of changes.names) {
    const old = session.scope.get(name)?.values ?? [hole("inherited")];
    const values = kind === "integer" ? unionTexts(old, [hole("integer")]) : undefined;
    session.scope.set(name, { values: values ?? [hole("unknown")] });
  }
  if (changes.folder) session.scope.cwds = undefined;
  session.exits.push([]);
  return before;
}

function leaveLoop(session: Session, before: Scope, outs: readonly Text[]): Outcome {
  const exits = session.exits.pop() ?? [];
  session.scope = joined([session.scope, before, ...exits]);
  session.scope.dead = false;
  return after(session.scope, merge(outs));
}

export function runWhile(session: Session, node: While, runner: Runner): Outcome {
  const before = enterLoop(session, node);
  const clause = runner.list(session, node.clause);
  session.scope = (node.kind === "while" ? clause.ok : clause.fail).fork();
  const body = runner.list(session, node.body);
  session.scope.join(node.kind === "while" ? clause.fail : clause.ok);
  return leaveLoop(session, before, [clause.out, body.out]);
}

export function runFor(session: Session, node: For | Select | ArithmeticFor, runner: Runner): Outcome {
  if (node.type === "ArithmeticFor") return runArithmeticFor(session, node, runner);
  const words = node.wordlist;
  for (const word of words ?? []) runner.words(session, word);
  checkAdjacent(session, words ?? []);
  const values = words === undefined ? positionalValues(session) : wordValues(session, words);
  const before = enterLoop(session, node);
  session.countAssignment(node.name.value);
  session.countAssignment(node.name.value);
  session.scope.set(node.name.value, { values });
  for (const value of values) emitAssignment(session, node.name.value, wordOf(value), session.exportsAll);
  if (session.integers.has(node.name.value)) for (const value of values) checkText(session, value);
  if (node.type === "Select") session.scope.forget("REPLY");
  const body = runner.list(session, node.body);
  return leaveLoop(session, before, [body.out]);
}

function runArithmeticFor(session: Session, node: ArithmeticFor, runner: Runner): Outcome {
  if (node.initialize !== undefined) scanArithmetic(session, node.initialize, runner.script);
  const before = enterLoop(session, node);
  if (node.test !== undefined) scanArithmetic(session, node.test, runner.script);
  const body = runner.list(session, node.body);
  if (node.update !== undefined) scanArithmetic(session, node.update, runner.script);
  return leaveLoop(session, before, [body.out]);
}

function positionalValues(session: Session): readonly Text[] {
  const words = session.scope.positional;
  if (words === undefined || words.some(isMany)) return [hole("unknown")];
  const values = unionTexts(words.map(partsOf), []);
  return values === undefined || values.length === 0 ? [hole("unknown")] : values;
}

/** The values a loop variable takes. Beyond the limit, whether all are numbers or listed names is still known. */
function wordValues(session: Session, words: readonly WordNode[]): readonly Text[] {
  const fields = words.flatMap((word) => expandFields(word, session.expandEnv(NO_CHOICE)));
  const texts = fields.map(partsOf);
  if (texts.length === 0) return [[]];
  if (texts.length <= LIMITS.alternatives) return unionTexts([], texts) ?? [hole("unknown")];
  if (texts.every((text) => /^\d+$/.test(known(text) ?? ""))) return [hole("integer")];
  return [hole("unknown")];
}

export function runCase(session: Session, node: Case, runner: Runner): Outcome {
  runner.words(session, node.word);
  const start = session.scope;
  const ends: Scope[] = [];
  const outs: Text[] = [];
  let fallsFrom: Scope | undefined;
  for (const item of node.items) {
    session.scope = start.fork();
    for (const pattern of item.pattern) runner.words(session, pattern);
    if (fallsFrom !== undefined) session.scope.join(fallsFrom);
    outs.push(runner.list(session, item.body).out);
    fallsFrom = item.terminator === ";&" ? session.scope : undefined;
    ends.push(session.scope);
  }
  const all = node.items.some((item) => item.pattern.some((pattern) => pattern.text === "*"));
  session.scope = joined(all ? ends : [start, ...ends]);
  return after(session.scope, merge(outs));
}

const NUMERIC = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

export function runTest(session: Session, node: TestCommand, runner: Runner): Outcome {
  if (session.scope.dialect === "sh") session.problem("`[[` means something else in other shells");
  const visit = (test: TestExpression): void => {
    switch (test.type) {
      case "TestUnary":
        runner.words(session, test.operand);
        if (test.operator === "-v" || test.operator === "-R") checkName(session, test.operand);
        return;
      case "TestBinary":
        runner.words(session, test.left);
        runner.words(session, test.right);
        if (NUMERIC.has(test.operator))
          for (const side of [test.left, test.right]) checkSubscript(session, side);
        return;
      case "TestLogical":
        test.operands.forEach(visit);
        return;
      case "TestNot":
        visit(test.operand);
        return;
      case "TestGroup":
        visit(test.expression);
        return;
    }
  };
  visit(node.expression);
  return after(session.scope, []);
}

/** `-v name[subscript]` evaluates the subscript. */
function checkName(session: Session, word: WordNode): void {
  for (const pick of [0, 1, 2, 3]) {
    const text = expandText(
      word,
      session.expandEnv((_, count) => (pick < count ? pick : -1)),
    );
    const name = known(text);
    if (name === undefined || name.includes("[")) checkText(session, text);
  }
}
