import { PaldronError } from "../../core/errors.ts";
import { printable } from "../../core/printable.ts";
import type { Json, JsonObject } from "../../core/strict-json.ts";
import type { Beneath, EntryKind } from "../../host/beneath.ts";
import { isSecretByAnotherName } from "../../host/other-names.ts";
import { pathRecord } from "../../host/path-record.ts";
import { relativeTo } from "../../policy/paths.ts";
import { SECRET_MARK } from "../../secrets/find.ts";
import { isHarmlessContent } from "../../secrets/pem.ts";
import { workspaceMatcher } from "../workspace-walk.ts";
import { type Answer, type Desk, redactorOf } from "./desk.ts";

/** Longest text that a tool gives or takes; of a model's context it is far too much already. */
const MAX_BYTES = 1024 * 1024;
const MAX_NAMES = 5000;

/** What a call is about, held open. */
export interface FileTarget {
  /** The file or folder itself; for what is written, the nearest folder around it. */
  readonly held: Beneath;
  /** For what is written: folders that have to be made below it, and the name in the last. */
  readonly missing: readonly string[];
  readonly name: string;
  /** What the kernel calls it. */
  readonly path: string;
}

interface ActionInput {
  readonly desk: Desk;
  readonly target: FileTarget;
  readonly args: JsonObject;
}

export interface FileAction {
  readonly writes: boolean;
  readonly run: (input: ActionInput) => Answer;
}

export const FILE_ACTIONS: ReadonlyMap<string, FileAction> = new Map([
  ["read_file", { writes: false, run: readFile }],
  ["list_dir", { writes: false, run: listFolder }],
  ["write_file", { writes: true, run: writeFile }],
  ["edit_file", { writes: true, run: editFile }],
]);

function readFile({ desk, target }: ActionInput): Answer {
  return done(redactorOf(desk).clean(readText(desk, target.held, target.path)));
}

/** The text of a file that is no secret, neither by its content nor by another of its names. */
function readText(desk: Desk, held: Beneath, path: string): string {
  if (held.isFolder) throw problem("it is a folder");
  if (!held.isFile) throw problem("it is not a regular file");
  const matcher = workspaceMatcher(desk.policy, desk.workspace);
  const { root } = desk.workspace;
  if (held.facts().links > 1) {
    const record = pathRecord(root);
    if (record === undefined || isSecretByAnotherName(record, matcher, held.facts()))
      throw problem("it is a secret under another name");
  }
  const bytes = held.read(MAX_BYTES);
  if (bytes === undefined) throw problem(`it is longer than ${MAX_BYTES} bytes`);
  const match = matcher.match(relativeTo(root, path) ?? path);
  // What cleared it may have been another content than the one that was read.
  if (match?.content !== undefined && !match.inDependency && !isHarmlessContent(match.content, bytes))
    throw problem("it is a secret");
  return decode(bytes);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new PaldronError("io", "it is not UTF-8 text", { cause });
  }
}

function listFolder({ target }: ActionInput): Answer {
  if (!target.held.isFolder) throw problem("it is no folder");
  const { names, cut } = target.held.list(MAX_NAMES);
  const lines = names.map(([name, kind]) => `${printable(name, 300)}${MARKS[kind]}`).sort();
  if (cut) lines.push(`… (more than ${MAX_NAMES} names)`);
  return done(lines.join("\n"));
}

const MARKS: Readonly<Record<EntryKind, string>> = { file: "", folder: "/", link: "@", other: "?" };

function writeFile({ desk, target, args }: ActionInput): Answer {
  const content = textOf(args["content"]);
  const old = openOld(target);
  try {
    if (old !== undefined && !old.isFile) throw problem("it is not a regular file");
    if (content.includes(SECRET_MARK)) {
      const before = old === undefined ? "" : readText(desk, old, target.path);
      refuseMark(content, before);
    }
    put(target, content, old);
  } finally {
    old?.close();
  }
  return done(`${old === undefined ? "created" : "replaced"} ${printable(target.path)}`);
}

function editFile({ desk, target, args }: ActionInput): Answer {
  const [wanted, replacement] = [textOf(args["old_text"]), textOf(args["new_text"])];
  if (wanted === "") throw problem("`old_text` is empty");
  const old = openOld(target);
  if (old === undefined) throw problem("no such file or folder");
  try {
    const text = readText(desk, old, target.path);
    const at = text.indexOf(wanted);
    if (at < 0) throw problem("`old_text` is not in the file");
    if (text.indexOf(wanted, at + 1) >= 0) throw problem("`old_text` is in the file more than once");
    const content = `${text.slice(0, at)}${replacement}${text.slice(at + wanted.length)}`;
    refuseMark(content, text);
    put(target, content, old);
  } finally {
    old.close();
  }
  return done(`edited ${printable(target.path)}`);
}

/** What stands there already; undefined where nothing does. */
function openOld({ held, missing, name }: FileTarget): Beneath | undefined {
  if (missing.length > 0) return undefined;
  try {
    return held.child(name);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** What `read_file` took out of a text must not come back as its content. */
function refuseMark(content: string, before: string): void {
  if (count(content) > count(before))
    throw problem(`the text holds \`${SECRET_MARK}\` where a secret was removed; edit around it`);
}

function count(text: string): number {
  return text.split(SECRET_MARK).length - 1;
}

function put({ held, missing, name, path }: FileTarget, content: string, old: Beneath | undefined): void {
  const bytes = new TextEncoder().encode(content);
  if (bytes.length > MAX_BYTES) throw problem(`the text is longer than ${MAX_BYTES} bytes`);
  if (old !== undefined && !old.mayWrite) throw problem("permission denied");
  const made: Beneath[] = [];
  try {
    for (const folder of missing) made.push((made.at(-1) ?? held).makeFolder(folder));
    const folder = made.at(-1) ?? held;
    if (`${folder.path}/${name}` !== path) throw problem("a folder was moved while it was looked at");
    folder.replace(name, bytes, old?.facts());
  } finally {
    for (const folder of made) folder.close();
  }
}

function textOf(value: Json | undefined): string {
  if (typeof value !== "string") throw problem("an argument is no text");
  return value;
}

function done(text: string): Answer {
  return { text, isError: false };
}

function problem(why: string): PaldronError {
  return new PaldronError("io", why);
}
