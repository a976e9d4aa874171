import { type BigIntStats, lstatSync, realpathSync, statSync } from "node:fs";
import type { PathRecord } from "../plan/types.ts";

const S_IFMT = 0o170000n;

/** What a granted path is for. `proc` and `shared-rw` stand for /proc and /dev/shm, which a plan treats by name. */
export type GrantKind = "read" | "read-exec" | "device" | "shared-rw" | "proc";

export interface Grant extends PathRecord {
  readonly kind: GrantKind;
}

/**
 * A path with all links resolved and the identity of what is there, or undefined when nothing is, or nothing that may
 * be seen. The launcher opens it without following links and compares, so a change after this stops the run.
 */
export function pathRecord(path: string): PathRecord | undefined {
  try {
    const seen = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (seen === undefined) return undefined;
    return {
      path: realpathSync.native(path),
      dev: seen.dev,
      ino: seen.ino,
      type: Number(seen.mode & S_IFMT),
    };
  } catch {
    return undefined;
  }
}

/** As {@link pathRecord} for an entry of a folder whose own path is resolved: one call where it is no link. */
export function entryRecord(folder: string, name: string): PathRecord | undefined {
  const path = `${folder}/${name}`;
  const seen = entryStat(path);
  if (seen === undefined || seen.isSymbolicLink()) return pathRecord(path);
  return { path, dev: seen.dev, ino: seen.ino, type: Number(seen.mode & S_IFMT) };
}

/** Nothing is there where what stands for the folder is a file, such as `.git` in a linked worktree. */
function entryStat(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** A resolved path as it is now; undefined when it is gone, has become a link or is of another type. */
export function lookAgain<T extends PathRecord>(known: T): T | undefined {
  try {
    const seen = lstatSync(known.path, { bigint: true, throwIfNoEntry: false });
    if (seen === undefined || Number(seen.mode & S_IFMT) !== known.type) return undefined;
    return { ...known, dev: seen.dev, ino: seen.ino };
  } catch {
    return undefined;
  }
}

/** Whether `path` is `folder` or lies in it. Both are absolute and resolved. */
export function isWithin(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

/** Without the paths that a folder of the same kind already covers. */
export function withoutCovered(grants: readonly Grant[]): readonly Grant[] {
  const key = (kind: GrantKind, path: string): string => `${kind} ${path}`;
  const all = new Map(grants.map((grant) => [key(grant.kind, grant.path), grant]));
  const covered = ({ kind, path }: Grant): boolean => {
    if (kind === "read" && all.has(key("read-exec", path))) return true;
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (all.has(key(kind, folder)) || (kind === "read" && all.has(key("read-exec", folder)))) return true;
    }
    return false;
  };
  return [...all.values()].filter((grant) => !covered(grant)).sort((a, b) => (a.path < b.path ? -1 : 1));
}
