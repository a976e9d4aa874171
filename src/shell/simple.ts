import type { Assignment, Command, Word as WordNode } from "unbash";
import { checkSubscript, checkText } from "./arithmetic.ts";
import { Choices } from "./choices.ts";
import { runCommand } from "./command.ts";
import { expandFields, expandText } from "./expand.ts";
import { expandSimple } from "./parameter.ts";
import { runRedirections } from "./redirect.ts";
import type { Runner } from "./runner.ts";
import type { Variable } from "./scope.ts";
import { nothing, type Outcome, type Session } from "./session.ts";
import { plainWord } from "./tilde.ts";
import type { Word } from "./types.ts";
import { concat, hole, literal, partsOf, sourceOf, type Text, textOf, wordOf } from "./value.ts";
import { emitAssignment } from "./variables.ts";

const DECLARING = new Set(["export", "declare", "typeset", "local", "readonly"]);

/** One assignment with its value worked out. */
interface Assigned {
  readonly name: string;
  readonly variable: Variable;
  readonly value: Word;
}

/** A simple command: its substitutions, redirections, assignments, and then what its words run. */
export function runSimple(session: Session, node: Command, runner: Runner): Outcome {
  for (const child of node.prefix) if (child.type === "Assignment") runner.words(session, child);
  if (node.name !== undefined) runner.words(session, node.name);
  for (const child of node.args) runner.words(session, child);
  checkAdjacent(session, [node.name, ...node.args]);
  if (session.scope.dialect !== "bash") checkOtherShells(session, node);
  const redirected = runRedirections(session, node.redirects, runner);
  const start = session.scope;
  const choices = new Choices();
  const outcomes: Outcome[] = [];
  let isMore = false;
  do {
    session.scope = start.fork();
    outcomes.push(
      session.withStdin(redirected.stdin ?? session.stdin, () => runOnce(session, node, choices)),
    );
    isMore = choices.next();
    if (isMore) session.step();
  } while (isMore);
  const outcome =
    outcomes.length === 1 && outcomes[0] !== undefined ? outcomes[0] : joinOutcomes(session, outcomes);
  session.scope = outcome.ok;
  redirected.wrote(outcome.out);
  return redirected.stdout ? { ...outcome, out: [] } : outcome;
}

function joinOutcomes(session: Session, outcomes: readonly Outcome[]): Outcome {
  const [first, ...rest] = outcomes;
  if (first === undefined) return { ok: session.scope, fail: session.scope, out: [] };
  const ok = first.ok.fork();
  const fail = first.fail.fork();
  for (const other of rest) {
    ok.join(other.ok);
    fail.join(other.fail);
  }
  return { ok, fail, out: hole(sourceOf(outcomes.flatMap((outcome) => outcome.out)) ?? "unknown") };
}

/** The parser ends a word after `<(…)`; bash goes on with what touches it. */
export function checkAdjacent(session: Session, words: readonly (WordNode | Assignment | undefined)[]): void {
  words.forEach((word, index) => {
    if (word !== undefined && word.end === words[index + 1]?.pos)
      session.problem("words that touch each other");
  });
}

