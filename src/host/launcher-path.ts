import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PaldronError } from "../core/errors.ts";

function ownProgram(name: string): string {
  const up = import.meta.url.endsWith(".ts") ? "../../" : "../";
  return fileURLToPath(new URL(`${up}build/${name}`, import.meta.url));
}

function ownLauncher(): string {
  return ownProgram("paldron-launcher");
}

/** The program that `doctor` runs, where it was built. It is built with the launcher. */
export function probePath(): string | undefined {
  const path = ownProgram("paldron-probe");
  return existsSync(path) ? path : undefined;
}

/** Whether this build has its launcher. */
export function launcherBuilt(): boolean {
  return existsSync(ownLauncher());
}

/**
 * Where the launcher of this build lies: `build/` beside `dist/` (bundled) or beside `src/` (run from source).
 * Never searched for on PATH or in the working folder, so that nothing planted there can run in its place.
 * @throws PaldronError `isolation` when it was not built.
 */
export function launcherPath(): string {
  const path = ownLauncher();
  if (existsSync(path)) return path;
  throw launcherMissing();
}

/** What a run that needs the launcher gets where there is none. */
export function launcherMissing(): PaldronError {
  return new PaldronError("isolation", "the launcher is not built (a C compiler is needed: `npm run build`)");
}
