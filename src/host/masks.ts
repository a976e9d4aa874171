import { lstatSync } from "node:fs";
import { PaldronError } from "../core/errors.ts";
import type { SecretPaths } from "../plan/build.ts";
import { MASK_LIMIT } from "../plan/mounts.ts";
import type { PathRecord, WalkEntry } from "../plan/types.ts";
import type { SecretMatcher } from "../policy/secrets.ts";
import { liveSockets } from "./live-sockets.ts";
import { isWithin, pathRecord } from "./path-record.ts";
import { secretsIn } from "./produced.ts";
import type { Snapshot } from "./snapshot.ts";

const S_IFMT = 0o170000;
const S_IFDIR = 0o040000;
const S_IFREG = 0o100000;
const S_IFLNK = 0o120000;
const SHOWN = 3;

/** Secrets of a workspace: what is hidden where a mount namespace can be had. */
export interface Secrets extends SecretPaths {
  /** Every matching file, relative to the workspace, for messages. */
  readonly paths: readonly string[];
  /** Masks relative to the workspace. */
  readonly masked: ReadonlySet<string>;
}

interface Search {
  readonly root: string;
  readonly before: Snapshot;
  readonly matcher: SecretMatcher;
}

/**
 * What covers every secret that the walk saw. A matching folder is one mask; a link is covered itself, and what it
 * leads to when that lies in the workspace.
 * @throws PaldronError `scan` for more masks than the kernel handles well.
 */
export function findSecrets(search: Search): Secrets {
  const { root, before } = search;
  const paths = secretsIn(root, before, search.matcher);
  const folders = matchingFolders(search);
  const masks = new Map<string, PathRecord>();
  const cover = (path: string, entry: WalkEntry): void => {
    masks.set(path, { path: `${root}/${path}`, dev: entry.dev, ino: entry.ino, type: entry.mode & S_IFMT });
  };
  for (const [path, entry] of folders) cover(path, entry);
  for (const path of paths) {
    const entry = before.entries.get(path);
    if (entry === undefined || coveredBy(path, masks)) continue;
    cover(path, entry);
    if ((entry.mode & S_IFMT) === S_IFLNK) coverTarget(root, path, masks);
  }
  for (const path of masks.keys()) if (coveredBy(path, masks)) masks.delete(path);
  const sockets = [...liveSockets(root, before)].filter(([path]) => !coveredBy(path, masks));
  const covered = [...masks.keys(), ...sockets.map(([path]) => path)];
  refuseTooMany(covered);
  return {
    paths,
    found: paths.length,
    masks: [...masks.values()],
    masked: new Set(masks.keys()),
    sockets: sockets.map(([, record]) => record),
    ancestors: ancestorsOf(root, covered),
    leak: unknownNames(before, paths),
  };
}

/** Folders that match by themselves, the outermost of each. */
function matchingFolders({ before, matcher }: Search): Map<string, WalkEntry> {
  const found = new Map<string, WalkEntry>();
  const sorted = [...before.entries].filter(([, entry]) => (entry.mode & S_IFMT) === S_IFDIR).sort();
  for (const [path, entry] of sorted) {
    const match = matcher.match(path);
    if (match === undefined || match.byContent || coveredBy(path, found)) continue;
    found.set(path, entry);
  }
  return found;
}

/** Whether a folder above `path` is masked. */
function coveredBy(path: string, masks: ReadonlyMap<string, unknown>): boolean {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    if (masks.has(path.slice(0, at))) return true;
  }
  return false;
}

/** A link's target outside of the workspace does not exist in the new root, unless the policy grants it. */
function coverTarget(root: string, path: string, masks: Map<string, PathRecord>): void {
  const target = pathRecord(`${root}/${path}`);
  if (target === undefined || target.path === root || !isWithin(target.path, root)) return;
  masks.set(target.path.slice(below(root).length), target);
}

function refuseTooMany(masks: readonly string[]): void {
  if (masks.length <= MASK_LIMIT) return;
  const counts = new Map<string, number>();
  for (const path of masks) {
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, SHOWN);
  const named = most.map(([folder, count]) => `${folder} (${count})`).join(", ");
  throw new PaldronError(
    "scan",
    `${masks.length} files would have to be hidden, at most ${MASK_LIMIT} can be; most lie in ${named}: deny such a folder as a whole, or except it`,
  );
}

/** What names in a folder are appended to; the workspace may be the root of everything. */
function below(root: string): string {
  return root === "/" ? root : `${root}/`;
}

function ancestorsOf(root: string, masks: readonly string[]): readonly PathRecord[] {
  const names = new Set<string>();
  for (const path of masks) {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) names.add(path.slice(0, at));
  }
  return [...names].map((name) => {
    const path = `${below(root)}${name}`;
    const seen = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (seen?.isDirectory() !== true)
      throw new PaldronError("scan", `${path} changed while it was looked at`);
    return { path, dev: seen.dev, ino: seen.ino, type: S_IFDIR };
  });
}

/** A file with more names than are hidden can be read by one of the others. */
function unknownNames(before: Snapshot, paths: readonly string[]): string | undefined {
  const names = new Map<string, number>();
  for (const path of paths) {
    const entry = before.entries.get(path);
    const id = `${entry?.dev} ${entry?.ino}`;
    names.set(id, (names.get(id) ?? 0) + 1);
  }
  const open = paths.filter((path) => {
    const entry = before.entries.get(path);
    if (entry === undefined || (entry.mode & S_IFMT) !== S_IFREG) return false;
    return entry.nlink > (names.get(`${entry.dev} ${entry.ino}`) ?? 0);
  });
  if (open.length === 0) return undefined;
  const more = open.length > SHOWN ? ` and ${open.length - SHOWN} more` : "";
  return `other names (hard links) of ${open.slice(0, SHOWN).join(", ")}${more} are not known`;
}
