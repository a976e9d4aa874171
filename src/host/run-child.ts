import { type ChildProcess, spawn as nodeSpawn, type SpawnOptions } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { PaldronError } from "../core/errors.ts";
import { monotonicMs } from "./clock.ts";
import type { LaunchStream } from "./launch.ts";
import { platform } from "./platform.ts";

/** Bytes of each stream that are kept for the verdict. */
const COPY_BYTES = 1024 * 1024;
/** Milliseconds that a process which left the group may hold the pipes open after the command ended. */
const DRAIN_MS = 2_000;

export type Spawn = (program: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

export interface ChildRun {
  /** Absolute path of the program. */
  readonly program: string;
  /** The whole argument vector, argv[0] first. */
  readonly argv: readonly string[];
  /** `NAME=value` lines: the whole environment. */
  readonly env: readonly string[];
  readonly cwd: string;
  /** Milliseconds, 0 for none. */
  readonly timeoutMs: number;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  /** The caller's own, the null device, or an open descriptor. */
  readonly stdin: LaunchStream;
  /** Where output goes as it comes; undefined holds it back, and only the copy is kept. */
  readonly stdout: Writable | undefined;
  readonly stderr: Writable | undefined;
  /** Aborting ends the run like the timeout does. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces `child_process.spawn` in tests. */
  readonly spawn?: Spawn | undefined;
}

/** How a command ended that ran without the launcher. */
export interface ChildOutcome {
  readonly kind: "exited" | "signalled";
  /** Exit status, or signal number. */
  readonly value: number;
  readonly timedOut: boolean;
  /** Copies of at most 1 MiB; the counts are of everything printed. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly durationMs: number;
}

/** Node hands strings to the system as UTF-8; what cannot be spelled so must not be run as something else. */
function plainText(argv: readonly string[]): void {
  if (argv.some((argument) => /\p{Surrogate}|\0/u.test(argument))) {
    throw new PaldronError("request", "an argument holds bytes that are not utf-8");
  }
}

function environment(lines: readonly string[]): Record<string, string> {
  const env: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const at = line.indexOf("=");
    env[line.slice(0, at)] = line.slice(at + 1);
  }
  return env;
}

/** What was printed on one stream: the first bytes, and the count of all. */
class Copy {
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;
  total = 0;
  release: () => void = () => undefined;

  add(chunk: Uint8Array): void {
    this.total += chunk.length;
    const part = chunk.subarray(0, COPY_BYTES - this.#kept);
    if (part.length === 0) return;
    this.#kept += part.length;
    this.#chunks.push(part);
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }
}

/** Copies and passes on one stream, no faster than its reader takes it. */
function relay(from: Readable | null, to: Writable | undefined, fail: (error: unknown) => void): Copy {
  const copy = new Copy();
  if (from === null) return copy;
  const resume = (): void => void from.resume();
  const onError = (error: NodeJS.ErrnoException): void => {
    // The reader is gone: closing the pipe gives the command SIGPIPE, as it would get without Paldron.
    from.destroy();
    if (error.code !== "EPIPE") fail(new PaldronError("output", `output cannot be written (${error.code})`));
  };
  from.on("data", (chunk: Uint8Array) => {
    copy.add(chunk);
    if (to !== undefined && !to.write(chunk)) from.pause();
  });
  from.on("error", () => undefined);
  to?.on("drain", resume);
  to?.on("error", onError);
  copy.release = () => {
    to?.off("drain", resume);
    to?.off("error", onError);
  };
  return copy;
}

/** Ends the command's process group; on Windows, where there is none, the tree as `taskkill` finds it. */
function killTree(child: ChildProcess, signal: NodeJS.Signals, spawn: Spawn): void {
  if (child.pid === undefined) return;
  if (platform() === "windows") {
    const tool = `${process.env["SystemRoot"] ?? "C:\\Windows"}\\System32\\taskkill.exe`;
    const killer = spawn(tool, ["/PID", String(child.pid), "/T", "/F"], {
      stdio: "ignore",
      windowsHide: true,
    });
    killer.on("error", () => child.kill());
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}

function start(run: ChildRun, spawn: Spawn): ChildProcess {
  plainText(run.argv);
  const options: SpawnOptions = {
    cwd: run.cwd,
    env: environment(run.env),
    stdio: [run.stdin, "pipe", "pipe"],
    // A group of its own, so that it can be ended whole; on Windows this would open a console window instead.
    detached: platform() !== "windows",
    windowsHide: true,
    shell: false,
  };
  const argv0 = run.argv[0];
  return spawn(run.program, run.argv.slice(1), argv0 === undefined ? options : { ...options, argv0 });
}

/** Ends the tree at the timeout or an abort: SIGTERM, and SIGKILL after the grace. */
class Clock {
  timedOut = false;
  readonly #run: ChildRun;
  readonly #kill: (signal: NodeJS.Signals) => void;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(run: ChildRun, kill: (signal: NodeJS.Signals) => void) {
    this.#run = run;
    this.#kill = kill;
    // Node takes no longer timer than this; a policy may ask for centuries.
    if (run.timeoutMs > 0) this.after(Math.min(run.timeoutMs, 2 ** 31 - 1), () => this.#expire());
    run.signal?.addEventListener("abort", this.#stop, { once: true });
    if (run.signal?.aborted) this.#stop();
  }

  after(ms: number, work: () => void): void {
    this.#timers.push(setTimeout(work, ms));
  }

  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#run.signal?.removeEventListener("abort", this.#stop);
  }

  #expire(): void {
    this.timedOut = true;
    this.#stop();
  }

  readonly #stop = (): void => {
    this.#kill("SIGTERM");
    this.after(this.#run.graceMs, () => this.#kill("SIGKILL"));
  };
}

type End = readonly [code: number | null, signal: NodeJS.Signals | null];

/** Waits until the command has ended and its pipes are closed. */
function ended(
  child: ChildProcess,
  kill: () => void,
  clock: Clock,
): { end: Promise<End>; fail: (error: unknown) => void } {
  let fail: (error: unknown) => void = () => undefined;
  const end = new Promise<End>((resolve, reject) => {
    fail = (error) => {
      kill();
      reject(error);
    };
    child.on("error", (cause: NodeJS.ErrnoException) =>
      fail(new PaldronError("start", `the command cannot be started (${cause.code ?? "error"})`, { cause })),
    );
    child.on("exit", () => {
      // Nothing of the group outlives the command; who left the group can hold the pipes only so long.
      kill();
      clock.after(DRAIN_MS, () => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      });
    });
    child.on("close", (code, signal) => resolve([code, signal]));
  });
  return { end, fail };
}

/**
 * Runs a command with nothing but a process group, a timeout and copies of its output. What it starts in a session of
 * its own escapes the group: this is not how commands are run where there is a launcher.
 * @throws PaldronError `request` for arguments that are not text, `start` when it cannot be started, `output` when
 * its output cannot be written.
 */
export async function runChild(run: ChildRun): Promise<ChildOutcome> {
  const spawn = run.spawn ?? nodeSpawn;
  const begun = monotonicMs();
  const child = start(run, spawn);
  const kill = (signal: NodeJS.Signals): void => killTree(child, signal, spawn);
  const clock = new Clock(run, kill);
  const { end, fail } = ended(child, () => kill("SIGKILL"), clock);
  const out = relay(child.stdout, run.stdout, fail);
  const err = relay(child.stderr, run.stderr, fail);
  try {
    const [code, signal] = await end;
    return {
      kind: signal === null ? "exited" : "signalled",
      value: signal === null ? (code ?? 1) : constants.signals[signal],
      timedOut: clock.timedOut,
      stdout: out.bytes(),
      stderr: err.bytes(),
      stdoutBytes: out.total,
      stderrBytes: err.total,
      durationMs: monotonicMs() - begun,
    };
  } finally {
    clock.clear();
    out.release();
    err.release();
  }
}
