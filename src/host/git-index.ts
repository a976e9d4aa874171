import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

const MAX_INDEX_BYTES = 256 * 1024 * 1024;

/**
 * Whether the index of the repository around an absolute path names it (gitformat-index(5)). Names stand there whole
 * up to version 3; where they do not, or the index cannot be read, the answer is yes.
 */
export function isTracked(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const gitDir = gitDirOf(join(folder, ".git"));
    if (gitDir !== undefined)
      return gitDir === "odd" || isInIndex(join(gitDir, "index"), path.slice(folder.length + 1));
    if (folder === "/") return false;
  }
}

/** A folder, or a file that names one. */
function gitDirOf(place: string): string | "odd" | undefined {
  try {
    const stat = statSync(place);
    if (stat.isDirectory()) return place;
    if (!stat.isFile()) return "odd";
    const text = readFileSync(place, "utf8");
    const named = /^gitdir: (.+?)\n?$/.exec(text)?.[1];
    if (named === undefined) return "odd";
    return isAbsolute(named) ? named : join(dirname(place), named);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : "odd";
  }
}

function isInIndex(index: string, name: string): boolean {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(index, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > MAX_INDEX_BYTES) return true;
    const bytes = Buffer.alloc(stat.size);
    if (readSync(descriptor, bytes, 0, bytes.length, 0) !== stat.size) return true;
    // Version 4 leaves out what a name shares with the one before; a split index holds the names elsewhere.
    if (stat.size < 12 || bytes.readUInt32BE(4) > 3 || bytes.includes("link\0\0\0")) return true;
    return bytes.includes(`${name}\0`);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
