import { closeSync, constants, openSync, readSync } from "node:fs";
import { isatty, ReadStream } from "node:tty";
import { writeBytes } from "./stdio.ts";

/** No answer needs more. */
const MAX_ANSWER = 64;

export interface Question {
  readonly text: Uint8Array;
  /** Milliseconds after which no answer counts as an empty one. */
  readonly timeoutMs: number;
  /** Aborting it is an empty answer. */
  readonly signal: AbortSignal;
}

/**
 * Asks the person at this process's terminal and returns the line that was typed. Empty where nobody sits there (stdin
 * or stderr is no terminal: a program may run this behind a screen of its own), at the end of input and at the timeout.
 */
export async function askPerson(question: Question): Promise<string> {
  if (!isatty(0) || !isatty(2)) return "";
  let terminal: number;
  try {
    terminal = openSync("/dev/tty", constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  } catch {
    return "";
  }
  const stream = new ReadStream(terminal);
  try {
    dropTyped(stream);
    writeBytes(terminal, question.text);
    return await readLine(stream, question);
  } finally {
    dropTyped(stream);
    stream.destroy();
  }
}

/** What was typed before the question is no answer to it. In raw mode half a line can be read, too. */
function dropTyped(stream: ReadStream): void {
  stream.setRawMode(true);
  const own = openSync("/dev/tty", constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  try {
    const buffer = new Uint8Array(4096);
    while (readSync(own, buffer) > 0);
  } catch {
    // EAGAIN: nothing is left.
  } finally {
    closeSync(own);
    stream.setRawMode(false);
  }
}

function readLine(stream: ReadStream, { timeoutMs, signal }: Question): Promise<string> {
  return new Promise((resolve) => {
    let typed = "";
    const done = (answer: string): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", empty);
      stream.removeAllListeners();
      stream.on("error", () => undefined);
      stream.pause();
      resolve(answer);
    };
    const empty = (): void => done("");
    const timer = setTimeout(empty, timeoutMs);
    signal.addEventListener("abort", empty, { once: true });
    if (signal.aborted) return empty();
    stream.on("data", (chunk: Buffer) => {
      typed += chunk.toString("latin1");
      const end = typed.indexOf("\n");
      if (end >= 0 || typed.length > MAX_ANSWER)
        done(end >= 0 && end <= MAX_ANSWER ? typed.slice(0, end) : "");
    });
    stream.on("end", empty);
    stream.on("error", empty);
  });
}
