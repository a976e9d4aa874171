import { closeSync, constants, fstatSync, openSync, readSync, statfsSync } from "node:fs";
import { encodeBytes } from "../core/bytes.ts";
import { PaldronError } from "../core/errors.ts";
import type { WalkEntry, WalkResult } from "../plan/types.ts";
import { sha256Hex } from "./digest.ts";

/** `f_type` of overlayfs (statfs(2)), where opening a file for writing alone changes its ctime. */
const OVERLAYFS_MAGIC = 0x794c7630;
/** Bytes of one file up to which its content is compared or judged; larger files count by their metadata alone. */
const CONTENT_LIMIT = 1024 * 1024;

const S_IFMT = 0o170000;
const S_IFREG = 0o100000;

/** What the walk of the workspace saw of the files whose names matter, before or after a run. */
export interface Snapshot {
  readonly entries: ReadonlyMap<string, WalkEntry>;
  /** Folders that could not be read, with the errno. */
  readonly unreadable: ReadonlyMap<string, number>;
  /** SHA-256 by path; only on overlayfs, only small files. */
  readonly digests: ReadonlyMap<string, string>;
  readonly folders: bigint;
  /** Names seen, matching or not. */
  readonly names: bigint;
}

/** Builds a snapshot from a finished walk; a walk that was cut short is broken, never a smaller truth. */
export function takeSnapshot(root: string, walk: WalkResult): Snapshot {
  if (walk.status !== "complete") {
    throw new PaldronError("scan", `the workspace could not be walked completely: ${walkProblem(walk)}`);
  }
  const entries = new Map<string, WalkEntry>();
  const unreadable = new Map<string, number>();
  for (const entry of walk.entries) {
    if (entry.kind === "unreadable") unreadable.set(entry.path, entry.errno);
    else entries.set(entry.path, entry);
  }
  const digests = digestsOnOverlay(root, entries);
  return { entries, unreadable, digests, folders: walk.counts.folders, names: walk.counts.entries };
}

function walkProblem(walk: WalkResult): string {
  if (walk.status === "entry-limit") return "it holds too many entries";
  if (walk.status === "depth-limit") return "its folders are nested too deeply";
  return `its folder changed or cannot be opened (errno ${walk.errno})`;
}

function digestsOnOverlay(root: string, entries: ReadonlyMap<string, WalkEntry>): Map<string, string> {
  const digests = new Map<string, string>();
  if (entries.size === 0 || statfsSync(root).type !== OVERLAYFS_MAGIC) return digests;
  for (const [path, entry] of entries) {
    const isSmall = (entry.mode & S_IFMT) === S_IFREG && entry.size <= BigInt(CONTENT_LIMIT);
    const content = isSmall ? readContent(root, path) : undefined;
    if (content !== undefined) digests.set(path, sha256Hex(content));
  }
  return digests;
}

/**
 * Reads a regular file of the workspace, at most {@link CONTENT_LIMIT} bytes; undefined when it is larger, no
 * regular file, or cannot be read. Links are not followed; FIFOs are not waited for.
 */
export function readContent(root: string, path: string): Uint8Array | undefined {
  let fd: number;
  try {
    // By its bytes: as a string, `\udcff.pem` would be opened as `\ufffd.pem`, which the run may have put there.
    const file = Buffer.from(encodeBytes(`${root}/${path}`));
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > CONTENT_LIMIT) return undefined;
    const buffer = new Uint8Array(CONTENT_LIMIT + 1);
    let length = 0;
    for (;;) {
      const n = readSync(fd, buffer, length, buffer.length - length, null);
      if (n === 0) return buffer.subarray(0, length);
      length += n;
      if (length > CONTENT_LIMIT) return undefined;
    }
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
