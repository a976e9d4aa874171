import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { platform } from "node:process";
import { bytesOf, type Held, rawPath } from "./held-file.ts";

/** open(2), `O_PATH`: needs no right on the folder itself (Linux 2.6.39). Node does not name it. */
const O_PATH = platform === "linux" ? 0o10000000 : 0;
const FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * An open folder, from which names are reached without looking up its path again (proc(5), /proc/self/fd): what a run
 * has put in the way, links above all, cannot lead a write elsewhere.
 */
class Folder {
  readonly #fd: number;
  readonly #path: Buffer;

  constructor(fd: number, path: Buffer) {
    this.#fd = fd;
    this.#path = path;
  }

  static root(): Folder {
    return new Folder(openSync("/", FOLDER), Buffer.from(""));
  }

  get self(): Buffer {
    return platform === "linux" ? Buffer.from(`/proc/self/fd/${this.#fd}`) : this.#path;
  }

  at(name: Buffer): Buffer {
    return Buffer.concat([this.self, Buffer.from("/"), name]);
  }

  /** Goes down into `name` and closes this one. What is no folder is moved aside where `make` asks for one. */
  enter(name: Buffer, make: boolean): Folder | undefined {
    try {
      const fd = this.#open(name, make);
      return fd === undefined
        ? undefined
        : new Folder(fd, Buffer.concat([this.#path, Buffer.from("/"), name]));
    } finally {
      this.close();
    }
  }

  #open(name: Buffer, make: boolean): number | undefined {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      try {
        return openSync(this.at(name), FOLDER);
      } catch (error) {
        const code = codeOf(error);
        if (code === "EACCES") this.makeUsable();
        else if (!make) return undefined;
        else if (code === "ENOENT") mkdirSync(this.at(name), 0o755);
        else this.moveAside(name);
      }
    }
    return undefined;
  }

  /** A run can have closed its own folder to its owner. */
  makeUsable(): void {
    chmodSync(this.self, 0o755);
  }

  /** Keeps what stands in the way under another name. */
  moveAside(name: Buffer): void {
    const aside = Buffer.concat([name, Buffer.from(`.denied-${Math.random().toString(36).slice(2)}`)]);
    renameSync(this.at(name), this.at(aside));
  }

  close(): void {
    closeSync(this.#fd);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** The folder that holds `path`, reached without following a link. */
function parentOf(path: string, make: boolean): { folder: Folder; name: Buffer } | undefined {
  const parts = path.split("/").filter((part) => part !== "");
  const name = rawPath(parts.pop() ?? "");
  let folder: Folder | undefined = Folder.root();
  for (const part of parts) {
    folder = folder.enter(rawPath(part), make);
    if (folder === undefined) return undefined;
  }
  return { folder, name };
}

/**
 * Makes `path` again what it was; undefined: nothing. Only to be called when nothing of the run is alive.
 * False where that cannot be done.
 */
export function putBack(path: string, held: Held | undefined): boolean {
  try {
    const parent = parentOf(path, held !== undefined);
    if (parent === undefined) return held === undefined;
    const { folder, name } = parent;
    try {
      return place(folder, name, held);
    } finally {
      folder.close();
    }
  } catch {
    return false;
  }
}

function place(folder: Folder, name: Buffer, held: Held | undefined): boolean {
  const now = lstatSync(folder.at(name), { throwIfNoEntry: false });
  if (held === undefined) return now === undefined || removeOne(folder, name);
  if (now?.isDirectory() === true) folder.moveAside(name);
  switch (held.kind) {
    case "link":
      if (now !== undefined && !now.isDirectory()) removeOne(folder, name);
      symlinkSync(Buffer.from(held.text, "latin1"), folder.at(name));
      return true;
    case "file": {
      const bytes = bytesOf(held);
      return bytes !== undefined && write(folder, name, bytes, held.mode);
    }
    default:
      return false;
  }
}

function removeOne(folder: Folder, name: Buffer): boolean {
  try {
    unlinkSync(folder.at(name));
  } catch (error) {
    if (codeOf(error) !== "EACCES") throw error;
    folder.makeUsable();
    unlinkSync(folder.at(name));
  }
  return true;
}

/** A new file renamed into place: other names of the changed one are not written through. */
function write(folder: Folder, name: Buffer, bytes: Uint8Array, mode: number): boolean {
  const fresh = folder.at(Buffer.concat([name, Buffer.from(`.${Math.random().toString(36).slice(2)}`)]));
  const create = (): number =>
    openSync(fresh, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  let fd: number;
  try {
    fd = create();
  } catch (error) {
    if (codeOf(error) !== "EACCES") throw error;
    folder.makeUsable();
    fd = create();
  }
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
  renameSync(fresh, folder.at(name));
  return true;
}

/** Removes the folders from `path` up to and including `top` that are empty now. */
export function removeEmptied(path: string, top: string): void {
  for (let at = path; at === top || at.startsWith(`${top}/`); at = at.slice(0, at.lastIndexOf("/"))) {
    try {
      const parent = parentOf(at, false);
      if (parent === undefined) return;
      try {
        rmdirSync(parent.folder.at(parent.name));
      } finally {
        parent.folder.close();
      }
    } catch {
      return;
    }
  }
}
