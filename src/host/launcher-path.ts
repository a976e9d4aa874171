import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PaldronError } from "../core/errors.ts";

function ownLauncher(): string {
  const up = import.meta.url.endsWith(".ts") ? "../../" : "../";
  return fileURLToPath(new URL(`${up}build/paldron-launcher`, import.meta.url));
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
