import { spawn } from "node:child_process";

/** More than any answer. */
const MAX_BYTES = 1024 * 1024;

export interface FireOptions {
  /** Text for a shell, or an argument vector. */
  readonly command: string | readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
  readonly timeoutMs: number;
}

export interface Fired {
  readonly exit: number | undefined;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a hook as an agent does: through `sh`, or without a shell where the agent needs none. */
export function fireHook({ command, cwd, env, input, timeoutMs }: FireOptions): Promise<Fired> {
  const [program = "", ...args] = typeof command === "string" ? ["/bin/sh", "-c", command] : command;
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...env }, stdio: "pipe", detached: true });
    const printed = { stdout: "", stderr: "" };
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      kill(child.pid);
    }, timeoutMs);
    const end = (exit: number | undefined): void => {
      clearTimeout(timer);
      kill(child.pid);
      resolve({ exit, timedOut, ...printed });
    };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].on("data", (chunk: Buffer) => {
        if (printed[name].length < MAX_BYTES) printed[name] += chunk.toString("utf8");
      });
    }
    child.stdin.on("error", () => undefined);
    child.on("error", () => end(undefined));
    child.on("close", (code) => end(code ?? undefined));
    child.stdin.end(input);
  });
}

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}
