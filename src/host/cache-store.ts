import { lstatSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { CACHES, type CacheRule } from "../plan/home-caches.ts";
import type { PathRecord } from "../plan/types.ts";
import { isWithin, pathRecord } from "./path-record.ts";
import { startOfProcess } from "./process-start.ts";
import { removeBelow } from "./remove-below.ts";

/** The kept caches of one workspace, for runs with or without the network. */
export interface CacheStore {
  /** The folder around all stores. */
  readonly base: string;
  /** The folder of this one. */
  readonly path: string;
  /** The folder around its caches. */
  readonly around: PathRecord;
  /** Those that this run may use, by their names. */
  readonly folders: ReadonlyMap<string, PathRecord>;
  /** Bytes that were free where it lies. */
  readonly freeBytes: number;
  /** Ends the use of it by this run. */
  release(): void;
}

export interface CacheStoreInput {
  readonly home: string | undefined;
  /** XDG_CACHE_HOME of the caller. */
  readonly cacheHome: string | undefined;
  readonly workspace: PathRecord;
  readonly network: boolean;
}

const PRIVATE_MODE = 0o700;
let uses = 0;

/**
 * Opens the store for a run, and makes it where it is missing. Undefined where nothing can be kept: no home of one's
 * own, or a workspace around the store, in which runs could exchange it.
 */
export function openCacheStore(input: CacheStoreInput): CacheStore | undefined {
  try {
    const base = storeBase(input);
    if (base === undefined) return undefined;
    const path = `${base}/${storeKey(input)}`;
    const around = pathRecord(makeFolder(`${makeFolder(path)}/caches`));
    if (around === undefined || around.path !== `${path}/caches`) return undefined;
    const release = announce(makeFolder(`${path}/runs`));
    try {
      const alone = liveRuns(path) === 1;
      const folders = new Map<string, PathRecord>();
      for (const rule of CACHES) {
        const record = cacheFolder(around.path, rule, alone);
        if (record !== undefined) folders.set(rule.folder, record);
      }
      return { base, path, around, folders, freeBytes: freeBytes(base), release };
    } catch {
      release();
      return undefined;
    }
  } catch {
    // A cache is a convenience: what is wrong with it is no reason not to run.
    return undefined;
  }
}

/** `~/.cache/paldron/workspaces`, if it is the caller's own and out of reach of the workspace. */
function storeBase({ home, cacheHome, workspace }: CacheStoreInput): string | undefined {
  const parent = cacheHome?.startsWith("/") === true ? cacheHome : home && `${home}/.cache`;
  if (parent?.startsWith("/") !== true) return undefined;
  const uid = process.getuid?.();
  // Root with the home of another user leaves nothing there.
  if (home !== undefined && statSync(home).uid !== uid) return undefined;
  mkdirSync(parent, { recursive: true, mode: PRIVATE_MODE });
  const real = pathRecord(parent)?.path;
  if (real === undefined || isWithin(`${real}/paldron`, workspace.path)) return undefined;
  return makeFolder(`${makeFolder(`${real}/paldron`)}/workspaces`);
}

/** A folder's inode is given again after its end; the time of its birth is not. */
function storeKey({ workspace, network }: CacheStoreInput): string {
  const { birthtimeNs } = statSync(workspace.path, { bigint: true });
  const parts = [workspace.dev, workspace.ino, birthtimeNs].map((part) => part.toString(36));
  return [...parts, network ? "on" : "off"].join("-");
}

/** Makes a folder that nobody else may enter, or takes the one that is there. */
function makeFolder(path: string): string {
  const seen = lstatSync(path, { throwIfNoEntry: false });
  if (seen === undefined) mkdirSync(path, { mode: PRIVATE_MODE, recursive: true });
  else if (!seen.isDirectory() || seen.uid !== process.getuid?.() || (seen.mode & 0o077) !== 0)
    throw new Error(`${path} is not private`);
  return path;
}

/** Bytes that an ordinary user may still write where `path` lies. */
export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/**
 * One of the caches. INVARIANT: a run never finds in it what git would obey; where another run may be using that, this
 * one does without the cache.
 */
function cacheFolder(around: string, { folder, config }: CacheRule, alone: boolean): PathRecord | undefined {
  const path = `${around}/${folder}`;
  const seen = folderRecord(path);
  if (seen !== undefined && (config === undefined || isClean(path, config))) return seen;
  if (seen === undefined) mkdirSync(path, { mode: PRIVATE_MODE });
  else {
    if (!alone) return undefined;
    try {
      for (const pattern of config ?? []) {
        for (const parts of found(path, pattern.split("/"), [])) removeBelow(path, parts);
      }
    } catch {
      removeBelow(around, [Buffer.from(folder)]);
      mkdirSync(path, { mode: PRIVATE_MODE });
    }
  }
  return folderRecord(path);
}

/** A folder of a path without links. Anything else in its place was not made here. */
function folderRecord(path: string): PathRecord | undefined {
  const seen = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (seen === undefined) return undefined;
  if (!seen.isDirectory()) throw new Error(`${path} is no folder`);
  return { path, dev: seen.dev, ino: seen.ino, type: 0o040000 };
}

/** Whether nothing of that kind is there, as far as can be seen. */
function isClean(path: string, config: readonly string[]): boolean {
  try {
    return config.every((pattern) => found(path, pattern.split("/"), []).length === 0);
  } catch {
    return false;
  }
}

/** The paths below `folder` that a pattern means. */
function found(
  folder: string,
  pattern: readonly string[],
  before: readonly Buffer[],
): readonly (readonly Buffer[])[] {
  const part = pattern[before.length];
  if (part === undefined) return [before];
  return matching(folder, part, before).flatMap((name) => found(folder, pattern, [...before, name]));
}

/** Only looks, so links may be followed; what is removed is found again by descriptors. */
function matching(folder: string, part: string, before: readonly Buffer[]): readonly Buffer[] {
  const path = Buffer.concat([Buffer.from(folder), ...before.flatMap((name) => [Buffer.from("/"), name])]);
  const star = part.indexOf("*");
  if (star === -1) {
    const at = Buffer.concat([path, Buffer.from(`/${part}`)]);
    const seen = lstatSync(at, { throwIfNoEntry: false });
    return seen === undefined ? [] : [Buffer.from(part)];
  }
  if (!lstatSync(path).isDirectory()) return [];
  const names = readdirSync(path, { encoding: "buffer" });
  return names.filter((name) => name.toString("latin1").startsWith(part.slice(0, star)));
}

/** A file whose name says which process has the run, and when that began: process ids are given again. */
function announce(runs: string): () => void {
  uses += 1;
  const start = startOfProcess(process.pid);
  if (start === undefined) throw new Error("/proc does not show this process");
  const mark = `${runs}/${process.pid}.${start}.${uses}`;
  writeFileSync(mark, "", { flag: "wx", mode: 0o600 });
  return () => rmSync(mark, { force: true });
}

/** Whether a run uses the store now. */
export function isInUse(store: string): boolean {
  return liveRuns(store) > 0;
}

/** The number of runs that are announced. Marks of processes that are gone are removed. */
function liveRuns(store: string): number {
  const runs = `${store}/runs`;
  let live = 0;
  for (const name of lstatSync(runs, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(runs)) {
    const [pid, start] = name.split(".");
    if (start !== undefined && startOfProcess(Number(pid)) === start) live += 1;
    else rmSync(`${runs}/${name}`, { force: true });
  }
  return live;
}
