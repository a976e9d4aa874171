/** Runs one client against a model that plays a script; started by session.ts, where it can reach loopback only. */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { type Scripts, startModel, type Talk } from "./models/server.ts";

export interface Errand {
  readonly scripts: Scripts;
  /** A command that is run first, in the same environment; none: empty. */
  readonly before: readonly string[];
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Files in which, as in `args` and `env`, `{port}` stands for the model's port. */
  readonly files: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface Outcome extends Talk {
  readonly exit: number | string | null;
  /** The end of what the client printed. */
  readonly printed: string;
}

const errand: Errand = JSON.parse(readFileSync(0, "utf8"));
const model = await startModel(errand.scripts);
const filled = (text: string): string => text.replaceAll("{port}", `${model.port}`);
for (const [path, text] of Object.entries(errand.files)) writeFileSync(path, filled(text));

const env = Object.fromEntries(Object.entries(errand.env).map(([name, value]) => [name, filled(value)]));
const [first, ...firstArgs] = errand.before;
if (first !== undefined) {
  const { status, stdout, stderr } = spawnSync(first, firstArgs, { cwd: errand.cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${errand.before.join(" ")}: ${stdout}${stderr}`);
}
const child = spawn(errand.program, errand.args.map(filled), {
  cwd: errand.cwd,
  env,
  stdio: ["ignore", "pipe", "pipe"],
  detached: true,
});
let printed = "";
const keep = (chunk: Buffer): void => {
  printed = (printed + chunk.toString()).slice(-6000);
};
child.stdout.on("data", keep);
child.stderr.on("data", keep);

/** The client with what it started: its own process group. */
function killAll(): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nobody is left.
  }
}
const timer = setTimeout(killAll, errand.timeoutMs);
const exit = await new Promise<Outcome["exit"]>((resolve) => {
  child.on("error", (error) => resolve(error.message));
  child.on("exit", (code, signal) => resolve(code ?? signal));
});
clearTimeout(timer);
killAll();
const outcome: Outcome = { ...model.talk(), exit, printed };
writeFileSync(1, JSON.stringify(outcome));
process.exit(0);
