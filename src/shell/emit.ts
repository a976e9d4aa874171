import { readCode } from "./code.ts";
import { isWritten, noteWritten } from "./redirect.ts";
import type { Session } from "./session.ts";
import type { CommandSpec, Found } from "./spec.ts";
import type { Look, Word, WordPart } from "./types.ts";
import { known, knownPrefix, literal, partsOf, textOf } from "./value.ts";

/** The command whose words are being read. */
export interface Owner {
  readonly name: string;
  readonly spec: CommandSpec;
}

/** Programs after which the file is gone. */
const REMOVERS: ReadonlySet<string> = new Set(["rm", "rmdir", "unlink"]);

export function emitFile(
  session: Session,
  owner: Owner,
  found: Found,
  kind: "read" | "write",
  look: Look,
): void {
  const { word, option } = found;
  if (textOf(word) === "" || textOf(word) === "-") return;
  const base = { kind, path: word, from: "operand", look, command: owner.name, option } as const;
  session.emit(found.sought === true ? { ...base, sought: true } : base);
  if (kind !== "write") return;
  // What is changed in place is as good as it was, unless the text itself wrote it.
  const isChanged = found.role === "both" && !isWritten(session, word);
  const { stdin } = session;
  const content = owner.name === "tee" && stdin.kind === "text" ? known(stdin.text) : undefined;
  if (owner.spec.keeps !== true && !isChanged) noteWritten(session, word, found.appends === true, content);
  // `tar cf x.tar *` would read such a name as an option later.
  if (!REMOVERS.has(owner.name) && /(?:^|\/)-[^/]*$/.test(knownPrefix(word)))
    session.problem("a file whose name reads as an option");
}

/** Text that a program hands to `sh -c`, or cuts into words itself: both are read as shell. */
export function runShellText(session: Session, name: string, word: Word, option: string | undefined): void {
  const context = `via ${name}${option === undefined ? "" : ` ${option}`}`;
  session.walker.text(session, { text: partsOf(word), context, dialect: "sh", inPlace: false });
}

/** A script that the text itself writes, and what stands in it is not known. */
export function emitWritten(session: Session, interpreter: string, script: Word): void {
  if (isWritten(session, script))
    emitOpaque(session, interpreter, "code", "a script whose content is not known");
}

export function emitOpaque(
  session: Session,
  interpreter: string,
  reach: "code" | "elsewhere",
  detail: string,
): void {
  session.emit({ kind: "opaque", interpreter, reach, detail, literals: [] });
}

/** Inline code: harmless code is left out, what it names is listed, the rest may do anything. */
export function emitCode(session: Session, owner: Owner, word: Word, detail: string): void {
  const readings = textsOf(word).map((text) => readCode(owner.spec.language, text));
  const found = (path: string): Found => ({ role: "file", word: literal(path), option: detail });
  for (const { reads, writes, commands } of readings) {
    for (const path of reads ?? []) emitFile(session, owner, found(path), "read", "path");
    for (const path of writes ?? []) emitFile(session, owner, found(path), "write", "path");
    for (const command of commands ?? []) runShellText(session, owner.name, literal(command), detail);
  }
  if (readings.length > 0 && readings.every(({ harmless }) => harmless)) return;
  const literals = readings[0]?.literals ?? [];
  session.emit({ kind: "opaque", interpreter: owner.name, reach: "code", detail, literals });
}

/** The texts that a word may be: a number in it is some digits, or nothing where what should print it fails. */
function textsOf(word: Word): readonly string[] {
  if (word.kind === "literal") return [word.text];
  if (word.kind === "unknown") return [];
  const isNumber = (part: WordPart): boolean =>
    typeof part !== "string" && "hole" in part && part.hole === "integer";
  if (!word.parts.every((part) => typeof part === "string" || isNumber(part))) return [];
  return ["7", ""].map((digits) =>
    word.parts.map((part) => (typeof part === "string" ? part : digits)).join(""),
  );
}

/** A file of code that the program loads. */
export function emitLoad(session: Session, owner: Owner, found: Found): void {
  if (textOf(found.word) !== "-") emitFile(session, owner, found, "read", "path");
  emitOpaque(session, owner.name, "code", found.option ?? "a file of code");
}
