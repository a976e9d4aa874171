import { type BigIntStats, type Dirent, lstatSync, readdirSync } from "node:fs";
import { constants } from "node:os";
import { decodeBytes, encodeBytes } from "../core/bytes.ts";
import type { PathRecord, WalkEntry, WalkRequest, WalkResult } from "../plan/types.ts";
import type { WalkStatus } from "../plan/wire.ts";
import { endsWithin } from "./odd-files.ts";

type Name = Buffer<ArrayBufferLike>;

const S_IFMT = 0o170000n;
const SLASH = Buffer.from("/");

/** A folder that is still to be read. */
interface Folder {
  readonly path: Name;
  /** Relative to the root of the walk; empty for the root itself. */
  readonly relative: Name;
  /** The root has 1. */
  readonly depth: number;
  /** Its name matched, or that of a folder above it: all that lies in it is reported. */
  readonly reported: boolean;
}

/**
 * The walk of docs/wire.md without a launcher: the same names are reported, links are never followed, and only what
 * is reported is looked at beyond its name.
 *
 * It goes by paths, as Node has no calls relative to descriptors. A folder that is not the same one before and after
 * it was read counts as unreadable, so that a swapped folder is never taken for an empty one.
 */
export function walkNode(request: WalkRequest): WalkResult {
  const problem = rootProblem(request.root);
  const walk = new Walk(request);
  return problem === undefined ? walk.all() : walk.result("root", problem);
}

/** Why the root cannot be walked, as an errno; 0 when it is another folder than the one that was judged. */
function rootProblem(root: PathRecord): number | undefined {
  const seen = look(Buffer.from(encodeBytes(root.path)));
  if (typeof seen === "number") return seen;
  const same = seen.dev === root.dev && seen.ino === root.ino && Number(seen.mode & S_IFMT) === root.type;
  return same && seen.isDirectory() ? undefined : 0;
}

class Walk {
  readonly #request: WalkRequest;
  readonly #matches: (name: Name) => boolean;
  readonly #alone: (name: Name) => boolean;
  readonly #entries: WalkEntry[] = [];
  #folders = 0n;
  #names = 0n;

  constructor(request: WalkRequest) {
    this.#request = request;
    this.#matches = nameMatcher(request.names);
    this.#alone = nameMatcher(request.alone);
  }

