import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import type { Duplex, Readable, Stream } from "node:stream";
import { PaldronError } from "../core/errors.ts";
import { MessageDecoder } from "../plan/decode.ts";
import {
  encodeCancel,
  encodeClear,
  encodeHello,
  encodeRun,
  encodeTerminal,
  encodeWalk,
} from "../plan/encode.ts";
import { encodeJudged, encodeRelease } from "../plan/encode-watch.ts";
import type {
  EndedMessage,
  HostFacts,
  LauncherMessage,
  SandboxPlan,
  ScratchDir,
  WalkEntry,
  WalkRequest,
  WalkResult,
} from "../plan/types.ts";
import type { SeenMessage, WatchingMessage } from "../plan/watch-types.ts";
import type { TerminalEvent } from "../plan/wire.ts";
import { LaunchFailure } from "./launch-failure.ts";
import { type CopiedOutput, type OnOutput, OutputCopies } from "./output-copies.ts";
import { errnoName } from "./start-problem.ts";

/** The caller's own, the null device, or what is open. */
export type LaunchStream = "inherit" | "ignore" | number | Stream;

/** The command's stdin, and where its output is relayed to. */
export interface LaunchStdio {
  readonly stdin: LaunchStream;
  readonly stdout: LaunchStream;
  readonly stderr: LaunchStream;
}

/** How a run ended, with the bounded copies of its output. */
export interface RunOutcome extends CopiedOutput {
  readonly ended: EndedMessage;
}

/** What is heard of a run before its end. */
export interface RunListener {
  /** The command was stopped on its terminal. */
  readonly onStopped?: ((signal: number) => void) | undefined;
  /** A part of the bounded copy of its output, as long as none of it waits for the verdict. */
  readonly onOutput?: OnOutput | undefined;
  readonly onWatching?: (message: WatchingMessage) => void;
  /** Whether the output that comes from now on has to wait. */
  readonly onSeen?: (message: SeenMessage) => boolean;
}

type Listener = { message: (message: LauncherMessage) => void; failed: (error: Error) => void };

/**
 * One launcher process: `ready`, then any walks and at most one run. Closing descriptor 3 (also by dying) makes it
 * kill what it started, remove what it made and exit.
 */
