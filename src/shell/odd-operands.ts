import { printed } from "./builtin-helpers.ts";
import { emitFile, emitOpaque, type Owner, runShellText } from "./emit.ts";
import { oddOptions } from "./odd-options.ts";
import { patchedFiles } from "./patches.ts";
import { searchedFolders } from "./searches.ts";
import type { Session } from "./session.ts";
import type { ParsedCommand } from "./spec.ts";
import type { Word } from "./types.ts";
import { dropPrefix, knownPrefix, literal, partsOf, type Text, textOf, wordOf } from "./value.ts";

/** Operands that some programs take for more than their role says. */
export function oddOperands(session: Session, owner: Owner, parsed: ParsedCommand): void {
  openingPipes(session, owner, parsed);
  responseFiles(session, owner, parsed);
  editedFiles(session, owner, parsed);
  oddOptions(session, owner, parsed);
  listedFiles(session, owner, parsed);
  searchedFolders(session, owner, parsed);
  if (owner.name === "patch") patchedFiles(session, "patch", parsed);
  else if (owner.name === "ed") bangs(session, owner, parsed, undefined, /^!/);
  else if (owner.name === "psql") bangs(session, owner, parsed, "-o --output", /^\|/);
  else if (owner.name === "strace") bangs(session, owner, parsed, "-o --output", /^[!|]/);
  else if (/^(?:bsd|g)?tar$/.test(owner.name)) archives(session, owner, parsed);
  else if (owner.name === "cpio" && (parsed.given.has("-i") || parsed.given.has("--extract")))
    emitFile(session, owner, { role: "write", word: literal("."), option: "-i" }, "write", "path");
}

/** `gcc @file` takes options from the file. */
function responseFiles(session: Session, owner: Owner, parsed: ParsedCommand): void {
  if (owner.spec.makes !== "program" && owner.spec.makes !== "output") return;
  for (const { role, word, option } of parsed.found) {
    if (role !== "read" || option !== undefined || !knownPrefix(word).startsWith("@")) continue;
    emitFile(session, owner, { role, word: dropPrefix(word, 1), option: "@" }, "read", "path");
    emitOpaque(session, owner.name, "code", "options from a file");
  }
}

/** `perl -i` and `ruby -i` write what they read. */
function editedFiles(session: Session, owner: Owner, parsed: ParsedCommand): void {
  if (!/^(?:perl|ruby)$/.test(owner.spec.language ?? "") || !parsed.given.has("-i")) return;
  const hasCode = parsed.found.some(({ role }) => role === "code");
  const operands = parsed.found.filter(({ option }) => option === undefined);
  for (const found of operands.slice(hasCode ? 0 : 1)) emitFile(session, owner, found, "write", "path");
}

/** `perl -n` opens its operands the old way: `cmd|` and `>file` are commands and files to write. */
function openingPipes(session: Session, owner: Owner, parsed: ParsedCommand): void {
  if (owner.spec.language !== "perl" || !(parsed.given.has("-n") || parsed.given.has("-p"))) return;
  const odd = parsed.found.some(({ role, word }) => role === "read" && !isPlainName(word));
  if (odd) emitOpaque(session, owner.name, "code", "opens an operand as a command");
}

/** No name that a pattern finds starts or ends otherwise than the pattern does. */
function isPlainName(word: Word): boolean {
  if (word.kind === "literal") return !/[|<>]/.test(word.text);
  if (word.kind === "unknown") return false;
  const [first, last] = [word.parts[0], word.parts.at(-1)];
  return typeof first === "string" && typeof last === "string" && /^[\w./]/.test(first) && /\w$/.test(last);
}

/** `ed '!command'`, `strace -o '|command'`. */
function bangs(
  session: Session,
  owner: Owner,
  parsed: ParsedCommand,
  options: string | undefined,
  mark: RegExp,
): void {
  for (const { word, option } of parsed.found) {
    const counts = options === undefined ? option === undefined : options.split(" ").includes(option ?? "");
    if (counts && mark.test(knownPrefix(word)))
      runShellText(session, owner.name, dropPrefix(word, 1), option);
  }
}

/** `tar xf a.tar MEMBER` writes it, and `tar cf host:a.tar` starts a remote shell. */
function archives(session: Session, owner: Owner, parsed: ParsedCommand): void {
  const extracts = ["-x", "--extract", "--get"].some((option) => parsed.given.has(option));
  const prints = ["-O", "--to-stdout"].some((option) => parsed.given.has(option));
  for (const found of parsed.found) {
    const isArchive = found.option === "-f" || found.option === "--file";
    if (isArchive && !parsed.given.has("--force-local") && /^[^/]*:/.test(knownPrefix(found.word)))
      emitOpaque(session, owner.name, "elsewhere", "an archive on another host");
    const renamed = /^--(?:transform|xform)$/.test(found.option ?? "") ? replacement(found.word) : undefined;
    if (renamed !== undefined && extracts && !prints)
      emitFile(session, owner, { ...found, role: "write", word: literal(renamed) }, "write", "path");
    if (found.option === undefined && extracts && !prints) emitFile(session, owner, found, "write", "plain");
  }
}

/** What `s,PATTERN,NAME,` puts before or in the place of names, where it is a way somewhere. */
function replacement(word: Word): string | undefined {
  const text = knownPrefix(word);
  const at = text.search(/(?:^|;)s[^\w\s]/);
  if (at === -1) return undefined;
  const rule = text.slice(text[at] === ";" ? at + 2 : at + 1);
  const name = rule.split(rule[0] ?? ",")[2] ?? "";
  return name.includes("/") ? name : undefined;
}

/** `zip -@`, `wc --files0-from=-`: each line of the input that is known is a file. */
function listedFiles(session: Session, owner: Owner, parsed: ParsedCommand): void {
  const options = owner.spec.lists?.split(" ") ?? [];
  if (options.length === 0) return;
  for (const { word, option } of parsed.found) {
    const content = options.includes(option ?? "") ? printed.contentOf(session, word) : undefined;
    if (content !== undefined) readLines(session, owner, [content]);
  }
  const isListed = options.some((name) => {
    if (!parsed.given.has(name)) return false;
    const values = parsed.found.filter(({ role, option }) => option === name && role === "read");
    return values.length === 0 || values.some(({ word }) => STANDARD_INPUT.test(textOf(word) ?? ""));
  });
  if (!isListed || session.stdin.kind !== "text") return;
  readLines(session, owner, session.stdin.text);
}

function readLines(session: Session, owner: Owner, text: Text): void {
  for (const line of linesOf(text)) {
    const word = wordOf(line);
    // `git cat-file --batch` prints whatever object an unknown line names.
    const look = owner.name === "git" && word.kind === "unknown" ? "path" : "name";
    emitFile(session, owner, { role: "read", word, option: "standard input" }, "read", look);
  }
}

/** A file that is the standard input, whose name a program opens itself. */
export const STANDARD_INPUT = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/(?:self|thread-self)\/fd\/0)$/;

/** More lines than this are as good as unknown. */
const LINES = 100;

function linesOf(text: Text): readonly Text[] {
  const lines: Text[number][][] = [[]];
  for (const part of text) {
    const pieces = typeof part === "string" ? part.split(/[\n\0]/) : [part];
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) lines.push([]);
      if (piece !== "") lines.at(-1)?.push(piece);
    }
  }
  const filled = lines.filter((line) => line.length > 0);
  return filled.length > LINES ? [[...partsOf(UNKNOWN)]] : filled;
}

const UNKNOWN = { kind: "unknown", source: "unknown", many: true } as const;
