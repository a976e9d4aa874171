import { fstatSync, readSync } from "node:fs";
import { Socket } from "node:net";
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

/**
 * All of standard input, or a PaldronError at the deadline where its other end does not close it. A pipe or socket is
 * read by the event loop: a read that a thread waits in would keep the process from ending.
 */
export async function readStdinWithin(maxBytes: number, deadlineMs: number): Promise<Uint8Array> {
  const stat = fstatSync(0);
  if (!stat.isFIFO() && !stat.isSocket()) return readStdin(maxBytes);
  const socket = new Socket({ fd: 0, readable: true, writable: false });
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new PaldronError("request", `standard input did not end within ${deadlineMs} ms`)),
        deadlineMs,
      );
      socket.on("data", (chunk: Uint8Array) => {
        length += chunk.length;
        if (length > maxBytes) reject(tooLong(maxBytes));
        else chunks.push(chunk);
      });
      socket.on("error", (error) =>
        reject(new PaldronError("request", "standard input cannot be read", { cause: error })),
      );
      socket.on("end", () => {
        clearTimeout(timer);
        resolve(Buffer.concat(chunks, length));
      });
    });
  } finally {
    socket.destroy();
  }
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
