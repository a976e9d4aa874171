import { lstatSync } from "node:fs";
import { encodeBytes } from "../core/bytes.ts";
import type { WalkEntry } from "../plan/types.ts";
import type { SecretMatch, SecretMatcher } from "../policy/secrets.ts";
import { isHarmlessContent } from "../secrets/pem.ts";
import { oddFiles } from "./odd-files.ts";
import { readContent, type Snapshot } from "./snapshot.ts";

const S_IFMT = 0o170000;
const S_IFDIR = 0o040000;
const S_IFREG = 0o100000;

/** A file that the run left and that the policy forbids. */
export interface ProducedFile {
  /** Relative to the workspace. */
  readonly path: string;
  /** Id of the rule: `deny_globs[0]`, `builtin:secrets[3]`. */
  readonly rule: string;
  readonly code: "secret" | "deny_glob" | "unreadable" | "runs_later";
  /** What happened to it. */
  readonly change: "created" | "changed" | "removed" | "unreadable";
  /** Of a file that runs later: whether it is again what it was before the run. */
  readonly restored?: boolean;
  /** Of a configuration: the keys that may run something. */
  readonly what?: string;
}

/** Something seen in the workspace that does not change the verdict. */
export interface FileFinding {
  readonly code:
    | "secret-removed"
    | "secret-moved"
    | "changed-outside"
    | "harmless-content"
    | "runs-later"
    | "unreadable-folder"
    | "link-outside"
    | "special-file"
    | "odd-name";
  readonly path: string;
  /** How many others of the same code are not listed. */
  readonly more?: number;
}

/** A limit that a failed run may have met. */
export interface LimitFinding {
  readonly code: "limit-met";
  /** Key of the policy. */
  readonly limit: string;
  readonly text: string;
}

