import { PassThrough, type Readable, type Writable } from "node:stream";
import { messageLines } from "./message-lines.ts";

/** Standard input and output as the two directions of a protocol. Nothing else may write to standard output then. */
export interface ProtocolStdio {
  /** Lines as {@link messageLines} gives them; they end when the other side is gone, in whichever direction. */
  readonly lines: AsyncIterable<Uint8Array | undefined>;
  /** Resolves when the other side has taken so much that more may be written; at once where it is gone. */
  readonly write: (text: string) => Promise<void>;
  /** Resolves when the other side has taken so much that it may be listened to. */
  readonly ready: () => Promise<void>;
  readonly stdout: Writable;
  /** Waits until everything is written, but not for long: who is asked to read may not do it. */
  readonly flush: () => Promise<void>;
  /** Ends the lines. */
  readonly close: () => void;
}

export function protocolStdio(maxBytes: number): ProtocolStdio {
  const { stdin, stdout } = process;
  const closing = new AbortController();
  const close = (): void => {
    closing.abort();
    stdin.destroy();
  };
  // Who does not read the answers asks nothing more.
  stdout.on("error", close);
  return {
    lines: untilGone(messageLines(stdin, maxBytes)),
    write: (text) => writeTo(stdout, text, closing.signal),
    ready: () => writeTo(stdout, "", closing.signal),
    stdout,
    flush: () => flushed(stdout),
    close,
  };
}

const FLUSH_MS = 1000;

function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable) return resolve();
    const timer = setTimeout(resolve, FLUSH_MS);
    stream.write("", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** A stream that was destroyed ends like any other. */
async function* untilGone(
  lines: AsyncIterable<Uint8Array | undefined>,
): AsyncGenerator<Uint8Array | undefined> {
  try {
    yield* lines;
  } catch {
    return;
  }
}

/** Writes with back-pressure, which ends at a signal. A stream that has failed takes everything. */
export function writeTo(stream: Writable, text: string, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable) return resolve();
    const isTaken = text === "" ? !stream.writableNeedDrain : stream.write(text);
    if (isTaken || signal?.aborted === true) return resolve();
    const done = (): void => {
      for (const event of ["drain", "close", "error"]) stream.off(event, done);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    for (const event of ["drain", "close", "error"]) stream.once(event, done);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** Waits until what has come in has been handed out, and what was answered is on its way. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A stream of lines that are let through one by one. */
export function lineFeed(): {
  readonly input: Readable;
  readonly feed: (text: string) => Promise<void>;
  readonly end: () => void;
} {
  const input = new PassThrough();
  return { input, feed: (text) => writeTo(input, text), end: () => input.end() };
}
