import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { GitPaths } from "../plan/build.ts";
import type { PathRecord } from "../plan/types.ts";
import { entryRecord, isWithin, pathRecord } from "./path-record.ts";

const S_IFDIR = 0o040000;
const S_IFREG = 0o100000;
const MAX_FILE = 64 * 1024;
/** Folders above the workspace that are searched for a repository. */
const MAX_PARENTS = 64;

/**
 * What git executes or obeys when it is next started outside and has no reason to write. Its configuration stays
 * writable, and is compared after the run.
 */
const OBEYED = ["commondir", "gitdir", "hooks", "info/attributes", "objects/info/alternates"];

/** Git directories outside, as a plan grants them and as they are looked at. */
export interface GitDirs extends GitPaths {
  /** The writable ones. */
  readonly folders: readonly string[];
}

const NONE: GitDirs = { writable: [], readable: [], guarded: [], ancestors: [], folders: [] };

/**
 * Git directories outside of the workspace that git needs for it: those of a linked worktree or a submodule, which
 * both point back to the workspace, are writable. The one of a repository around the workspace is readable only: in
 * the new root the rest of its working tree is missing, and `git add -A` would record all of it as deleted.
 */
export function gitDirs(workspace: string): GitDirs {
  const own = recordOf(workspace, ".git");
  if (own?.type === S_IFREG) return fromFile(workspace);
  return own === undefined ? fromParent(workspace) : NONE;
}

/** An entry that is no link. */
function recordOf(folder: string, name: string): PathRecord | undefined {
  const record = safeEntry(folder, name);
  return record?.path === `${folder}/${name}` ? record : undefined;
}

function safeEntry(folder: string, name: string): PathRecord | undefined {
  try {
    return entryRecord(folder, name);
  } catch {
    return undefined;
  }
}

/** A small regular file; links are not followed, pipes not waited for. */
function readSmall(path: string): string | undefined {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!fstatSync(fd).isFile()) return undefined;
      const buffer = Buffer.alloc(MAX_FILE);
      return buffer.toString("utf8", 0, readSync(fd, buffer));
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

/** The path that a one-line file of git names, resolved against the folder it lies in. */
function pointer(path: string, prefix = ""): PathRecord | undefined {
  const text = readSmall(path)?.replace(/\r?\n$/, "");
  if (text === undefined || !text.startsWith(prefix) || /[\n\0]/.test(text)) return undefined;
  const named = text.slice(prefix.length).trim();
  return named === "" ? undefined : pathRecord(resolve(dirname(path), named));
}

function isGitDir(path: string): boolean {
  return (
    recordOf(path, "HEAD") !== undefined &&
    recordOf(path, "objects")?.type === S_IFDIR &&
    recordOf(path, "refs")?.type === S_IFDIR
  );
}

function fromFile(workspace: string): GitDirs {
  const file = `${workspace}/.git`;
  const gitDir = pointer(file, "gitdir:");
  if (gitDir === undefined || gitDir.type !== S_IFDIR || isWithin(gitDir.path, workspace)) return NONE;
  return fromWorktree(file, gitDir) ?? fromSubmodule(workspace, gitDir) ?? NONE;
}

/** INVARIANT: a `.git` file may have been planted by an earlier run; only what points back to it counts. */
function fromWorktree(file: string, gitDir: PathRecord): GitDirs | undefined {
  if (pointer(`${gitDir.path}/gitdir`)?.path !== file) return undefined;
  const common = pointer(`${gitDir.path}/commondir`);
  if (common === undefined || !isGitDir(common.path)) return undefined;
  if (dirname(gitDir.path) !== `${common.path}/worktrees`) return undefined;
  return guard([common], [common.path, gitDir.path]);
}

function fromSubmodule(workspace: string, gitDir: PathRecord): GitDirs | undefined {
  if (!isGitDir(gitDir.path) || !/\/\.git\/(?:.+\/)?modules\//.test(gitDir.path)) return undefined;
  const tree = /^[ \t]*worktree[ \t]*=[ \t]*"?([^"\n]+?)"?[ \t]*$/m.exec(
    readSmall(`${gitDir.path}/config`) ?? "",
  )?.[1];
  if (tree === undefined || pathRecord(resolve(gitDir.path, tree))?.path !== workspace) return undefined;
  return guard([gitDir], [gitDir.path]);
}

function fromParent(workspace: string): GitDirs {
  let folder = workspace;
  for (let i = 0; i < MAX_PARENTS && folder !== "/"; i += 1) {
    folder = dirname(folder);
    const found = recordOf(folder, ".git");
    if (found === undefined) continue;
    return found.type === S_IFDIR && isGitDir(found.path) ? { ...NONE, readable: [found] } : NONE;
  }
  return NONE;
}

/** The obeyed entries of each folder, with the folders between that must not be renamed. */
function guard(writable: readonly PathRecord[], folders: readonly string[]): GitDirs {
  const guarded: PathRecord[] = [];
  const ancestors = new Map<string, PathRecord>();
  for (const folder of folders) {
    for (const name of OBEYED) {
      const parent = dirname(`${folder}/${name}`);
      const record = recordOf(parent, name.slice(name.lastIndexOf("/") + 1));
      if (record === undefined) continue;
      guarded.push(record);
      for (let at = parent; !writable.some(({ path }) => path === at); at = dirname(at)) {
        const above = pathRecord(at);
        if (above === undefined || above.path !== at || at === "/") break;
        ancestors.set(at, above);
      }
    }
  }
  return { writable, readable: [], guarded, ancestors: [...ancestors.values()], folders };
}
