import { checkText } from "./arithmetic.ts";
import { changeFolder, popFolder, printed, printfOutput } from "./builtin-helpers.ts";
import { type CommandOptions, nothing, type Outcome, type Session } from "./session.ts";
import type { Word } from "./types.ts";
import {
  dropPrefix,
  hole,
  isMany,
  knownPrefix,
  literal,
  partsOf,
  type Text,
  textOf,
  wordOf,
} from "./value.ts";
import { emitAssignment } from "./variables.ts";

export type Builtin = (session: Session, argv: readonly Word[], options: CommandOptions) => Outcome;

const quiet: Builtin = (session) => nothing(session);
const prints = (session: Session, out: Text): Outcome => ({ ok: session.scope, fail: session.scope, out });

/** A variable name given to a builtin: a subscript in it is evaluated, an unknown one may be any variable. */
function forgetNamed(session: Session, word: Word): void {
  const name = textOf(word);
  if (name === undefined) {
    checkText(session, partsOf(word));
    session.scope.forgetAll();
    return;
  }
  const plain = /^[A-Za-z_]\w*/.exec(name)?.[0];
  if (name.includes("[")) checkText(session, [name]);
  if (plain === undefined) return;
  session.countAssignment(plain);
  session.scope.forget(plain);
}

/** Names after options; `valued`: letters of options that take an argument, `named`: those whose argument is a variable. */
function names(session: Session, argv: readonly Word[], valued: string, named = ""): readonly Word[] {
  const out: Word[] = [];
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i];
    if (word === undefined) continue;
    const text = textOf(word);
    if (text === undefined || !/^-./.test(text) || out.length > 0) out.push(word);
    else if (text !== "--") i += optionWidth(session, text, argv[i + 1], valued, named);
  }
  return out;
}

function optionWidth(
  session: Session,
  text: string,
  next: Word | undefined,
  valued: string,
  named: string,
): number {
  for (let k = 1; k < text.length; k += 1) {
    const letter = text[k] ?? "";
    const isNamed = named.includes(letter);
    if (!isNamed && !valued.includes(letter)) continue;
    const glued = text.slice(k + 1);
    const value = glued === "" ? next : literal(glued);
    if (isNamed && value !== undefined) forgetNamed(session, value);
    return glued === "" ? 1 : 0;
  }
  return 0;
}

const reads =
  (valued: string, named: string, fallback: string): Builtin =>
  (session, argv) => {
    const found = names(session, argv, valued, named);
    if (found.length === 0) forgetNamed(session, literal(fallback));
    for (const word of found) forgetNamed(session, word);
    return nothing(session);
  };

/** `export`, `declare` and the like; plain `A=b` arguments were assigned when they were read. */
const declare: Builtin = (session, argv) => {
  for (const word of argv) {
    const prefix = knownPrefix(word);
    if (/^[-+]\w/.test(prefix)) {
      if (/^-\w*n/.test(prefix)) session.problem("a name reference");
      if (/^-\w*i/.test(prefix)) noteIntegers(session, argv);
      continue;
    }
    const assignment = /^([A-Za-z_]\w*)(\[\])?\+?=/.exec(prefix);
    if (assignment === null) {
      // `export "$x"` may assign any name.
      if (word.kind !== "literal") forgetNamed(session, word);
      else if (word.text.includes("[")) checkText(session, [word.text]);
      continue;
    }
    const name = assignment[1] ?? "";
    const value = dropPrefix(word, assignment[0].length);
    session.countAssignment(name);
    const isKnown = assignment[0] === `${name}=`;
    if (!session.scope.variables.get(name)?.elements) {
      session.scope.set(name, { values: [isKnown ? partsOf(value) : hole("unknown")] });
    }
    emitAssignment(session, name, value);
  }
  return nothing(session);
};

function noteIntegers(session: Session, argv: readonly Word[]): void {
  for (const word of argv) {
    const name = /^[A-Za-z_]\w*/.exec(knownPrefix(word))?.[0];
    if (name === undefined) continue;
    session.integers.add(name);
    const equals = knownPrefix(word).indexOf("=");
    if (equals > 0) checkText(session, partsOf(dropPrefix(word, equals + 1)));
  }
}

