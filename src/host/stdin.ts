import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { PaldronError } from "../core/errors.ts";
import { monotonicMs } from "./clock.ts";

const CHUNK = 64 * 1024;
const RETRY_MS = 2;

/** All of standard input. Synchronous and without `process.stdin`, whose set-up costs milliseconds of every start. */
export function readStdin(maxBytes: number): Uint8Array {
  return readAll({ fd: 0, maxBytes, until: undefined });
}

interface Source {
  readonly fd: number;
  readonly maxBytes: number;
  /** When to give up, where the descriptor does not block. */
  readonly until: Deadline | undefined;
}

interface Deadline {
  readonly ms: number;
  readonly at: number;
}

function readAll(source: Source): Uint8Array {
  const { maxBytes } = source;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const chunk = new Uint8Array(CHUNK);
    const count = readSome(source, chunk);
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
  const isPipe = stat.isFIFO();
  if (!isPipe && !stat.isSocket()) return readStdin(maxBytes);
  const fd = isPipe ? ownEnd() : undefined;
  if (fd !== undefined) {
    try {
      return readAll({ fd, maxBytes, until: { ms: deadlineMs, at: monotonicMs() + deadlineMs } });
    } finally {
      closeSync(fd);
    }
  }
  // Loaded only here: what it needs of Node costs milliseconds of every start.
  const { readStream } = await import("./stdin-stream.ts");
  return readStream({ maxBytes, deadlineMs, late: () => late(deadlineMs), tooLong: () => tooLong(maxBytes) });
}

/** The pipe once more, as a description of its own, so that no other holder of it gets one that does not block (open(2)). */
function ownEnd(): number | undefined {
  try {
    return openSync("/proc/self/fd/0", constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    // Another user's pipe, or no /proc.
    return undefined;
  }
}

function late(ms: number): PaldronError {
  return new PaldronError("request", `standard input did not end within ${ms} ms`);
}

function readSome({ fd, until }: Source, chunk: Uint8Array): number {
  for (;;) {
    try {
      return readSync(fd, chunk, 0, chunk.length, null);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
      if (code === "EOF") return 0;
      if (code !== "EAGAIN")
        throw new PaldronError("request", `standard input cannot be read: ${code}`, { cause: error });
      if (until !== undefined && monotonicMs() > until.at) throw late(until.ms);
      // Also a pipe that its other owner made non-blocking: wait for the writer.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