export class Launcher {
  readonly #child: ChildProcess;
  readonly #control: Duplex;
  readonly #decoder = new MessageDecoder();
  /** Who waits for an answer, in the order of the requests: the launcher answers them in turn. */
  readonly #listeners: Listener[] = [];
  #failure: Error | undefined;
  #exited = false;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#control = child.stdio[3] as Duplex;
    const messages = child.stdio[4] as Readable;
    messages.on("data", (chunk: Uint8Array) => this.#receive(chunk));
    messages.on("error", (error) => this.#fail(error));
    messages.on("end", () =>
      this.#fail(new PaldronError("launcher", "the launcher ended without an answer")),
    );
    // EPIPE and the like: the launcher is gone, which the end of its messages reports.
    this.#control.on("error", () => undefined);
    child.on("error", (cause) =>
      this.#fail(new PaldronError("launcher", "the launcher cannot be started", { cause })),
    );
    child.on("exit", () => {
      this.#exited = true;
    });
  }

  /** Starts the launcher at `path`. What goes wrong is heard from the first request. */
  static start(path: string, stdio: LaunchStdio): Launcher {
    const fds: StdioOptions = [stdio.stdin, stdio.stdout, stdio.stderr, "pipe", "pipe"];
    // Its own session, so that a signal to Paldron's process group does not reach it; an empty environment.
    return new Launcher(spawn(path, [], { stdio: fds, env: {}, cwd: "/", detached: true }));
  }

  /**
   * Greets the launcher: the first request. The next one need not wait for the answer.
   * @throws PaldronError `launcher` when it is missing, cannot run, or speaks another version.
   */
  greet(): Promise<HostFacts> {
    return this.#converse(encodeHello(), (message, done) => {
      if (message.type !== "ready") return false;
      done(message.facts);
      return true;
    });
  }

  /** Walks a folder and reports the entries whose names may matter. */
  walk(request: WalkRequest): Promise<WalkResult> {
    const entries: WalkEntry[] = [];
    return this.#converse(encodeWalk(request), (message, done) => {
      if (message.type === "entry" && message.walkId === request.id) {
        entries.push(message.entry);
        return true;
      }
      if (message.type !== "walked" || message.walkId !== request.id) return false;
      done({ status: message.status, errno: message.errno, counts: message.counts, entries });
      return true;
    });
  }

  /** Carries out the plan and waits for the end of the whole tree. @throws LaunchFailure when a stage failed. */
  run(plan: SandboxPlan, hear: RunListener = {}): Promise<RunOutcome> {
    const copies = new OutputCopies(hear.onOutput);
    return this.#converse(encodeRun(plan), (message, done) => {
      if (message.type === "output") copies.add(message.stream, message.bytes);
      else if (message.type === "stopped") hear.onStopped?.(message.signal);
      else if (message.type === "watching") hear.onWatching?.(message);
      else if (message.type === "seen") {
        const hold = hear.onSeen?.(message) ?? false;
        if (hold) copies.withhold();
        this.#control.write(encodeJudged(message.number, hold));
      } else if (message.type === "ended") done({ ended: message, ...copies.outcome() });
      else return message.type === "started";
      return true;
    });
  }

  /** Removes the scratch folder of a run whose launcher was killed; 0 where nothing is left of it, or an errno. */
  clear(scratch: ScratchDir): Promise<number> {
    return this.#converse(encodeClear(scratch), (message, done) => {
      if (message.type !== "cleared") return false;
      done(message.errno);
      return true;
    });
  }

  /** Shows the output that was held, or forgets it. @throws PaldronError `output` when it cannot be written. */
  release(show: boolean): Promise<void> {
    return this.#converse<void>(encodeRelease(show), (message, done) => {
      if (message.type !== "released") return false;
      if (message.errno === 0) done();
      else this.#fail(new PaldronError("output", `output cannot be written (${errnoName(message.errno)})`));
      return true;
    });
  }

  /** Sends a signal to the command's process group; the tree is killed after the plan's grace. 0 kills at once. */
  cancel(signal: number): void {
    if (!this.#control.destroyed) this.#control.write(encodeCancel(signal));
  }

  /** Says what happened to the terminal of a run that has one. */
  tell(event: TerminalEvent): void {
    if (!this.#control.destroyed) this.#control.write(encodeTerminal(event));
  }

  /** It exits and answers nothing more. */
  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** Nothing more will be asked. */
  dismiss(): void {
    this.#control.destroy();
  }

  /** Lets the launcher exit; waits until it has, so that nothing of it is left. */
  async close(): Promise<void> {
    this.dismiss();
    if (this.#exited || this.#child.pid === undefined) return;
    await new Promise<void>((resolve) => this.#child.once("exit", () => resolve()));
  }

  /** Sends one request and hands each answer to `take` until it calls `done`; `take` returns false at a stranger. */
  #converse<T>(
    request: Uint8Array,
    take: (message: LauncherMessage, done: (value: T) => void) => boolean,
  ): Promise<T> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise<T>((resolve, reject) => {
      this.#listeners.push({
        message: (message) => {
          const done = (value: T): void => {
            this.#listeners.shift();
            resolve(value);
          };
          if (!take(message, done)) this.#fail(unexpected(message));
        },
        failed: reject,
      });
      this.#control.write(request);
    });
  }

  #receive(chunk: Uint8Array): void {
    try {
      for (const message of this.#decoder.push(chunk)) {
        const [listener] = this.#listeners;
        if (listener === undefined) throw unexpected(message);
        listener.message(message);
      }
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const listener of this.#listeners.splice(0)) listener.failed(this.#failure);
  }
}

function unexpected(message: LauncherMessage): PaldronError {
  if (message.type === "failed") return new LaunchFailure(message);
  return new PaldronError("launcher", `the launcher answered out of turn (${message.type})`);
}