  all(): WalkResult {
    const root = Buffer.from(encodeBytes(this.#request.root.path));
    const open: Folder[] = [{ path: root, relative: Buffer.alloc(0), depth: 1, reported: false }];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      if (folder.depth > this.#request.maxDepth) return this.result("depth-limit");
      for (const entry of this.#read(folder)) {
        if (this.#names >= this.#request.maxEntries) return this.result("entry-limit");
        const below = this.#take(folder, entry);
        if (below !== undefined) open.push(below);
      }
    }
    return this.result("complete");
  }

  result(status: WalkStatus, errno = 0): WalkResult {
    const counts = { folders: this.#folders, entries: this.#names, reported: BigInt(this.#entries.length) };
    return { status, errno, entries: this.#entries, counts };
  }

  /** The content of a folder; nothing where it cannot be known, which is reported. */
  #read(folder: Folder): readonly Dirent<Name>[] {
    const before = look(folder.path);
    // Gone since its name was read. The root was there a moment ago: that it is gone is no empty workspace.
    if (before === constants.errno.ENOENT && folder.depth > 1) return [];
    if (typeof before === "number") return this.#unreadable(folder, undefined, before);
    if (!before.isDirectory()) return this.#unreadable(folder, before, constants.errno.ENOTDIR);
    let content: readonly Dirent<Name>[];
    try {
      content = readdirSync(folder.path, { withFileTypes: true, encoding: "buffer" });
    } catch (error) {
      return this.#unreadable(folder, before, errnoOf(error));
    }
    const after = look(folder.path);
    const same = typeof after !== "number" && after.dev === before.dev && after.ino === before.ino;
    if (!same) return this.#unreadable(folder, before, constants.errno.ESTALE);
    this.#folders += 1n;
    return content;
  }

  /** What matters under any name. */
  #isOdd(entry: Dirent<Name>, path: Name): boolean {
    if (!this.#request.odd) return false;
    if (entry.isSymbolicLink()) return hasControl(entry.name) || !endsWithin(this.#request.root.path, path);
    return hasControl(entry.name) || (!entry.isFile() && !entry.isDirectory());
  }

  #unreadable(folder: Folder, stat: BigIntStats | undefined, errno: number): readonly never[] {
    this.#entries.push(toEntry("unreadable", folder.relative, stat, errno));
    return [];
  }

  /** Reports an entry whose name matters; returns it as a folder to be read where it is one. */
  #take(folder: Folder, entry: Dirent<Name>): Folder | undefined {
    this.#names += 1n;
    const matched = folder.reported || this.#matches(entry.name);
    const relative = folder.depth === 1 ? entry.name : Buffer.concat([folder.relative, SLASH, entry.name]);
    const path = Buffer.concat([folder.path, SLASH, entry.name]);
    let isFolder = entry.isDirectory();
    if (matched || hasHighByte(entry.name) || this.#alone(entry.name) || this.#isOdd(entry, path)) {
      const stat = look(path);
      if (stat === constants.errno.ENOENT) return undefined;
      if (typeof stat === "number") this.#entries.push(toEntry("entry", relative, undefined, stat));
      else {
        isFolder = stat.isDirectory();
        this.#entries.push(toEntry("entry", relative, stat, 0));
      }
    }
    return isFolder ? { path, relative, depth: folder.depth + 1, reported: matched } : undefined;
  }
}

function hasControl(name: Name): boolean {
  return name.some((byte) => byte < 0x20 || byte === 0x7f);
}

function look(path: Name): BigIntStats | number {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    return errnoOf(error);
  }
}

/** As a positive number of this system. */
function errnoOf(error: unknown): number {
  const { code } = error as NodeJS.ErrnoException;
  const known: Readonly<Record<string, number>> = constants.errno;
  return known[code ?? ""] ?? constants.errno.EIO;
}

function toEntry(
  kind: WalkEntry["kind"],
  relative: Name,
  stat: BigIntStats | undefined,
  errno: number,
): WalkEntry {
  return {
    kind,
    mode: Number(stat?.mode ?? 0),
    nlink: Number(stat?.nlink ?? 0),
    dev: stat?.dev ?? 0n,
    ino: stat?.ino ?? 0n,
    size: stat?.size ?? 0n,
    mtimeNs: stat?.mtimeNs ?? 0n,
    ctimeNs: stat?.ctimeNs ?? 0n,
    errno,
    path: decodeBytes(relative),
  };
}

function hasHighByte(name: Name): boolean {
  return name.some((byte) => byte >= 0x80);
}

/** `*` any run of bytes, `?` one byte, other bytes themselves, ASCII letters in either case. */
function nameMatcher(patterns: readonly string[]): (name: Name) => boolean {
  const folded = patterns.map((pattern) => lower(Buffer.from(encodeBytes(pattern))));
  return (name) => {
    const text = lower(name);
    return folded.some((pattern) => matches(pattern, text));
  };
}

/** Bytes as characters, so that a pattern is compared byte by byte. */
function lower(bytes: Name): string {
  return bytes.toString("latin1").replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Greedy with one point to go back to, the last star: linear in pattern times name, whatever the pattern. */
function matches(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let taken = 0;
  for (let i = 0; i < name.length; ) {
    const char = pattern[at];
    if (char === "*") {
      star = at;
      at += 1;
      taken = i;
    } else if (char === "?" || char === name[i]) {
      at += 1;
      i += 1;
    } else if (star >= 0) {
      at = star + 1;
      taken += 1;
      i = taken;
    } else return false;
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
