import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { killMarked } from "./marked-processes.ts";
import { messageLines } from "./message-lines.ts";
import { writeTo } from "./protocol-stdio.ts";
import { randomToken } from "./random-token.ts";

/** A variable by which what a server started is found again. */
const MARK = "PALDRON_SERVER";
/** Milliseconds that a server has to end by itself, and after SIGTERM. */
const GRACE_MS = 2000;

/** A server that is spoken with by lines on its standard input and output. */
export interface ServerProcess {
  readonly lines: AsyncIterable<Uint8Array | undefined>;
  readonly write: (text: string) => Promise<void>;
  /** Everything that it started and that can be found has ended then. */
  readonly ended: Promise<ServerEnd>;
  /** Closes its input, and ends it where that does not. */
  readonly stop: () => Promise<void>;
}

export interface ServerEnd {
  /** In words that follow "the server". */
  readonly how: string;
  /** False where it could not be started. */
  readonly ran: boolean;
}

/** The two ends of a connection, for a process that is started by somebody else. */
export interface Connection {
  readonly ours: Socket;
  /** Nothing reads it here; it is to be passed on. */
  readonly theirs: Socket;
}

/** Connects two ends. Node knows no socketpair(2), so they meet in a private folder. */
export async function connection(): Promise<Connection> {
  // Its name must fit into the 108 bytes of sun_path (unix(7)).
  const parent = tmpdir();
  const folder = mkdtempSync(join(parent.length > 60 ? "/tmp" : parent, "paldron-"));
  try {
    const path = join(folder, "s");
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true });
    const theirs = new Promise<Socket>((resolve, reject) => {
      server.once("connection", resolve);
      server.once("error", reject);
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
    const ours = createConnection({ path, allowHalfOpen: true });
    const met = await theirs;
    server.close();
    return { ours, theirs: met };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A process behind a connection; `run` resolves with how it ended and stops when `signal` is aborted. */
export function connectedServer(
  { ours, theirs }: Connection,
  maxBytes: number,
  run: (signal: AbortSignal) => Promise<ServerEnd>,
): ServerProcess {
  const abort = new AbortController();
  const ended = run(abort.signal).finally(() => {
    // What it has written is still to be read.
    theirs.destroy();
    ours.end();
  });
  return {
    lines: untilClosed(ours, maxBytes),
    write: (text) => writeTo(ours, text),
    ended,
    stop: async () => {
      ours.end();
      if (!(await endsWithin(ended))) abort.abort();
      await ended.catch(() => undefined);
    },
  };
}

/**
 * Starts a program as it is, in a process group of its own, with this process's environment and standard error. At its
 * end everything of the group ends, and everything else that was started with its environment.
 */
export function plainServer(program: string, argv: readonly string[], maxBytes: number): ServerProcess {
  const mark = randomToken();
  const child = spawn(program, argv.slice(1), {
    env: { ...process.env, [MARK]: mark },
    argv0: argv[0] ?? program,
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // Nothing of the group is left.
    }
  };
  child.stdin.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => child.stdout.once("close", resolve));
  const ended = new Promise<ServerEnd>((resolve) => {
    child.on("error", (error: NodeJS.ErrnoException) =>
      resolve({ how: `cannot be started (${error.code ?? "error"})`, ran: false }),
    );
    child.on("exit", (code, name) => {
      signal("SIGKILL");
      killMarked(MARK, mark);
      resolve({ how: name === null ? `exited ${code ?? 0}` : `was ended by ${name}`, ran: true });
    });
  });
  return {
    lines: untilClosed(child.stdout, maxBytes),
    write: (text) => writeTo(child.stdin as Writable, text),
    ended,
    stop: async () => {
      child.stdin.end();
      if (!(await endsWithin(ended))) signal("SIGTERM");
      if (!(await endsWithin(ended))) signal("SIGKILL");
      await ended;
      // Who has left its group can hold the output open only so long.
      if (!(await endsWithin(closed))) child.stdout.destroy();
    },
  };
}

async function endsWithin(ended: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), GRACE_MS);
  });
  const done = ended.then(
    () => true,
    () => true,
  );
  return await Promise.race([done, late]).finally(() => clearTimeout(timer));
}

/** A stream that breaks ends like any other. */
async function* untilClosed(stream: Readable, maxBytes: number): AsyncGenerator<Uint8Array | undefined> {
  try {
    yield* messageLines(stream, maxBytes);
  } catch {
    return;
  }
}
