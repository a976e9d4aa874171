import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PaldronError } from "../core/errors.ts";

/** The command's own home and temporary folder for one run without a launcher. */
export interface ScratchFolder {
  /** Resolved path of the folder around both, of mode 0700. */
  readonly path: string;
  readonly home: string;
  readonly tmp: string;
  /** Removes all of it, as far as it can be removed. */
  remove(): void;
}

/** Makes them in the system's folder for temporary files. */
export function makeScratchFolder(): ScratchFolder {
  const parent = tmpdir();
  try {
    const path = mkdtempSync(join(realpathSync(parent), "paldron-"));
    const home = join(path, "home");
    const tmp = join(path, "tmp");
    for (const folder of [home, tmp]) mkdirSync(folder, { mode: 0o700 });
    return { path, home, tmp, remove: () => remove(path) };
  } catch (cause) {
    throw new PaldronError("io", `no folder for temporary files can be made in ${parent} (see TMPDIR)`, {
      cause,
    });
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // A process that left the group may still write in it; what it leaves is in the folder for temporary files.
  }
}
