import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PaldronError } from "../core/errors.ts";

/**
 * Where the launcher of this build lies: `build/` beside `dist/` (bundled) or beside `src/` (run from source).
 * Never searched for on PATH or in the working folder, so that nothing planted there can run in its place.
 * @throws PaldronError `isolation` when it was not built.
 */
export function launcherPath(): string {
  const up = import.meta.url.endsWith(".ts") ? "../../" : "../";
  const path = fileURLToPath(new URL(`${up}build/paldron-launcher`, import.meta.url));
  if (!existsSync(path)) {
    throw new PaldronError(
      "isolation",
      "the launcher is not built (a C compiler is needed: `npm run build`)",
    );
  }
  return path;
}
