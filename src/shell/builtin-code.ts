import { type Builtin, printed, prints } from "./builtin-helpers.ts";
import { nothing, type Outcome } from "./session.ts";
import type { Word } from "./types.ts";
import { hole, isMany, knownPrefix, literal, partsOf, type Text, textOf, wordOf } from "./value.ts";

export const evaluate: Builtin = (session, argv) => {
  const words = textOf(argv[0]) === "--" ? argv.slice(1) : argv;
  if (words.some(isMany)) {
    session.problem("eval of text that is not known");
    session.scope.forgetAll();
    return nothing(session);
  }
  const text = words.flatMap((word, index): Text => (index === 0 ? partsOf(word) : [" ", ...partsOf(word)]));
  const whole = wordOf(text);
  const { dialect } = session.scope;
  const out = session.walker.text(session, { text: partsOf(whole), context: "eval", dialect, inPlace: true });
  return prints(session, out);
};

export const source: Builtin = (session, argv) => {
  const words = textOf(argv[0]) === "--" ? argv.slice(1) : argv;
  const [file] = words;
  if (file === undefined) return nothing(session);
  session.emit({
    kind: "read",
    path: file,
    from: "operand",
    look: "path",
    command: "source",
    option: undefined,
  });
  const content = printed.contentOf(session, file);
  if (content !== undefined) {
    const { dialect } = session.scope;
    const positional = words.length > 1 ? words.slice(1) : session.scope.positional;
    const before = session.scope.positional;
    session.scope.positional = positional;
    session.walker.text(session, { text: [content], context: "source", dialect, inPlace: true });
    session.scope.positional = before;
    return nothing(session);
  }
  session.emit({ kind: "opaque", interpreter: "shell", reach: "code", detail: "source", literals: [] });
  session.scope.forgetAll();
  return nothing(session);
};

export const trap: Builtin = (session, argv) => {
  const words = argv.filter((word) => !/^-[lp]*$|^--$/.test(textOf(word) ?? "x"));
  const [action] = words;
  const text = textOf(action);
  if (action === undefined || words.length < 2 || text === "" || /^\d+$/.test(text ?? ""))
    return nothing(session);
  session.traps.push(partsOf(action));
  session.isolated(() => {
    const { dialect } = session.scope;
    session.walker.text(session, { text: partsOf(action), context: "trap", dialect, inPlace: true });
  });
  return nothing(session);
};

export const alias: Builtin = (session, argv) => {
  for (const word of argv) {
    const equals = knownPrefix(word).indexOf("=");
    if (equals < 1) {
      if (word.kind !== "literal") session.problem("an alias that is not known");
      continue;
    }
    const text = textOf(word);
    const name = knownPrefix(word).slice(0, equals);
    const value = text?.slice(equals + 1);
    if (value === undefined || !/^[\w.:@%+-]+$/.test(name) || RESERVED.has(name) || /\\$|<</.test(value)) {
      session.problem("an alias that cannot be followed");
    } else {
      session.scope.aliases.set(name, value);
      session.isolated(() => {
        const { dialect } = session.scope;
        session.walker.text(session, { text: [value], context: "alias", dialect, inPlace: true });
      });
    }
  }
  return nothing(session);
};

const RESERVED = new Set(
  "if then else elif fi for while until do done case esac in function select time coproc { } ! [[ ]]".split(
    " ",
  ),
);

/** `command`, `builtin`, `exec`: the rest is a command of its own. */
/** What `command -v` prints: the names, with the folders that they lie in. */
const found = (words: readonly Word[]): Text =>
  words.flatMap((word): Text => [...(isMany(word) ? hole("unknown") : partsOf(word)), "\n"]);

/** Tells of itself, of the shell or of names. */
export const tells: Builtin = (session) => prints(session, hole("unknown"));

export const passes =
  (name: string, flags: RegExp, lookups: RegExp): Builtin =>
  (session, argv, options) => {
    let i = 0;
    for (; i < argv.length; i += 1) {
      const text = textOf(argv[i]);
      if (text === undefined || !text.startsWith("-") || text === "-") break;
      if (text === "--") {
        i += 1;
        break;
      }
      // What it finds is started as the name is.
      if (lookups.test(text))
        return prints(session, /V/.test(text) ? hole("unknown") : found(argv.slice(i + 1)));
      if (!flags.test(text)) session.problem(`an option of ${name} that is not known`);
      if (name === "exec" && /a$/.test(text)) i += 1;
    }
    const words = argv.slice(i);
    if (words.length === 0) return nothing(session);
    const lookup = name === "exec" ? "programs" : "builtins";
    const run = (): Outcome =>
      session.walker.command(session, words, { ...options, lookup, nameNode: undefined });
    return session.within(`via ${name}`, run, nothing(session));
  };

export const hash: Builtin = (session, argv) => {
  if (argv.some((word) => /^-\w*p/.test(textOf(word) ?? "-p")))
    session.problem("hash gives a name to another program");
  return argv.length === 0 || /^-/.test(knownPrefix(argv[0] ?? literal("")))
    ? prints(session, hole("unknown"))
    : nothing(session);
};

/** Builtins whose given option makes the shell run something of its own. */
export const refuses =
  (option: RegExp, what: string): Builtin =>
  (session, argv) => {
    if (argv.some((word) => option.test(textOf(word) ?? "-") || word.kind !== "literal"))
      session.problem(what);
    return tells(session, argv, { lookup: "builtins", assignments: [] });
  };

export const leaves =
  (kind: "exit" | "jump"): Builtin =>
  (session) => {
    const scope = session.scope;
    if (kind === "jump") for (const exits of session.exits) exits.push(scope.fork());
    if (kind === "exit" || session.exits.length > 0) scope.dead = true;
    return nothing(session);
  };
