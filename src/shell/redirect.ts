import type { HereDoc, Redirect, Redirection } from "unbash";
import { checkText } from "./arithmetic.ts";
import { Choices, NO_CHOICE } from "./choices.ts";
import { expandQuoted, expandTarget, expandText } from "./expand.ts";
import { LIMITS } from "./limits.ts";
import { throughLinks } from "./made-links.ts";
import { resolve } from "./path.ts";
import type { Runner } from "./runner.ts";
import type { Session, Stdin } from "./session.ts";
import type { Word } from "./types.ts";
import { concat, hole, known, literal, type Text, textOf } from "./value.ts";

export interface Redirected {
  /** What descriptor 0 reads from, when it was redirected. */
  readonly stdin: Stdin | undefined;
  /** Descriptor 1 goes elsewhere. */
  readonly stdout: boolean;
  /** Tells what went to the files that the command wrote. */
  readonly wrote: (out: Text) => void;
}

export function runRedirections(
  session: Session,
  redirects: readonly Redirection[],
  runner: Runner,
): Redirected {
  session.takeWords(redirects.length);
  let stdin: Stdin | undefined;
  let stdout = false;
  const files: { word: Word; append: boolean }[] = [];
  for (const node of redirects) {
    runner.words(session, node);
    const fd = descriptor(session, node);
    if (node.type === "Redirect") {
      const words = targets(session, node);
      const output =
        /^(>|>>|>\||&>|&>>)$/.test(node.operator) || (node.operator === ">&" && !isDescriptor(words));
      const one = node.operator.startsWith("&") || (fd ?? (node.operator.startsWith("<") ? 0 : 1)) === 1;
      if (output && one) stdout = true;
      else if (node.operator === ">&" && (fd ?? 1) === 1) stdout = true;
      if (output && one) for (const word of words) files.push({ word, append: node.operator.includes(">>") });
      if (!output && (fd ?? 0) === 0 && node.operator.startsWith("<"))
        stdin = processInput(session, node) ?? fileInput(session, words);
      emitTargets(session, node, words, output);
    } else if ((fd ?? 0) === 0) {
      const text = node.type === "HereDoc" ? hereText(session, node) : hereString(session, node.target);
      stdin = { kind: "text", text };
    }
  }
  return { stdin, stdout, wrote: (out) => record(session, files, out) };
}

function descriptor(session: Session, node: Redirection): number | undefined {
  const fd = node.descriptor;
  if (fd === undefined) return undefined;
  if (fd.type === "FileDescriptor") return fd.value;
  if (/[[\]]/.test(fd.name)) checkText(session, [fd.name]);
  session.countAssignment(fd.name);
  session.scope.set(fd.name, { values: [hole("integer")] });
  return 99;
}

/** Every word that the target may be. */
function targets(session: Session, node: Redirect): readonly Word[] {
  const target = node.target;
  if (target === undefined) {
    session.problem("a redirection without a target");
    return [];
  }
  // Without parts or a tilde it is what it says.
  if (target.parts === undefined && !target.text.includes("~")) return [literal(target.value)];
  const choices = new Choices();
  const out: Word[] = [];
  do out.push(expandTarget(target, session.expandEnv(choices.pick)));
  while (choices.next());
  return out;
}

const isDescriptor = (words: readonly Word[]): boolean =>
  words.every(
    (word) => /^(\d*-?)$/.test(textOf(word) ?? "x") || (word.kind === "unknown" && word.source === "integer"),
  );

function emitTargets(session: Session, node: Redirect, words: readonly Word[], output: boolean): void {
  if (node.target?.parts?.some((part) => part.type === "ProcessSubstitution") === true) return;
  for (const path of words) {
    if (!output && (node.operator === ">&" || node.operator === "<&")) continue;
    const tcp = /^\/dev\/(tcp|udp)\//.exec(textOf(path) ?? "");
    if (tcp !== null) session.emit({ kind: "network", command: tcp[0].slice(0, -1), target: path });
    const base = { path, from: "redirection", look: "path", command: undefined, option: undefined } as const;
    if (output || node.operator === "<>") session.emit({ kind: "write", ...base });
    if (!output) session.emit({ kind: "read", ...base });
  }
}