/** What was printed would do more to a terminal than colour. */
export interface OutputFinding {
  readonly code: "terminal-sequences";
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

export type Finding = FileFinding | LimitFinding | OutputFinding;

export interface ScanResult {
  readonly produced: readonly ProducedFile[];
  readonly findings: readonly FileFinding[];
}

export interface ScanInput {
  readonly root: string;
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly matcher: SecretMatcher;
  /** Paths that were covered during the whole run: what changed there was changed by somebody else. */
  readonly masked?: ReadonlySet<string>;
}

/**
 * Compares the workspace before and after a run (never clocks: a new file's ctime can lie before the time that was
 * read just before it was made). A matching name that was not there, or whose identity or metadata differ, is a hit.
 * Paths are sorted, so that the same run gives the same message.
 */
export function compareSnapshots(input: ScanInput): ScanResult {
  const produced: ProducedFile[] = [];
  const findings: FileFinding[] = [];
  for (const [path, entry] of input.after.entries) {
    if (isFolder(entry)) continue;
    const match = input.matcher.match(path);
    if (match === undefined || !differs(input, path, entry)) continue;
    if (stayedCovered(input, path)) findings.push({ code: "changed-outside", path });
    else if (judgedHarmless(input.root, path, entry, match))
      findings.push({ code: "harmless-content", path });
    else produced.push({ path, rule: match.rule, code: match.code, change: changeOf(input, path) });
  }
  collectUnreadable(input, produced, findings);
  collectMoved(input, findings);
  findings.push(...oddFiles(input.root, input.before, input.after));
  for (const [path, entry] of input.before.entries) {
    if (
      !isFolder(entry) &&
      input.masked?.has(path) !== true &&
      !input.after.entries.has(path) &&
      input.matcher.match(path) !== undefined
    ) {
      findings.push({ code: "secret-removed", path });
    }
  }
  const byPath = (a: { path: string }, b: { path: string }): number =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
  return { produced: produced.sort(byPath), findings: findings.sort(byPath) };
}

/** One result of both comparisons. What is a secret as well is named as one. */
export function joinScans(secrets: ScanResult, later: ScanResult): ScanResult {
  const named = new Set(secrets.produced.map(({ path }) => path));
  return {
    produced: [...secrets.produced, ...later.produced.filter(({ path }) => !named.has(path))],
    findings: [...secrets.findings, ...later.findings],
  };
}

/** Whether a name that was seen during the run will be a hit if it stays as it is. Content is judged at the end. */
export function mayBeProduced(input: Omit<ScanInput, "after">, entry: WalkEntry): boolean {
  const { path } = entry;
  if (entry.kind === "unreadable" && !input.before.entries.has(path)) {
    return !input.before.unreadable.has(path) || isOwn(input.root, path);
  }
  if (isFolder(entry) || input.matcher.match(path) === undefined || isHidden(input, entry)) return false;
  return entry.kind === "unreadable" || differs({ ...input, after: input.before }, path, entry);
}

/** The run could open a folder of its user's own again. */
function isOwn(root: string, path: string): boolean {
  try {
    return lstatSync(Buffer.from(encodeBytes(`${root}/${path}`))).uid === process.getuid?.();
  } catch {
    return true;
  }
}

/** It lies under a mask; the file at the mask's own place must still be the one that was covered. */
function isHidden({ before, masked }: Omit<ScanInput, "after">, { path, dev, ino }: WalkEntry): boolean {
  for (let at = path.length; at > 0; at = path.lastIndexOf("/", at - 1)) {
    const name = path.slice(0, at);
    if (masked?.has(name) !== true) continue;
    const then = before.entries.get(name);
    return at < path.length || ino === 0n || (then?.dev === dev && then.ino === ino);
  }
  return false;
}

/** A folder that could be read (or was absent) before and cannot be read now may hide anything: it is a hit. */
function collectUnreadable(input: ScanInput, produced: ProducedFile[], findings: FileFinding[]): void {
  for (const path of input.after.unreadable.keys()) {
    if (input.before.unreadable.has(path)) findings.push({ code: "unreadable-folder", path });
    else produced.push({ path, rule: "builtin:scan", code: "unreadable", change: "unreadable" });
  }
}

/** The path, or a folder above it, was masked and is still what it was: the run could not reach it. */
function stayedCovered(input: ScanInput, path: string): boolean {
  for (let at = path.length; at > 0; at = path.lastIndexOf("/", at - 1)) {
    const name = path.slice(0, at);
    if (input.masked?.has(name) === true) return sameFile(input, name);
  }
  return false;
}

function sameFile({ before, after }: ScanInput, path: string): boolean {
  const [then, now] = [before.entries.get(path), after.entries.get(path)];
  return then !== undefined && now !== undefined && then.dev === now.dev && then.ino === now.ino;
}

/** A mask covers a place: when the file behind it is another one, what the run could see of it is not known. */
function collectMoved(input: ScanInput, findings: FileFinding[]): void {
  for (const path of input.masked ?? []) {
    if (input.before.entries.has(path) && !sameFile(input, path))
      findings.push({ code: "secret-moved", path });
  }
}

function isFolder(entry: WalkEntry): boolean {
  return (entry.mode & S_IFMT) === S_IFDIR;
}

function changeOf(input: ScanInput, path: string): "created" | "changed" {
  return input.before.entries.has(path) ? "changed" : "created";
}

function differs(input: ScanInput, path: string, now: WalkEntry): boolean {
  const then = input.before.entries.get(path);
  if (then === undefined) return true;
  const same =
    then.dev === now.dev &&
    then.ino === now.ino &&
    then.size === now.size &&
    then.mode === now.mode &&
    then.nlink === now.nlink &&
    then.mtimeNs === now.mtimeNs;
  if (!same) return true;
  if (then.ctimeNs === now.ctimeNs) return false;
  // On overlayfs an open for writing copies the file up and so moves its ctime; there the content decides.
  const digest = input.before.digests.get(path);
  return digest === undefined || digest !== input.after.digests.get(path);
}

/** Where the name alone does not decide (`*.pem`, dependency folders), the content can clear a file. */
export function judgedHarmless(root: string, path: string, entry: WalkEntry, match: SecretMatch): boolean {
  if (match.content === undefined || (entry.mode & S_IFMT) !== S_IFREG) return false;
  const content = readContent(root, path);
  return content !== undefined && isHarmlessContent(match.content, content);
}

/** Paths that a run should not be able to read, as they stand before it. */
export function secretsIn(root: string, before: Snapshot, matcher: SecretMatcher): readonly string[] {
  const secrets: string[] = [];
  for (const [path, entry] of before.entries) {
    const match = isFolder(entry) ? undefined : matcher.match(path);
    if (match === undefined || match.inDependency) continue;
    if (!judgedHarmless(root, path, entry, match)) secrets.push(path);
  }
  return secrets.sort();
}
