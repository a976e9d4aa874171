import { Writable } from "node:stream";
import { writeBytes } from "./stdio.ts";

/** An error as a system call makes it, so that the relay treats it like one. */
function failure(code: "EPIPE" | "EFBIG", text: string): NodeJS.ErrnoException {
  return Object.assign(new Error(text), { code });
}

/**
 * A stream that writes to a descriptor at once, without `process.stdout`, which may still hold bytes when the process
 * ends. Fails with EPIPE when the reader is gone, and with EFBIG beyond `limit` bytes.
 */
export function outputSink(fd: number, limit = Number.POSITIVE_INFINITY): Writable {
  let total = 0;
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      total += chunk.length;
      try {
        if (total > limit) done(failure("EFBIG", "more output than can be held back"));
        else done(writeBytes(fd, chunk) ? null : failure("EPIPE", "the reader is gone"));
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}
