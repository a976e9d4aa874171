/** Starts the launcher and speaks its protocol. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { cancel, hello, type PlanOptions, planMessage, type WalkOptions, walkMessage } from "./encode.ts";

export const LAUNCHER = process.env["PALDRON_TEST_LAUNCHER"] ?? "build/paldron-launcher";

export interface Message {
  readonly type: number;
  readonly payload: Buffer;
}
interface Entry {
  readonly kind: number;
  readonly mode: number;
  readonly ino: bigint;
  readonly errno: number;
  readonly path: string;
}
export interface Walked {
  readonly entries: Entry[];
  readonly status: number;
  readonly errno: number;
  readonly folders: bigint;
  readonly seen: bigint;
}
interface Ended {
  readonly kind: "exited" | "signalled";
  readonly value: number;
  readonly core: number;
  readonly cause: number;
  readonly detail: number;
  readonly leftovers: number;
  readonly maxRssKb: bigint;
  readonly wallUs: bigint;
  readonly stdoutBytes: bigint;
}
export interface Outcome {
  readonly ended: Ended | undefined;
  readonly failed: { stage: number; errno: number; detail: string } | undefined;
  readonly pid: number;
  /** What went through the launcher's own descriptors. */
  readonly stdout: string;
  readonly stderr: string;
  /** What came back as OUTPUT. */
  readonly copy: readonly [string, string];
}

type Stdio = "pipe" | "ignore" | number;
export interface LauncherOptions {
  readonly stdout?: Stdio;
  readonly stderr?: Stdio;
  readonly stdin?: Stdio;
  readonly uid?: number;
  /** Collects nothing of stdout. */
  readonly discard?: boolean;
}

export class Launcher {
  readonly child: ChildProcess;
  readonly input: Writable;
  readonly output: Readable;
  readonly stdout: Buffer[] = [];
  readonly stderr: Buffer[] = [];
  readonly closed: Promise<unknown>;
  #buffer: Buffer = Buffer.alloc(0);
  #waiting: (() => void) | undefined;
  #ended = false;

  constructor(options: LauncherOptions = {}) {
    const { stdin = "ignore", stdout = "pipe", stderr = "pipe", uid } = options;
    const ids = uid === undefined ? {} : { uid, gid: uid };
    this.child = spawn(LAUNCHER, [], { stdio: [stdin, stdout, stderr, "pipe", "pipe"], env: {}, ...ids });
    this.input = this.child.stdio[3] as Writable;
    this.output = this.child.stdio[4] as Readable;
    this.input.on("error", () => undefined);
    this.output.on("error", () => undefined);
    this.closed = once(this.child, "close");
    if (options.discard !== true) {
      this.child.stdout?.on("data", (bytes: Buffer) => this.stdout.push(bytes));
      this.child.stderr?.on("data", (bytes: Buffer) => this.stderr.push(bytes));
    }
    this.output.on("data", (bytes: Buffer) => {
      this.#buffer = Buffer.concat([this.#buffer, bytes]);
      this.#waiting?.();
    });
    this.output.on("close", () => {
      this.#ended = true;
      this.#waiting?.();
    });
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  send(bytes: Buffer): void {
    this.input.write(bytes);
  }

  /** The next message, undefined at the end of the stream. */
  async next(): Promise<Message | undefined> {
    for (;;) {
      const have = this.#buffer.length;
      const length = have >= 8 ? this.#buffer.readUInt32LE(4) : 0;
      if (have >= 8 && have >= 8 + length) {
        const type = this.#buffer.readUInt16LE(0);
        const payload = this.#buffer.subarray(8, 8 + length);
        this.#buffer = this.#buffer.subarray(8 + length);
        return { type, payload };
      }
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
  }

  async ready(): Promise<Message> {
    this.send(hello);
    return (await this.next()) ?? { type: 0, payload: Buffer.alloc(0) };
  }

  async walk(options: WalkOptions): Promise<Walked> {
    this.send(walkMessage(options));
    const entries: Entry[] = [];
    for (;;) {
      const got = await this.next();
      if (got?.type === 18) entries.push(readEntry(got.payload));
      else if (got?.type === 19) return readWalked(got.payload, entries);
      else throw new Error(`unexpected message ${got?.type} ${got?.payload.subarray(8)}`);
    }
  }

  /** Everything up to FAILED, ENDED or the end of the stream. `started` is called with the pid. */
  async finish(started?: (pid: number) => void): Promise<Outcome> {
    const copy: [Buffer[], Buffer[]] = [[], []];
    const seen: { pid: number; ended?: Ended; failed?: Outcome["failed"] } = { pid: -1 };
    for (let got = await this.next(); got !== undefined; got = await this.next()) {
      const { type, payload } = got;
      if (type === 21) {
        seen.pid = payload.readUInt32LE(0);
        started?.(seen.pid);
      } else if (type === 22) {
        copy[payload.readUInt32LE(0) === 1 ? 0 : 1].push(payload.subarray(4));
      } else if (type === 23) {
        seen.ended = readEnded(payload);
        break;
      } else if (type === 20) {
        seen.failed = readFailed(payload);
        break;
      }
    }
    return {
      ended: seen.ended,
      failed: seen.failed,
      pid: seen.pid,
      copy: [text(copy[0]), text(copy[1])],
      stdout: text(this.stdout),
      stderr: text(this.stderr),
    };
  }

  /** Ends the message stream and waits for the launcher to exit. */
  async close(): Promise<number | null> {
    this.input.end();
    await this.closed;
    return this.child.exitCode;
  }
}

const text = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString();

export function readFailed(payload: Buffer): { stage: number; errno: number; detail: string } {
  const detail = payload.subarray(8).toString();
  return { stage: payload.readUInt32LE(0), errno: payload.readUInt32LE(4), detail };
}

function readEnded(payload: Buffer): Ended {
  const word = (index: number): number => payload.readUInt32LE(index * 4);
  return {
    kind: word(0) === 1 ? "exited" : "signalled",
    value: word(1),
    core: word(2),
    cause: word(3),
    detail: word(4),
    leftovers: word(5),
    maxRssKb: payload.readBigUInt64LE(40),
    wallUs: payload.readBigUInt64LE(48),
    stdoutBytes: payload.readBigUInt64LE(56),
  };
}

function readEntry(payload: Buffer): Entry {
  return {
    kind: payload.readUInt32LE(4),
    mode: payload.readUInt32LE(8),
    ino: payload.readBigUInt64LE(24),
    errno: payload.readUInt32LE(64),
    path: payload.subarray(68).toString(),
  };
}

function readWalked(payload: Buffer, entries: Entry[]): Walked {
  return {
    entries,
    status: payload.readUInt32LE(4),
    errno: payload.readUInt32LE(8),
    folders: payload.readBigUInt64LE(12),
    seen: payload.readBigUInt64LE(20),
  };
}

export interface RunOptions extends LauncherOptions {
  /** Sent as CANCEL once the command has started. */
  readonly cancel?: number;
  readonly started?: (pid: number, launcher: Launcher) => void;
}

/** One whole run; waits until the launcher is gone. */
export async function run(plan: PlanOptions, options: RunOptions = {}): Promise<Outcome> {
  const launcher = new Launcher(options);
  await launcher.ready();
  launcher.send(planMessage(plan));
  const outcome = await launcher.finish((pid) => {
    options.started?.(pid, launcher);
    if (options.cancel !== undefined) launcher.send(cancel(options.cancel));
  });
  await launcher.close();
  return { ...outcome, stdout: text(launcher.stdout), stderr: text(launcher.stderr) };
}