/** What the POSIX shells read differently: better not understood than misunderstood. */
function checkOtherShells(session: Session, node: Command): void {
  const words = [node.name, ...node.args].filter((word): word is WordNode => word?.type === "Word");
  for (const word of words) {
    if (/\$'[^']*\\'/.test(word.text)) session.problem("`$'` means something else in other shells");
    if (session.scope.dialect === "zsh" && /^=|[*?)\]]\(|\$\{\(|[~^#]/.test(word.text))
      session.problem("zsh reads this differently");
  }
  for (const redirect of node.redirects) {
    if (
      redirect.type === "Redirect" &&
      redirect.operator.startsWith("&") &&
      node.suffix[node.suffix.length - 1] !== redirect
    ) {
      session.problem("`&>` means something else in other shells");
    }
  }
}

function runOnce(session: Session, node: Command, choices: Choices): Outcome {
  const env = session.expandEnv(choices.pick);
  const words: Word[] = node.name === undefined ? [] : [...expandFields(node.name, env)];
  const head = words[0]?.kind === "literal" ? words[0].text : undefined;
  const declares = head !== undefined && (DECLARING.has(head) || head === "command" || head === "builtin");
  const declared: Assigned[] = [];
  for (const arg of node.args) {
    if (arg.type === "Word") {
      if (arg.parts === undefined) words.push(plainWord(arg, env));
      else words.push(...expandFields(arg, env));
    } else {
      const assigned = evaluate(session, arg, choices);
      if (declares) declared.push(assigned);
      const isPart = arg.index !== undefined || arg.value.type === "ArrayValue";
      words.push(wordOf([isPart ? `${arg.name}[]=` : `${arg.name}=`, ...partsOf(assigned.value)]));
    }
  }
  const prefix: Assigned[] = [];
  let before: Map<string, Variable | undefined> | undefined;
  for (const child of node.prefix) {
    if (child.type !== "Assignment") continue;
    const assigned = evaluate(session, child, choices);
    prefix.push(assigned);
    before ??= new Map();
    if (!before.has(assigned.name)) before.set(assigned.name, session.scope.variables.get(assigned.name));
    assign(session, assigned, node.name !== undefined);
  }
  for (const assigned of declared) assign(session, assigned, true);
  if (words.length === 0)
    return { ...nothing(session), out: session.printing === node ? ownInput(session) : [] };
  for (const { value } of prefix) mentionFile(session, value);
  // `$(command -v x) --version` where there is no x: no program has such a name.
  if (isGone(node, words[0])) return nothing(session);
  const outcome = runCommand(session, words, { lookup: "all", assignments: prefix, nameNode: node.name });
  if (before !== undefined) for (const scope of new Set([outcome.ok, outcome.fail])) restore(scope, before);
  return outcome;
}

/** An option in the place of a command whose name came from an expansion that is empty. */
function isGone({ name }: Command, first: Word | undefined): boolean {
  return name?.parts !== undefined && name.parts[0]?.type !== "Literal" && /^-/.test(textOf(first) ?? "");
}

/** `PIP_REQUIREMENT=x pip …`: what a variable names, the command may read. */
function mentionFile(session: Session, path: Word): void {
  if (path.kind !== "literal" || !/^\S*(?:\.|secret)\S*$/i.test(path.text)) return;
  const base = { from: "operand", look: "mention", command: undefined, option: undefined } as const;
  session.emit({ kind: "read", path, ...base });
}

function ownInput({ stdin }: Session): Text {
  if (stdin.kind === "text") return stdin.text;
  return stdin.kind === "file" ? hole("unknown") : [];
}

/** Assignments before a command hold for that command only. */
function restore(scope: Outcome["ok"], before: ReadonlyMap<string, Variable | undefined>): void {
  for (const [name, variable] of before) {
    if (variable === undefined) scope.variables.delete(name);
    else scope.variables.set(name, variable);
  }
}

function evaluate(session: Session, node: Assignment, choices: Choices): Assigned {
  const env = session.expandEnv(choices.pick);
  if (node.index !== undefined) checkSubscript(session, node.index);
  if (node.value.type === "ArrayValue") {
    checkAdjacent(session, node.value.elements);
    session.takeWords(node.value.elements.length);
    const elements = node.value.elements.flatMap((word) => expandFields(word, env));
    const open = node.append === true || elements.some((word) => word.kind !== "literal" && word.many);
    if (session.integers.has(node.name)) for (const word of elements) checkText(session, partsOf(word));
    // `a=([$(cmd)]=x)`: a subscript in the text of an element is evaluated too.
    for (const word of node.value.elements) if (word.text.startsWith("[")) checkSubscript(session, word);
    const first = elements[0] === undefined ? [] : partsOf(elements[0]);
    const values = open ? [hole("unknown")] : [first];
    const variable: Variable = open ? { values } : { values, elements: elements.map(partsOf) };
    return { name: node.name, variable, value: elements[0] ?? literal("") };
  }
  const added = expandText(node.value, env, "assignment");
  const value = node.append === true ? concat(oldValue(session, node.name, choices), added) : added;
  if (session.integers.has(node.name)) checkText(session, value);
  if (node.index !== undefined)
    return { name: node.name, variable: { values: [hole("unknown")] }, value: wordOf(value) };
  return { name: node.name, variable: { values: [value] }, value: wordOf(value) };
}

function oldValue(session: Session, name: string, choices: Choices): Text {
  const old = expandSimple(name, session.expandEnv(choices.pick));
  return old.kind === "text" ? old.text : hole("unknown");
}

function assign(session: Session, assigned: Assigned, exported: boolean): void {
  if (assigned.name === "GLOBIGNORE") session.hidden = true;
  session.countAssignment(assigned.name);
  session.scope.set(assigned.name, assigned.variable);
  emitAssignment(session, assigned.name, assigned.value, exported || session.exportsAll);
}
