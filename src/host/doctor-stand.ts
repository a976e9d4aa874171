import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { PaldronError } from "../core/errors.ts";

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** The target of the attempts: a process that says what reached it. */
export interface DoctorStand {
  /** Where it can be reached: `TCP`, `PID`, `TERMINAL` and so on. */
  readonly settings: Readonly<Record<string, string>>;
  /** What reached it since the last call: `tcp`, `signal`, `terminal` and so on. */
  hits(): Promise<ReadonlySet<string>>;
  stop(): Promise<void>;
}

/** Starts `paldron-probe stand` and waits until it listens. Without this process's environment, but for the token. */
export async function startStand(probe: string, token: string, folder: string): Promise<DoctorStand> {
  const child = spawn(probe, ["stand", token, folder], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { PALDRON_CANARY: token },
    cwd: "/",
  });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  child.stdin.on("error", () => undefined);
  const lines = new Lines(child);
  const settings: Record<string, string> = Object.create(null);
  for (const line of await lines.until("ready")) {
    const [key, value] = line.split(" ");
    if (key !== undefined && value !== undefined) settings[key] = value;
  }
  return {
    settings,
    hits: async () => {
      child.stdin.write("?\n");
      const seen = await lines.until("seen");
      return new Set(seen.map((line) => line.replace(/^hit /, "")));
    },
    stop: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** The lines that a child prints, taken in pieces that end with a known line. */
class Lines {
  readonly #child: Child;
  #rest = "";
  #lines: string[] = [];
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(child: Child) {
    this.#child = child;
    child.stdout.setEncoding("latin1");
    child.stdout.on("data", (text: string) => {
      const parts = `${this.#rest}${text}`.split("\n");
      this.#rest = parts.pop() ?? "";
      this.#lines.push(...parts);
      this.#wake();
    });
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    this.#child.on("error", end);
    this.#child.stdout.on("close", end);
  }

  async until(last: string): Promise<readonly string[]> {
    for (;;) {
      const at = this.#lines.indexOf(last);
      if (at !== -1) return this.#lines.splice(0, at + 1).slice(0, -1);
      if (this.#ended) throw new PaldronError("internal", "the target of the canaries ended too early");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
