import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { devNull } from "node:os";
import { resolve } from "node:path";
import { PaldronError } from "../core/errors.ts";
import { printable } from "../core/printable.ts";
import type { ExtendedFile } from "../policy/extends.ts";

/** No policy written by a person comes near this. */
const MAX_BYTES = 1024 * 1024;

/** A named pipe without a writer would be waited for, and a terminal could become this process's own. Windows has neither. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** A policy file as it was read. */
export interface PolicyFile extends ExtendedFile {
  /** As it was named, byte for byte. */
  readonly named: string;
  readonly bytes: Uint8Array;
}

/** Reads a policy file once: what is judged by and what is hashed are the same bytes. */
export function readPolicyFile(path: string, what = "policy"): PolicyFile {
  if (path === "") throw new PaldronError("policy", `the name of the ${what} file is empty`);
  const shown = printable(path);
  const bytes = readPolicyBytes(path, { shown, what });
  return { path: shown, text: decode(bytes, shown), identity: realName(path), named: path, bytes };
}

/** Two names of one file are one file. Where that cannot be told, they are two. */
function realName(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

interface Named {
  readonly shown: string;
  readonly what: string;
}

function readPolicyBytes(path: string, { shown, what }: Named): Uint8Array {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, OPEN_FLAGS);
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) throw new PaldronError("policy", `${what} \`${shown}\` is a folder`);
    if (!stat.isFile() && !isNullDevice(stat))
      throw new PaldronError("policy", `${what} \`${shown}\` is no regular file`);
    if (stat.size > MAX_BYTES) throw tooLarge({ shown, what });
    const bytes = readAtMost(descriptor, MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) throw tooLarge({ shown, what });
    return bytes;
  } catch (error) {
    if (error instanceof PaldronError) throw error;
    throw new PaldronError("policy", `${what} \`${shown}\` ${whyUnreadable(error)}`, { cause: error });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Reads as empty at once, so it names the defaults. */
function isNullDevice(stat: Stats): boolean {
  return stat.isCharacterDevice() && stat.rdev === statSync(devNull).rdev;
}

function tooLarge({ shown, what }: Named): PaldronError {
  return new PaldronError("policy", `${what} \`${shown}\` is larger than 1 MiB`);
}

/** Its size is not asked: it may grow, and files of /proc say that they are empty. */
function readAtMost(descriptor: number, limit: number): Uint8Array {
  const buffer = new Uint8Array(limit);
  let length = 0;
  while (length < limit) {
    const got = readSync(descriptor, buffer, length, limit - length, null);
    if (got === 0) break;
    length += got;
  }
  return buffer.subarray(0, length);
}

function whyUnreadable(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
  if (code === "ENOENT" || code === "ENOTDIR") return "not found";
  return code === "EACCES" ? "may not be read" : `cannot be read: ${code}`;
}

function decode(bytes: Uint8Array, shown: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new PaldronError("policy", `${shown}:${badLine(bytes)}: not UTF-8 text`, { cause: error });
  }
}

/** The first line that is not UTF-8. */
function badLine(bytes: Uint8Array): number {
  const strict = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    try {
      strict.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    line += 1;
    start = end + 1;
  }
  return line;
}
