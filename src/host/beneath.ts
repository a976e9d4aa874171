import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { decodeBytes } from "../core/bytes.ts";
import { PaldronError } from "../core/errors.ts";
import { rawPath } from "./held-file.ts";
import { platform } from "./platform.ts";
import { randomToken } from "./random-token.ts";

/** A name without the file: nothing is read, no device is touched. open(2), Linux 2.6.39. */
const O_PATH = 0o10000000;
const FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** The same file, whatever becomes of its name. */
interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

export interface FileFacts extends Identity {
  readonly mode: number;
  readonly links: number;
  readonly size: number;
}

/**
 * A file or folder that is held open below a folder, reached name by name without following a link. What is done with
 * it is done through the descriptor, so it is done to what was judged by `path`, whoever moves or replaces names.
 *
 * Node has no openat(2): `/proc/self/fd/N/name` is the same to the kernel (proc(5)).
 */
export class Beneath {
  readonly #fd: number;
  /** Where the kernel says it is. */
  readonly path: string;

  private constructor(fd: number) {
    this.#fd = fd;
    this.path = decodeBytes(readlinkSync(`/proc/self/fd/${fd}`, { encoding: "buffer" }));
  }

  /** Opens `path`, absolute and without links, which lies in `root`. */
  static open(root: string, path: string): Beneath {
    if (platform() !== "linux")
      throw new PaldronError("io", "files are opened beneath a folder on linux only");
    const names = path === root ? [] : path.slice(root === "/" ? 1 : root.length + 1).split("/");
    let at = openSync(rawPath(root), FOLDER);
    try {
      for (const [index, name] of names.entries()) {
        const next = openIn(at, name, index === names.length - 1 ? O_PATH | constants.O_NOFOLLOW : FOLDER);
        closeSync(at);
        at = next;
      }
      return new Beneath(at);
    } catch (error) {
      closeSync(at);
      throw error;
    }
  }

  /** The folder at `path`, or the nearest one above it that is there, with the names that are missing below it. */
  static openNearest(
    root: string,
    path: string,
  ): { readonly held: Beneath; readonly missing: readonly string[] } {
    const missing: string[] = [];
    for (let at = path; ; at = at.slice(0, Math.max(at.lastIndexOf("/"), 1))) {
      try {
        return { held: Beneath.open(root, at), missing };
      } catch (error) {
        if (at === root || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        missing.unshift(at.slice(at.lastIndexOf("/") + 1));
      }
    }
  }

  /** What stands under a name in this folder. */
  child(name: string): Beneath {
    return new Beneath(openIn(this.#fd, name, O_PATH | constants.O_NOFOLLOW));
  }

  /** The folder of that name in this one, made where it is missing. */
  makeFolder(name: string): Beneath {
    try {
      mkdirSync(inFolder(this.#fd, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    return new Beneath(openIn(this.#fd, name, FOLDER));
  }

  get isFile(): boolean {
    return fstatSync(this.#fd).isFile();
  }

  get isFolder(): boolean {
    return fstatSync(this.#fd).isDirectory();
  }

  facts(): FileFacts {
    return factsOf(fstatSync(this.#fd, { bigint: true }));
  }

  /** All of a regular file; undefined where it is longer than `limit`. */
  read(limit: number): Uint8Array | undefined {
    // Through the descriptor's own name: the very file, not whatever is called so by now.
    const fd = openSync(`/proc/self/fd/${this.#fd}`, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { size } = fstatSync(fd);
      if (size > limit) return undefined;
      const chunks: Uint8Array[] = [];
      let length = 0;
      for (;;) {
        const chunk = new Uint8Array(64 * 1024);
        const count = readSync(fd, chunk, 0, chunk.length, null);
        if (count === 0) return Buffer.concat(chunks, length);
        length += count;
        if (length > limit) return undefined;
        chunks.push(chunk.subarray(0, count));
      }
    } finally {
      closeSync(fd);
    }
  }

  /** At most `limit` of the names in a folder, with a word for what each is. */
  list(limit: number): { readonly names: readonly (readonly [string, EntryKind])[]; readonly cut: boolean } {
    const names: (readonly [string, EntryKind])[] = [];
    // Buffers are what the call gives for names; its types know only strings.
    const folder = opendirSync(`/proc/self/fd/${this.#fd}`, { encoding: "buffer" as BufferEncoding });
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        if (names.length >= limit) return { names, cut: true };
        const kind = entry.isDirectory()
          ? "folder"
          : entry.isSymbolicLink()
            ? "link"
            : entry.isFile()
              ? "file"
              : "other";
        names.push([decodeBytes(entry.name as unknown as Uint8Array), kind]);
      }
      return { names, cut: false };
    } finally {
      folder.closeSync();
    }
  }

  /** Whether the user may write the file. */
  get mayWrite(): boolean {
    try {
      accessSync(`/proc/self/fd/${this.#fd}`, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Puts a file with this content under a name in this folder, in one step: a reader sees the old or the new one, and
   * a link or pipe that was put there is replaced, never followed or waited for.
   * `old` is the file that must still stand there; it gives the mode.
   */
  replace(name: string, bytes: Uint8Array, old: FileFacts | undefined): void {
    const temporary = inFolder(this.#fd, `.paldron-${randomToken()}`);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const fd = openSync(temporary, flags, 0o666);
    try {
      try {
        for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
        if (old !== undefined) fchmodSync(fd, old.mode & 0o777);
      } finally {
        closeSync(fd);
      }
      this.#mustBe(name, old);
      renameSync(temporary, inFolder(this.#fd, name));
    } catch (error) {
      unlinkSync(temporary);
      throw error;
    }
  }

  /** What was read, and nothing that somebody else has put there meanwhile, is replaced. */
  #mustBe(name: string, old: Identity | undefined): void {
    const now = lstatSync(inFolder(this.#fd, name), { bigint: true, throwIfNoEntry: false });
    if (now?.dev !== old?.dev || now?.ino !== old?.ino)
      throw new PaldronError("io", "the file was changed while it was looked at");
  }

  close(): void {
    closeSync(this.#fd);
  }
}

export type EntryKind = "file" | "folder" | "link" | "other";

function factsOf(stat: {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly mode: bigint;
  readonly nlink: bigint;
  readonly size: bigint;
}): FileFacts {
  const { dev, ino, mode, nlink, size } = stat;
  return { dev, ino, mode: Number(mode), links: Number(nlink), size: Number(size) };
}

function inFolder(fd: number, name: string): Buffer {
  if (name === "" || name === "." || name === ".." || /[/\0]/.test(name))
    throw new PaldronError("internal", "a name is no name of a file");
  return rawPath(`/proc/self/fd/${fd}/${name}`);
}

function openIn(fd: number, name: string, flags: number): number {
  return openSync(inFolder(fd, name), flags);
}
