import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { laterData, laterFile } from "../later/names.ts";
import type { PathRecord } from "../plan/types.ts";
import type { LaterItems } from "./later-items.ts";
import { entryRecord, isWithin } from "./path-record.ts";

const S_IFDIR = 0o040000;
const S_IFREG = 0o100000;

/** What a mount namespace can hold still while a command runs. */
export interface LaterMounts {
  /** Read-only: files, and folders with all that lies in them. */
  readonly guarded: readonly PathRecord[];
  /** Folders above them, which must keep their names. */
  readonly ancestors: readonly PathRecord[];
}

interface MountSource {
  readonly root: string;
  readonly found: LaterItems;
  /** Whether a path is left alone: hidden as a secret, or given to the run by the policy. */
  readonly except: (path: string) => boolean;
}

/**
 * What of the workspace can be read-only for a whole run without being in the way of ordinary work: settings in the
 * workspace itself, the hooks of its repository, the policy, Paldron. Deeper settings, other repositories and hooks
 * among the files of a project are compared after the run only: a mount would keep the folders above from being moved
 * and removed, and moves into them from being more than copies.
 */
export function laterMounts({ root, found, except }: MountSource): LaterMounts {
  const guarded = new Map<string, PathRecord>();
  const guard = (path: string): void => {
    const record = recordOf(path);
    if (record !== undefined && !except(path)) guarded.set(path, record);
  };
  for (const path of [".git/hooks", ".git/commondir", ".git/info/attributes"]) guard(`${root}/${path}`);
  for (const { path, kind } of found.items.values()) {
    if (kind === "own") guard(path);
    else if (kind === "settings") for (const at of settingsMounts(root, path)) guard(at);
  }
  for (const path of guarded.keys()) if (coveredBy(path, guarded)) guarded.delete(path);
  return { guarded: [...guarded.values()], ancestors: ancestorsOf(root, [...guarded.keys()]) };
}

/** No link: what it leads to is looked at for itself. */
function recordOf(path: string): PathRecord | undefined {
  try {
    const record = entryRecord(dirname(path), path.slice(path.lastIndexOf("/") + 1));
    if (record?.path !== path) return undefined;
    return record.type === S_IFDIR || record.type === S_IFREG ? record : undefined;
  } catch {
    // Below something that is no folder, as `.git` is in a linked worktree; or not to be seen.
    return undefined;
  }
}

/** What is mounted for a file of settings: its whole folder, unless that holds other things too. */
function settingsMounts(root: string, path: string): readonly string[] {
  const relative = path.slice(root.length + 1);
  const top = laterFile(relative)?.top;
  if (top === undefined || !isWithin(path, root)) return [];
  const depth = top.split("/").length;
  if (top.startsWith(".github")) return [`${root}/${relative.split("/").slice(0, 2).join("/")}`];
  if (depth > 1) return [];
  const data = laterData(top);
  if (top === relative || data.length === 0) return [`${root}/${top}`];
  return entriesOf(`${root}/${top}`)
    .filter((name) => !data.includes(name))
    .map((name) => `${root}/${top}/${name}`);
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function coveredBy(path: string, guarded: ReadonlyMap<string, PathRecord>): boolean {
  for (let at = dirname(path); at.length > 1; at = dirname(at)) if (guarded.has(at)) return true;
  return false;
}

function ancestorsOf(root: string, paths: readonly string[]): readonly PathRecord[] {
  const found = new Map<string, PathRecord>();
  for (const path of paths) {
    for (let at = dirname(path); isWithin(at, root) && at !== root; at = dirname(at)) {
      const record = found.get(at) ?? recordOf(at);
      if (record !== undefined) found.set(at, record);
    }
  }
  return [...found.values()];
}
