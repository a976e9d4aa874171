import { realpathSync, type Stats, statSync } from "node:fs";

export interface RealFolder {
  readonly path: string;
  readonly isFolder: boolean;
}

/** What was found under its own real name; a process that judges for long asks for the same few folders. */
const known = new Map<string, Stats>();
const MOST_KNOWN = 64;

/**
 * The real name of a path, as realpath(3), and whether it is a folder.
 *
 * A path that was its own real name and still leads to the same file costs one stat(2) instead of a look at each part
 * of it. A name that leads elsewhere through a link is resolved every time.
 *
 * @throws what realpath(3) and stat(2) throw.
 */
export function realFolderOf(path: string): RealFolder {
  const now = statSync(path);
  const before = known.get(path);
  if (before !== undefined && isSame(before, now)) return { path, isFolder: now.isDirectory() };
  known.delete(path);
  const real = realpathSync.native(path);
  if (real === path && known.size < MOST_KNOWN) known.set(path, now);
  return { path: real, isFolder: statSync(real).isDirectory() };
}

/** The number of a file can be given to a later one, so its birth has to be the same too. */
function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev && one.birthtimeMs === other.birthtimeMs;
}