const unset: Builtin = (session, argv) => {
  if (argv.some((word) => /^-\w*f/.test(textOf(word) ?? ""))) session.scope.doubtFunctions();
  for (const word of names(session, argv, "")) {
    const name = textOf(word);
    if (name !== undefined && /^[A-Za-z_]\w*$/.test(name)) {
      session.countAssignment(name);
      session.scope.set(name, { values: [[]] });
      session.scope.doubtFunctions();
    } else forgetNamed(session, word);
  }
  return nothing(session);
};

const set: Builtin = (session, argv) => {
  const at = argv.findIndex((word) => !/^[-+]\w/.test(textOf(word) ?? ""));
  const option = argv.map(textOf);
  if (argv.length === 0 || (at === -1 && !option.includes("--"))) return nothing(session);
  const first = textOf(argv[at]);
  // `set -o pipefail`: the word after -o is its argument.
  if (at > 0 && /^[-+]\w*o$/.test(option[at - 1] ?? "") && first !== "--") {
    return set(session, argv.slice(at + 1), { lookup: "builtins", assignments: [] });
  }
  const rest = argv.slice(first === "--" ? at + 1 : at);
  session.scope.positional = rest.some(isMany) ? undefined : rest;
  return nothing(session);
};

const shift: Builtin = (session, argv) => {
  const count = Number(textOf(argv[0]) ?? (argv.length === 0 ? "1" : "x"));
  const words = session.scope.positional;
  session.scope.positional = Number.isInteger(count) && words !== undefined ? words.slice(count) : undefined;
  return nothing(session);
};