/** `< <(command)`. */
function processInput(session: Session, node: Redirect): Stdin | undefined {
  const [part, ...rest] = node.target?.parts ?? [];
  const text =
    part?.type === "ProcessSubstitution" && rest.length === 0 ? session.printed.get(part) : undefined;
  return text === undefined ? undefined : { kind: "text", text };
}

function fileInput(session: Session, words: readonly Word[]): Stdin {
  const [word] = words;
  const path = words.length === 1 ? textOf(word) : undefined;
  if (path === "/dev/null") return { kind: "empty" };
  const [cwd] = session.scope.cwds ?? [];
  const content =
    path !== undefined && cwd !== undefined ? session.scope.written.get(resolve(cwd, path)) : undefined;
  if (content !== undefined) return { kind: "text", text: [content] };
  return words.length === 1 && word !== undefined ? { kind: "file", path: word } : { kind: "file" };
}

function hereText(session: Session, node: HereDoc): Text {
  const { body, delimiter } = node;
  if (delimiter === undefined) session.problem("a here-document without a delimiter");
  const raw = node.operator === "<<-" ? untab(body.text) : body.text;
  if (delimiter?.quoted === true) return [raw];
  if (body.parts === undefined)
    return [raw.replace(/\\([\\$`\n])/g, (_, char: string) => (char === "\n" ? "" : char))];
  const text = expandQuoted(body.parts, session.expandEnv(NO_CHOICE));
  return node.operator === "<<-" ? text.map((part) => (typeof part === "string" ? untab(part) : part)) : text;
}

const untab = (text: string): string => text.replace(/^\t+/gm, "");

function hereString(session: Session, target: Parameters<typeof expandText>[0] | undefined): Text {
  if (target === undefined) {
    session.problem("a here-string without a word");
    return hole("unknown");
  }
  return concat(expandText(target, session.expandEnv(NO_CHOICE)), ["\n"]);
}

function record(session: Session, files: readonly { word: Word; append: boolean }[], out: Text): void {
  let last: string | undefined;
  for (const { word, append } of files) {
    const path = textOf(word);
    // Emptied again at once, the file is what it was.
    if (!append && path !== undefined && path === last) continue;
    noteWritten(session, word, append, known(out));
    last = append ? undefined : path;
  }
}

/** Remembers what the text itself writes to a file, so that running it later is judged by its content. */
export function noteWritten(
  session: Session,
  word: Word,
  append: boolean,
  content: string | undefined,
): void {
  const path = textOf(word);
  if (path === undefined || path === "/dev/null") return;
  const { written, links, cwds = [] } = session.scope;
  const linked = links.size === 0 ? [] : throughLinks(links, cwds, word).flatMap((one) => textOf(one) ?? []);
  for (const key of [...cwds.map((cwd) => resolve(cwd, path)), ...linked]) {
    session.built.delete(key);
    const before = append ? written.get(key) : "";
    if (append && before === undefined) noteAppended(session, key, content);
    else session.notes.appended.set(key, undefined);
    if (!written.has(key) && written.size >= LIMITS.variables) session.problem("too many files are written");
    else if (append && before === undefined) written.set(key, undefined);
    else written.set(key, content === undefined ? undefined : (before ?? "") + content);
  }
}

/** What is added to a file that was there before: of such a program the added lines are read. */
function noteAppended(session: Session, path: string, content: string | undefined): void {
  const { notes, scope } = session;
  const { appended } = notes;
  const isOther = scope.written.has(path) && !appended.has(path);
  const before = appended.has(path) ? appended.get(path) : "";
  appended.set(path, isOther || before === undefined || content === undefined ? undefined : before + content);
}

/** Whether standard input is a file of the disk that the text names and does not write: a script like any other. */
export function isScript(session: Session): boolean {
  const { stdin } = session;
  const path = stdin.kind === "file" && stdin.path !== undefined ? textOf(stdin.path) : undefined;
  if (path === undefined || /^\/(?:dev|proc)(?:\/|$)/.test(path)) return false;
  return !isWritten(session, literal(path));
}

/** Whether the text itself writes a file. */
export function isWritten(session: Session, word: Word): boolean {
  const path = textOf(word);
  if (path === undefined) return false;
  return (session.scope.cwds ?? []).some((cwd) => session.scope.written.has(resolve(cwd, path)));
}
