import type { Word as WordNode } from "unbash";
import { madeBy } from "./built.ts";
import { BUILTINS } from "./builtins.ts";
import { runProgram } from "./program.ts";
import { type CommandOptions, nothing, type Outcome, type Session } from "./session.ts";
import type { Word } from "./types.ts";
import { isMany, textOf } from "./value.ts";

/** Runs a command whose words are worked out: function, builtin or program. */
export function runCommand(session: Session, words: readonly Word[], options: CommandOptions): Outcome {
  const [name, ...argv] = words;
  if (name === undefined) return nothing(session);
  session.step();
  session.takeWords(words.length);
  const { assignments } = options;
  const text = textOf(name);
  if (text === undefined || isMany(name)) {
    const written = options.nameNode?.text;
    session.emit({ kind: "command", name, argv, assignments, internal: false, written });
    session.problem("a command whose name is not known");
    session.scope.forgetAll();
    session.scope.cwds = undefined;
    return nothing(session);
  }
  if (hasHidden(text)) session.problem("hidden characters in a command name");
  if (options.lookup === "all") runAlias(session, text, argv, options.nameNode);
  const called = options.lookup === "all" ? callFunctions(session, text, argv) : undefined;
  if (called?.certain === true) {
    session.emit({ kind: "command", name, argv, assignments, internal: true });
    return called.outcome;
  }
  const builtin = options.lookup !== "programs" && !text.includes("/") ? BUILTINS.get(text) : undefined;
  const made = madeBy(session, text);
  session.emit({ kind: "command", name, argv, assignments, internal: builtin !== undefined, made });
  const outcome = builtin !== undefined ? builtin(session, argv, options) : runProgram(session, text, argv);
  if (called === undefined) return outcome;
  const scope = outcome.ok.fork();
  scope.join(called.outcome.ok);
  return { ok: scope, fail: scope, out: called.outcome.out };
}

/** Characters that do not show: controls, formats (zero width, direction), blanks other than the plain one. */
const HIDDEN =
  /\p{Cc}|\p{Cf}|\p{Zs}|\p{Zl}|\p{Zp}|[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]|\p{Variation_Selector}/u;

const hasHidden = (text: string): boolean =>
  !/^[\w./+-]*$/.test(text) && HIDDEN.test(text.replace(/[ \t\n]/g, ""));

function callFunctions(
  session: Session,
  name: string,
  argv: readonly Word[],
): { readonly outcome: Outcome; readonly certain: boolean } | undefined {
  const nodes = session.scope.functions.get(name);
  if (nodes === undefined) return undefined;
  const start = session.scope;
  const ends = nodes.map((node) => {
    session.scope = start.fork();
    const out = node === null ? [] : session.walker.call(session, node, argv);
    return { scope: session.scope, out };
  });
  const [first, ...rest] = ends;
  if (first === undefined) return undefined;
  for (const end of rest) first.scope.join(end.scope);
  session.scope = first.scope;
  const out = ends.length === 1 ? first.out : [{ hole: "unknown" } as const];
  return { outcome: { ok: session.scope, fail: session.scope, out }, certain: !nodes.includes(null) };
}

/** An alias may or may not be expanded, so both readings are taken. */
function runAlias(session: Session, name: string, argv: readonly Word[], node: WordNode | undefined): void {
  const value = session.scope.aliases.get(name);
  if (value === undefined || node === undefined || node.text !== name) return;
  const rest = argv.map(textOf);
  if (/\s$/.test(value) || rest.includes(undefined)) {
    session.problem("an alias whose use cannot be followed");
    return;
  }
  const quoted = rest.map((text) => ` '${(text ?? "").replaceAll("'", "'\\''")}'`).join("");
  session.isolated(() => {
    session.scope.aliases.delete(name);
    const text = [`${value}${quoted}`];
    const { dialect } = session.scope;
    session.walker.text(session, { text, context: "alias", dialect, inPlace: true });
  });
}
