import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

const MAX_INDEX_BYTES = 256 * 1024 * 1024;
const MAX_GIT_FILE_BYTES = 64 * 1024;

/** What is not there holds no name; of what is odd nobody can say which names it holds. */
type Read = Buffer | "none" | "odd";

/**
 * Tells whether the index of the repository around an absolute path names it (gitformat-index(5)). Names stand there
 * whole up to version 3; where they do not, or the index cannot be read, the answer is yes. Each index is read once
 * for all questions, so that all answers are of one moment.
 */
export function indexReader(): (path: string) => boolean {
  const repositories = new Map<string, Read>();
  const indexAround = (folder: string): Read => {
    const have = repositories.get(folder);
    if (have !== undefined) return have;
    const read = readIndexAt(folder);
    repositories.set(folder, read);
    return read;
  };
  return (path) => {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const index = indexAround(folder);
      if (index === "odd") return true;
      if (index !== "none") return index.includes(`${path.slice(folder.length + 1)}\0`);
      if (folder === "/") return false;
    }
  };
}

/** The index of the repository whose top a folder is; an empty one where nothing was added yet. */
function readIndexAt(folder: string): Read {
  const gitDir = gitDirOf(join(folder, ".git"));
  if (gitDir === undefined) return "none";
  if (gitDir === "odd") return "odd";
  const bytes = readWhole(join(gitDir, "index"), MAX_INDEX_BYTES);
  if (bytes === "none") return Buffer.alloc(0);
  // Version 4 leaves out what a name shares with the one before; a split index holds the names elsewhere.
  if (bytes === "odd" || bytes.length < 12 || bytes.readUInt32BE(4) > 3 || bytes.includes("link\0\0\0"))
    return "odd";
  return bytes;
}

/** A folder, or a file that names one. */
function gitDirOf(place: string): string | "odd" | undefined {
  try {
    if (statSync(place).isDirectory()) return place;
  } catch (error) {
    return isAbsent(error) ? undefined : "odd";
  }
  const text = readWhole(place, MAX_GIT_FILE_BYTES);
  const named = typeof text === "string" ? undefined : /^gitdir: (.+?)\n?$/.exec(text.toString())?.[1];
  if (named === undefined) return "odd";
  return isAbsolute(named) ? named : join(dirname(place), named);
}

/** Opened without waiting on a pipe; `odd` for what is no file, too long or cannot be read. */
function readWhole(path: string, most: number): Read {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > most) return "odd";
    const bytes = Buffer.alloc(stat.size);
    return readSync(descriptor, bytes, 0, bytes.length, 0) === stat.size ? bytes : "odd";
  } catch (error) {
    return isAbsent(error) ? "none" : "odd";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
}
