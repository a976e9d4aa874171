import { checkText } from "./arithmetic.ts";
import { type Builtin, printfOutput, prints } from "./builtin-helpers.ts";
import { nothing, type Session } from "./session.ts";
import type { HoleSource, Word } from "./types.ts";
import {
  dropPrefix,
  hasGlob,
  hole,
  isHole,
  isMany,
  known,
  knownPrefix,
  literal,
  partsOf,
  piecesOf,
  sourceOf,
  type Text,
  textOf,
  unionTexts,
  wordOf,
} from "./value.ts";
import { emitAssignment, exportNamed } from "./variables.ts";

/** A variable name given to a builtin: a subscript in it is evaluated, an unknown one may be any variable. */
export function forgetNamed(session: Session, word: Word): void {
  const name = textOf(word);
  if (name === undefined) {
    checkText(session, partsOf(word));
    session.scope.forgetAll();
    return;
  }
  const plain = /^[A-Za-z_]\w*/.exec(name)?.[0];
  if (name.includes("[")) checkText(session, [name]);
  if (plain === undefined) return;
  if (session.integers.has(plain)) checkText(session, hole("unknown"));
  session.countAssignment(plain);
  session.scope.forget(plain);
  emitAssignment(session, plain, wordOf(hole("unknown")), session.exportsAll);
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

export const reads =
  (valued: string, named: string, fallback: string): Builtin =>
  (session, argv) => {
    const found = names(session, argv, valued, named);
    if (found.length === 0) forgetNamed(session, literal(fallback));
    for (const word of found) forgetNamed(session, word);
    readLine(session, argv, found);
    return nothing(session);
  };

/** Every line is a name that was listed, or a number. */
function forgetAs(session: Session, found: readonly Word[], source: HoleSource, text: Text): void {
  const pieces = hasGlob(text) ? piecesOf(text) : [hole(source)];
  const values = unionTexts([], pieces) ?? [hole("unknown")];
  for (const word of found) {
    const name = textOf(word);
    if (name !== undefined && /^[A-Za-z_]\w*$/.test(name)) session.scope.set(name, { values });
  }
}

/** `read NAME` of one line that is known, once, outside loops and functions: what is read next is not followed. */
function readLine(session: Session, argv: readonly Word[], found: readonly Word[]): void {
  const { stdin, scope } = session;
  const source = stdin.kind === "text" ? sourceOf(stdin.text) : undefined;
  if (stdin.kind === "text" && (source === "listing" || source === "integer"))
    forgetAs(session, found, source, stdin.text);
  const [name] = found;
  const plain = argv.length - found.length === 0 || (argv.length === 2 && textOf(argv[0]) === "-r");
  const line = stdin.kind === "text" ? known(stdin.text)?.replace(/\n$/, "") : undefined;
  session.stdin = { kind: "file" };
  if (!plain || found.length !== 1 || session.exits.length > 0 || scope.get("IFS") !== undefined) return;
  const text = textOf(name);
  if (line === undefined || /[\n\\]/.test(line) || text === undefined || !/^[A-Za-z_]\w*$/.test(text)) return;
  scope.set(text, { values: [[line.replace(/^[ \t]+|[ \t]+$/g, "")]] });
}

/** `export`, `declare` and the like; plain `A=b` arguments were assigned when they were read. */
export const declare: Builtin = (session, argv) => {
  for (const word of argv) {
    const prefix = knownPrefix(word);
    if (/^[-+]\w/.test(prefix)) {
      if (/^-\w*n/.test(prefix)) session.problem("a name reference");
      if (/^-\w*i/.test(prefix)) noteIntegers(session, argv);
      if (/^-A$/.test(prefix) && session.exits.length === 0 && session.context.length === 0)
        noteAssociative(session, argv);
      continue;
    }
    const assignment = /^([A-Za-z_]\w*)(\[\])?\+?=/.exec(prefix);
    if (assignment === null) {
      // `export "$x"` may assign any name.
      if (word.kind !== "literal") forgetNamed(session, word);
      else if (session.scope.get(word.text) !== undefined) exportNamed(session, word.text);
      else if (word.text.includes("[")) checkText(session, [word.text]);
      continue;
    }
    const name = assignment[1] ?? "";
    const value = dropPrefix(word, assignment[0].length);
    session.countAssignment(name);
    const isKnown = assignment[0] === `${name}=`;
    if (session.integers.has(name)) checkText(session, partsOf(value));
    if (assignment[2] === undefined) checkCompound(session, argv, value);
    if (!session.scope.variables.get(name)?.elements) {
      session.scope.set(name, { values: [isKnown ? partsOf(value) : hole("unknown")] });
    }
    emitAssignment(session, name, value, true);
  }
  const isShown =
    argv.every((word) => /^-\w*[pfF]/.test(knownPrefix(word))) ||
    /^-\w*[pfF]/.test(knownPrefix(argv[0] ?? literal("")));
  return isShown ? prints(session, hole("unknown")) : nothing(session);
};

/** `declare -a "a=(…)"`: the text is read once more as the elements of an array, substitutions included. */
function checkCompound(session: Session, argv: readonly Word[], value: Word): void {
  const parts = partsOf(value);
  const [first] = parts;
  const isArray = argv.some((word) => /^-\w*[aA]/.test(knownPrefix(word)));
  const mayBe = typeof first === "string" ? first.startsWith("(") : isArray && first !== undefined;
  const isPlain = parts.every((part) =>
    typeof part === "string" ? !/[$`]/.test(part) : isHole(part) && part.hole === "integer",
  );
  if (mayBe && !isPlain) session.problem("an array from text that is read a second time");
}

function noteAssociative(session: Session, argv: readonly Word[]): void {
  for (const word of argv) {
    const name = /^[A-Za-z_]\w*/.exec(knownPrefix(word))?.[0];
    if (name !== undefined) session.associative.add(name);
  }
}

function noteIntegers(session: Session, argv: readonly Word[]): void {
  for (const word of argv) {
    const name = /^[A-Za-z_]\w*/.exec(knownPrefix(word))?.[0];
    if (name === undefined) continue;
    session.integers.add(name);
    const equals = knownPrefix(word).indexOf("=");
    if (equals > 0) checkText(session, partsOf(dropPrefix(word, equals + 1)));
  }
}

export const unset: Builtin = (session, argv) => {
  if (argv.some((word) => /^-\w*f/.test(textOf(word) ?? ""))) session.scope.doubtFunctions();
  for (const word of names(session, argv, "")) {
    const name = textOf(word);
    if (name !== undefined && /^[A-Za-z_]\w*$/.test(name)) {
      session.countAssignment(name);
      session.associative.delete(name);
      session.scope.set(name, { values: [[]] });
      session.scope.doubtFunctions();
    } else forgetNamed(session, word);
  }
  return nothing(session);
};

export const set: Builtin = (session, argv) => {
  const at = argv.findIndex((word) => !/^[-+]\w/.test(textOf(word) ?? ""));
  const option = argv.map(textOf);
  if (option.some((text) => /^-[b-zA-Z]*a|^allexport$/.test(text ?? ""))) session.exportsAll = true;
  if (argv.length === 0) return prints(session, hole("unknown"));
  if (at === -1 && !option.includes("--")) return nothing(session);
  const first = textOf(argv[at]);
  // `set -o pipefail`: the word after -o is its argument.
  if (at > 0 && /^[-+]\w*o$/.test(option[at - 1] ?? "") && first !== "--") {
    return set(session, argv.slice(at + 1), { lookup: "builtins", assignments: [] });
  }
  const rest = argv.slice(first === "--" ? at + 1 : at);
  session.scope.positional = rest.some(isMany) ? undefined : rest;
  return nothing(session);
};

export const shift: Builtin = (session, argv) => {
  const count = Number(textOf(argv[0]) ?? (argv.length === 0 ? "1" : "x"));
  const words = session.scope.positional;
  session.scope.positional = Number.isInteger(count) && words !== undefined ? words.slice(count) : undefined;
  return nothing(session);
};

export const printf: Builtin = (session, argv) => {
  const at = argv.findIndex((word) => textOf(word) === "-v");
  if (at === 0) {
    const [, name, ...rest] = argv;
    if (name !== undefined) forgetNamed(session, name);
    const out = printfOutput(rest);
    const plain = textOf(name);
    if (plain !== undefined && /^[A-Za-z_]\w*$/.test(plain)) {
      session.scope.set(plain, { values: [out] });
      emitAssignment(session, plain, wordOf(out), session.exportsAll);
    }
    return nothing(session);
  }
  // An unknown first word may be `-v`, and the next one a subscript that is evaluated.
  if (argv[0]?.kind === "unknown" && argv[1] !== undefined) forgetNamed(session, argv[1]);
  return prints(session, printfOutput(textOf(argv[0]) === "--" ? argv.slice(1) : argv));
};

export const mapfile: Builtin = (session, argv) => {
  if (argv.some((word) => /^-\w*C/.test(textOf(word) ?? "-C")))
    session.problem("mapfile runs a command for each line");
  return reads("dnOsuc", "", "MAPFILE")(session, argv, { lookup: "builtins", assignments: [] });
};

export const letBuiltin: Builtin = (session, argv) => {
  for (const word of argv) {
    checkText(session, partsOf(word));
    const name = /^\s*(?:\+\+|--)?([A-Za-z_]\w*)/.exec(knownPrefix(word))?.[1];
    if (name === undefined) continue;
    session.countAssignment(name);
    session.scope.set(name, { values: [hole("integer")] });
  }
  return nothing(session);
};

export const waits: Builtin = (session, argv) => {
  for (const [index, word] of argv.entries())
    if (textOf(argv[index - 1]) === "-p") forgetNamed(session, word);
  return nothing(session);
};
