import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { decodeBytes, encodeBytes } from "../core/bytes.ts";

/** What lstat(2) says of a path. */
export type Kind = "none" | "link" | "folder" | "other";

export interface Entry {
  readonly name: string;
  readonly path: string;
  readonly kind: Kind;
}

interface Kept {
  readonly stat: Stats;
  readonly entries: readonly Entry[];
}

/** Lists of folders that have not changed since; a process that judges for long walks the same tree again and again. */
const kept = new Map<string, Kept>();
const MOST_ENTRIES = 100_000;
let entriesKept = 0;

/** File systems may give the changes of up to two seconds one time (FAT), so a list is kept only of older changes. */
const SETTLED_MS = 3000;

/**
 * The entries of a folder. Adding, removing or renaming one changes the folder's times (inode(7), "ctime" cannot be
 * set by a program), so one stat(2) tells whether a list from before still holds.
 *
 * @throws what readdir(3) and stat(2) throw.
 */
export function listFolder(path: string): readonly Entry[] {
  const bytes = toBytes(path);
  const now = statSync(bytes);
  const before = kept.get(path);
  if (before !== undefined) {
    if (isUnchanged(before.stat, now)) return before.entries;
    kept.delete(path);
    entriesKept -= before.entries.length;
  }
  const isSettled = Date.now() - Math.max(now.ctimeMs, now.mtimeMs) > SETTLED_MS;
  const entries = readFolder(bytes, path.endsWith("/") ? path : `${path}/`);
  if (isSettled) keep(path, { stat: now, entries });
  return entries;
}

function isUnchanged(one: Stats, other: Stats): boolean {
  return (
    one.ctimeMs === other.ctimeMs &&
    one.mtimeMs === other.mtimeMs &&
    one.ino === other.ino &&
    one.dev === other.dev
  );
}

function keep(path: string, list: Kept): void {
  if (list.entries.length > MOST_ENTRIES) return;
  if (entriesKept + list.entries.length > MOST_ENTRIES) {
    kept.clear();
    entriesKept = 0;
  }
  kept.set(path, list);
  entriesKept += list.entries.length;
}

/** Names as bytes cost twice as much, so they are read again only where one is not UTF-8. */
function readFolder(path: Buffer | string, before: string): readonly Entry[] {
  const entries = readdirSync(path, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes("\ufffd")))
    return entries.map((entry) => entryOf(entry.name, entry, before));
  const raw = readdirSync(path, { withFileTypes: true, encoding: "buffer" });
  return raw.map((entry) => entryOf(decodeBytes(entry.name), entry, before));
}

function entryOf(name: string, entry: Dirent<string | Buffer>, before: string): Entry {
  return { name, path: before + name, kind: kindOfEntry(entry) };
}

export function kindOfEntry(entry: Pick<Dirent, "isDirectory" | "isSymbolicLink">): Kind {
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}

const SURROGATE = /\p{Surrogate}/u;

/** Names that are not UTF-8 keep their bytes. */
export function toBytes(path: string): Buffer | string {
  return SURROGATE.test(path) ? Buffer.from(encodeBytes(path)) : path;
}
