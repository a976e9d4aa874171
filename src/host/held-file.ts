import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from "node:fs";
import { encodeBytes } from "../core/bytes.ts";

const S_IFMT = 0o170000n;
const S_IFDIR = 0o040000n;
const S_IFREG = 0o100000n;
const S_IFLNK = 0o120000n;

/** Files above this are compared by their attributes alone and cannot be put back. */
export const HELD_LIMIT = 4 * 1024 * 1024;

/** What stood at a path at one time. */
export type Held =
  | {
      readonly kind: "file";
      /** Permission bits. */
      readonly mode: number;
      /** Changes whenever the file does; two files of the same content may differ in it. */
      readonly id: string;
      readonly nlink: number;
      readonly size: number;
      /** Undefined where they are not held: too large, not readable, or not asked for. */
      readonly bytes: Uint8Array | undefined;
      /** Where they lie instead. */
      readonly copy?: Copy;
    }
  | { readonly kind: "link"; readonly text: string }
  | { readonly kind: "folder"; readonly mode: number }
  | { readonly kind: "other"; readonly type: number };

export type HeldFile = Extract<Held, { kind: "file" }>;

/** Bytes of a file as a part of another. */
interface Copy {
  readonly file: string;
  readonly at: number;
}

interface LookOptions {
  readonly content: boolean;
  /** What stood there before: the same file untouched is not read again. */
  readonly known?: Held | undefined;
}

/** A path as file calls take it: by its bytes, which need not be UTF-8. */
export function rawPath(path: string): Buffer {
  return Buffer.from(encodeBytes(path));
}

/** Looks at a path without following a link at its end; undefined where nothing is, or nothing that may be seen. */
export function look(path: string, { content, known }: LookOptions): Held | undefined {
  try {
    const seen = lstatSync(rawPath(path), { bigint: true, throwIfNoEntry: false });
    if (seen === undefined) return undefined;
    const type = seen.mode & S_IFMT;
    const mode = Number(seen.mode & 0o7777n);
    if (type === S_IFDIR) return { kind: "folder", mode };
    if (type === S_IFLNK) return { kind: "link", text: readlinkSync(rawPath(path), "latin1") };
    if (type !== S_IFREG) return { kind: "other", type: Number(type) };
    const id = [seen.dev, seen.ino, seen.size, seen.mtimeNs, seen.ctimeNs].join(" ");
    if (known?.kind === "file" && known.id === id) return known;
    const bytes = content ? readRegular(path) : undefined;
    return { kind: "file", mode, id, nlink: Number(seen.nlink), size: Number(seen.size), bytes };
  } catch {
    return undefined;
  }
}

/** The content of a regular file; undefined for anything else. Links are not followed, pipes not waited for. */
export function readRegular(path: string): Uint8Array | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(rawPath(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const seen = fstatSync(fd);
    if (!seen.isFile() || seen.size > HELD_LIMIT) return undefined;
    const buffer = new Uint8Array(seen.size + 1);
    let length = 0;
    for (let got = -1; got !== 0 && length < buffer.length; length += got) {
      got = readSync(fd, buffer, length, buffer.length - length, null);
    }
    return length > seen.size ? undefined : buffer.slice(0, length);
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** The bytes of a file that is held, wherever they are; undefined where they are not. */
export function bytesOf({ bytes, copy, size }: HeldFile): Uint8Array | undefined {
  if (bytes !== undefined || copy === undefined) return bytes;
  let fd: number | undefined;
  try {
    fd = openSync(copy.file, constants.O_RDONLY | constants.O_NOFOLLOW);
    const buffer = new Uint8Array(size);
    return readSync(fd, buffer, 0, size, copy.at) === size ? buffer : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Whether two looks saw the same: the same file untouched, or one of the same content and permissions. */
export function sameHeld(a: Held | undefined, b: Held | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind === "file" && b.kind === "file") {
    if (a.mode !== b.mode) return false;
    if (a.id === b.id) return true;
    const bytes = b.bytes && bytesOf(a);
    return bytes !== undefined && b.bytes !== undefined && Buffer.compare(bytes, b.bytes) === 0;
  }
  if (a.kind === "link" && b.kind === "link") return a.text === b.text;
  if (a.kind === "folder" && b.kind === "folder") return true;
  return a.kind === "other" && b.kind === "other" && a.type === b.type;
}

/** The text of a file, as far as it matters here: what is no UTF-8 becomes replacement characters. */
export function textOf(held: Held | undefined): string | undefined {
  return held?.kind === "file" && held.bytes !== undefined ? new TextDecoder().decode(held.bytes) : undefined;
}
