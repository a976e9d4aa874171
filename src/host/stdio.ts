import { writeSync } from "node:fs";
import { encodeBytes } from "../core/bytes.ts";
import { PaldronError } from "../core/errors.ts";

const RETRY_MS = 2;

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/**
 * Writes all of `text` to a standard stream. Synchronous and without `process.stdout`, whose set-up costs
 * milliseconds of every start. A reader that is gone (EPIPE) is not an error; a write that fails is one.
 */
export function writeText(fd: 1 | 2, text: string): void {
  writeBytes(fd, encodeBytes(text));
}

/** As {@link writeText}, for bytes and any descriptor. False when the reader is gone. */
export function writeBytes(fd: number, bytes: Uint8Array): boolean {
  let offset = 0;
  while (offset < bytes.length) {
    try {
      offset += writeSync(fd, bytes, offset);
    } catch (error) {
      const code = errorCode(error);
      // A pipe that its other owner made non-blocking: wait for the reader.
      if (code === "EAGAIN") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      else if (code === "EPIPE") return false;
      else throw new PaldronError("output", `output could not be written (${code})`, { cause: error });
    }
  }
  return true;
}
