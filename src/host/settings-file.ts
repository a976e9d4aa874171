import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { PaldronError } from "../core/errors.ts";
import { randomToken } from "./random-token.ts";
import { writeBytes } from "./stdio.ts";

/** Longer than any settings file that a person has. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A settings file of an agent as it is now. */
export interface SettingsFile {
  /** As it was asked for. */
  readonly path: string;
  /** Where links lead; the same as `path` where there are none. */
  readonly real: string;
  /** Undefined: there is none. */
  readonly text: string | undefined;
  /** Folders above it that do not exist, the outermost first. */
  readonly missing: readonly string[];
  readonly shared: boolean;
}

export interface SettingsOwner {
  /** The folder that the file must lie in, whatever links say. */
  readonly root: string;
  /** Everybody must be able to read it, whatever the umask says. */
  readonly shared: boolean;
}

function problem(path: string, why: string, cause?: unknown): PaldronError {
  return new PaldronError("io", `${path}: ${why}; nothing was changed`, { cause });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}

/**
 * Reads a settings file.
 * @throws PaldronError `io` where it is no ordinary UTF-8 file, or where links lead out of `root`: whoever owns what
 * they lead to did not ask for the change.
 */
export function readSettings(path: string, { root, shared }: SettingsOwner): SettingsFile {
  const { real, missing } = resolveWithin(path, root);
  return { path, real, missing, shared, text: missing.length > 0 ? undefined : readText(path, real) };
}

function resolveWithin(path: string, root: string): { real: string; missing: readonly string[] } {
  const top = realFolder(root);
  if (top === undefined) throw problem(path, `the folder ${root} does not exist`);
  const missing: string[] = [];
  let folder = dirname(path);
  let real = realFolder(folder);
  for (; real === undefined; real = realFolder(folder)) {
    if (isThere(folder)) throw problem(path, `${folder} is no folder, or a link that leads nowhere`);
    missing.unshift(folder);
    folder = dirname(folder);
  }
  const inside = join(real, path.slice(folder.length + 1));
  const target = missing.length === 0 ? realFile(path, inside) : inside;
  if (!target.startsWith(top.endsWith(sep) ? top : `${top}${sep}`)) {
    throw problem(path, `it is a link out of ${root}, to ${target}`);
  }
  return { real: target, missing: missing.map((name) => join(real ?? "", name.slice(folder.length + 1))) };
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return lstatSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function realFile(path: string, inside: string): string {
  if (!isThere(inside)) return inside;
  try {
    return realpathSync(inside);
  } catch (error) {
    throw problem(path, `it is a link that leads nowhere (${codeOf(error)})`, error);
  }
}

function readText(path: string, real: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw problem(path, `cannot be read (${codeOf(error)})`, error);
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw problem(path, "it is no ordinary file");
    if (stat.size > MAX_BYTES) throw problem(path, `it is longer than ${MAX_BYTES} bytes`);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(fd));
  } catch (error) {
    if (error instanceof PaldronError) throw error;
    throw problem(
      path,
      error instanceof TypeError ? "it is not UTF-8" : `cannot be read (${codeOf(error)})`,
      error,
    );
  } finally {
    closeSync(fd);
  }
}

/**
 * Puts a text in the place of the file at once: a new file, renamed. Mode and owner stay. The folder is opened first
 * and everything happens in it by its descriptor where the kernel offers that (proc(5)), so that nothing that changes
 * above it leads elsewhere.
 */
export function writeSettings(file: SettingsFile, text: string): void {
  const made: string[] = [];
  try {
    for (const folder of file.missing) {
      makeFolder(file, folder);
      made.unshift(folder);
    }
    inFolder(file, (folder) => {
      const old = lstatSync(`${folder}/${basename(file.real)}`, { throwIfNoEntry: false });
      if (old !== undefined && !old.isFile()) throw problem(file.path, "it is no ordinary file");
      replace(folder, file, text, old);
    });
  } catch (error) {
    removeEmpty(made);
    throw error;
  }
}

function makeFolder(file: SettingsFile, folder: string): void {
  try {
    mkdirSync(folder, 0o755);
    if (file.shared) chmodSync(folder, 0o755);
  } catch (error) {
    throw problem(file.path, `its folder cannot be made (${codeOf(error)})`, error);
  }
}

function inFolder(file: SettingsFile, work: (folder: string) => void): void {
  const folder = dirname(file.real);
  let fd: number | undefined;
  try {
    fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    const by = process.platform === "linux" ? `/proc/self/fd/${fd}` : folder;
    if (realpathSync(by) !== folder) throw problem(file.path, "its folder was moved meanwhile");
    if (readText(file.path, file.real) !== file.text) throw problem(file.path, "it was changed meanwhile");
    work(by);
  } catch (error) {
    throw error instanceof PaldronError
      ? error
      : problem(file.path, `cannot be written (${codeOf(error)})`, error);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function replace(folder: string, file: SettingsFile, text: string, old: Stats | undefined): void {
  const name = basename(file.real);
  // Only has to be unused: "wx" refuses whatever is there, links too.
  const fresh = `${folder}/.${name}.${randomToken().slice(0, 12)}`;
  const fd = openSync(fresh, "wx", old === undefined ? 0o644 : 0o600);
  try {
    writeBytes(fd, new TextEncoder().encode(text));
    const made = fstatSync(fd);
    if (old !== undefined && (old.uid !== made.uid || old.gid !== made.gid)) fchownSync(fd, old.uid, old.gid);
    if (old !== undefined) fchmodSync(fd, old.mode & 0o7777);
    else if (file.shared) fchmodSync(fd, 0o644);
    renameSync(fresh, `${folder}/${name}`);
  } catch (error) {
    unlinkSync(fresh);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Removes the file, and as many folders above it as are empty, at most `folders`. */
export function removeSettings(file: SettingsFile, folders: number): void {
  inFolder(file, (folder) => unlinkSync(`${folder}/${basename(file.real)}`));
  const above: string[] = [];
  for (let folder = dirname(file.real); above.length < folders; folder = dirname(folder)) above.push(folder);
  removeEmpty(above);
}

/** The innermost first. */
function removeEmpty(folders: readonly string[]): void {
  try {
    for (const folder of folders) rmdirSync(folder);
  } catch {
    // Something else is in it.
  }
}
