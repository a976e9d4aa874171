import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../meta/sources.ts";

export const PALDRON = join(ROOT, "bin/paldron");

export interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; default: none. */
  readonly input?: string | Uint8Array;
}

/** Runs the built program, as a user would: PATH, HOME and what the test gives. */
export function paldron(args: readonly string[], options: RunOptions = {}): Ran {
  return shell('exec "$@"', args, options);
}

/** Runs a shell script in which `"$@"` is paldron with its arguments. */
export function shell(script: string, args: readonly string[], options: RunOptions = {}): Ran {
  if (!existsSync(join(ROOT, "dist/main.cjs")))
    throw new Error("dist/ is missing: run `npm run build` first");
  const { PATH = "", HOME = "" } = process.env;
  const run = spawnSync("/bin/sh", ["-c", script, "sh", PALDRON, ...args], {
    cwd: options.cwd ?? ROOT,
    env: { PATH, HOME, ...options.env },
    encoding: "utf8",
    input: options.input ?? "",
  });
  if (run.error !== undefined) throw run.error;
  return { exit: run.status, stdout: run.stdout, stderr: run.stderr };
}

/** A fresh folder, its real path; removed by the caller. */
export function freshFolder(): { path: string; remove: () => void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "paldron-cli-")));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