const evaluate: Builtin = (session, argv) => {
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

const source: Builtin = (session, argv) => {
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
  session.scope.cwds = undefined;
  return nothing(session);
};

const trap: Builtin = (session, argv) => {
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

const alias: Builtin = (session, argv) => {
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
const passes =
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
      if (lookups.test(text)) return nothing(session);
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

const hash: Builtin = (session, argv) => {
  if (argv.some((word) => /^-\w*p/.test(textOf(word) ?? "-p")))
    session.problem("hash gives a name to another program");
  return nothing(session);
};

/** Builtins whose given option makes the shell run something of its own. */
const refuses =
  (option: RegExp, what: string): Builtin =>
  (session, argv) => {
    if (argv.some((word) => option.test(textOf(word) ?? "-") || word.kind !== "literal"))
      session.problem(what);
    return nothing(session);
  };

const leaves =
  (kind: "exit" | "jump"): Builtin =>
  (session) => {
    const scope = session.scope;
    if (kind === "jump") for (const exits of session.exits) exits.push(scope.fork());
    if (kind === "exit" || session.exits.length > 0) scope.dead = true;
    return nothing(session);
  };

const test: Builtin = (session, argv) => {
  argv.forEach((word, index) => {
    const before = textOf(argv[index - 1]);
    const text = textOf(word);
    if ((before === "-v" || before === "-R") && (text === undefined || text.includes("[")))
      checkText(session, partsOf(word));
    if (word.kind !== "literal" && isMany(word)) return;
    if (/^-[a-hknprstuwxGLNOS]$/.test(before ?? "") && text !== "]") {
      session.emit({
        kind: "read",
        path: word,
        from: "operand",
        look: "name",
        command: "test",
        option: undefined,
      });
    }
  });
  return nothing(session);
};

const printf: Builtin = (session, argv) => {
  const at = argv.findIndex((word) => textOf(word) === "-v");
  if (at === 0) {
    const [, name, ...rest] = argv;
    if (name !== undefined) forgetNamed(session, name);
    const out = printfOutput(rest);
    const plain = textOf(name);
    if (plain !== undefined && /^[A-Za-z_]\w*$/.test(plain)) {
      session.scope.set(plain, { values: [out] });
      emitAssignment(session, plain, wordOf(out));
    }
    return nothing(session);
  }
  // An unknown first word may be `-v`, and the next one a subscript that is evaluated.
  if (argv[0]?.kind === "unknown" && argv[1] !== undefined) forgetNamed(session, argv[1]);
  return prints(session, printfOutput(textOf(argv[0]) === "--" ? argv.slice(1) : argv));
};

const mapfile: Builtin = (session, argv) => {
  if (argv.some((word) => /^-\w*C/.test(textOf(word) ?? "-C")))
    session.problem("mapfile runs a command for each line");
  return reads("dnOsuc", "", "MAPFILE")(session, argv, { lookup: "builtins", assignments: [] });
};

const letBuiltin: Builtin = (session, argv) => {
  for (const word of argv) {
    checkText(session, partsOf(word));
    const name = /^\s*(?:\+\+|--)?([A-Za-z_]\w*)/.exec(knownPrefix(word))?.[1];
    if (name === undefined) continue;
    session.countAssignment(name);
    session.scope.set(name, { values: [hole("integer")] });
  }
  return nothing(session);
};

const waits: Builtin = (session, argv) => {
  argv.forEach((word, index) => {
    if (textOf(argv[index - 1]) === "-p") forgetNamed(session, word);
  });
  return nothing(session);
};

/** The builtins of bash; `[`, `echo` and the like are programs too, and do the same there. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ...[
    "true",
    "false",
    ":",
    "umask",
    "times",
    "jobs",
    "fg",
    "bg",
    "disown",
    "suspend",
    "logout",
    "ulimit",
    "dirs",
  ].map((name): [string, Builtin] => [name, quiet]),
  ...["help", "history", "caller", "type", "kill", "compopt"].map((name): [string, Builtin] => [name, quiet]),
  ["echo", (session, argv) => prints(session, printed.echo(session, argv))],
  ["printf", printf],
  ["pwd", (session) => prints(session, printed.pwd(session))],
  ["cd", (session, argv) => changeFolder(session, argv)],
  ["chdir", (session, argv) => changeFolder(session, argv)],
  ["pushd", (session, argv) => (argv.length === 0 ? popFolder(session) : changeFolder(session, argv))],
  ["popd", (session) => popFolder(session)],
  ...["export", "declare", "typeset", "local", "readonly"].map((name): [string, Builtin] => [name, declare]),
  ["unset", unset],
  ["set", set],
  ["shift", shift],
  ["read", reads("dinNptu", "a", "REPLY")],
  ["mapfile", mapfile],
  ["readarray", mapfile],
  [
    "getopts",
    (session, argv) => {
      for (const word of [...argv.slice(1, 2), literal("OPTARG")]) forgetNamed(session, word);
      return nothing(session);
    },
  ],
  ["let", letBuiltin],
  ["eval", evaluate],
  ["source", source],
  [".", source],
  ["trap", trap],
  ["alias", alias],
  ["unalias", quiet],
  ["command", passes("command", /^-p+$/, /^-p*[vV]/)],
  ["builtin", passes("builtin", /^$/, /^$/)],
  ["exec", passes("exec", /^-[cla]+$/, /^$/)],
  ["hash", hash],
  ["enable", refuses(/^-\w*[fnds]/, "enable changes the builtins")],
  ["bind", refuses(/^-\w*[xf]/, "bind runs commands")],
  ["complete", refuses(/^-\w*[CF]/, "complete runs commands")],
  ["compgen", refuses(/^-\w*[CF]/, "compgen runs commands")],
  ["fc", refuses(/./, "fc runs commands from the history")],
  ["shopt", (session, argv) => shopt(session, argv)],
  ["exit", leaves("exit")],
  ["return", leaves("jump")],
  ["break", leaves("jump")],
  ["continue", leaves("jump")],
  ["test", test],
  ["[", test],
  ["wait", waits],
]);

function shopt(session: Session, argv: readonly Word[]): Outcome {
  // These change how the rest of the text is read.
  const odd =
    /^(?:extglob|expand_aliases|lastpipe|nullglob|globstar|nocasematch|dotglob|failglob|inherit_errexit|huponexit|checkwinsize|nocaseglob|globskipdots|xpg_echo|login_shell|cmdhist)$/;
  for (const word of argv) {
    const text = textOf(word);
    if (text === undefined || (!text.startsWith("-") && !odd.test(text)))
      session.problem("a shell option that is not known");
  }
  return nothing(session);
}
