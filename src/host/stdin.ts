import { fstatSync, readSync } from "node:fs";
import { PaldronError } from "../core/errors.ts";

const CHUNK = 64 * 1024;
const RETRY_MS = 2;

/** All of standard input. Synchronous and without `process.stdin`, whose set-up costs milliseconds of every start. */
export function readStdin(maxBytes: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const chunk = new Uint8Array(CHUNK);
    const count = readSome(chunk);
    if (count === 0) return Buffer.concat(chunks, length);
    length += count;
    if (length > maxBytes) throw tooLong(maxBytes);
    chunks.push(chunk.subarray(0, count));
  }
}

function tooLong(maxBytes: number): PaldronError {
  return new PaldronError("request", `standard input is longer than ${maxBytes} bytes`);
}

/** All of standard input, or a PaldronError at the deadline where its other end does not close it. */
export async function readStdinWithin(maxBytes: number, deadlineMs: number): Promise<Uint8Array> {
  const stat = fstatSync(0);
  if (!stat.isFIFO() && !stat.isSocket()) return readStdin(maxBytes);
  // Loaded only here: what it needs of Node costs milliseconds of every start.
  const { readStream } = await import("./stdin-stream.ts");
  return readStream({ maxBytes, deadlineMs, tooLong: () => tooLong(maxBytes) });
}

function readSome(chunk: Uint8Array): number {
  for (;;) {
    try {
      return readSync(0, chunk, 0, chunk.length, null);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
      if (code === "EOF") return 0;
      if (code !== "EAGAIN")
        throw new PaldronError("request", `standard input cannot be read: ${code}`, { cause: error });
      // A pipe that its other owner made non-blocking: wait for the writer.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
