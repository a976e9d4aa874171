import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PaldronError } from "../core/errors.ts";

/** A scratch workspace and, beside it, an empty home. */
export interface CompatPlace {
  readonly workspace: string;
  readonly home: string;
  /** For the caches that a run keeps, so that none of them outlives the checks. */
  readonly caches: string;
  remove(): void;
}

/** Makes one with these files in it. */
export function makeCompatPlace(files: Readonly<Record<string, string>>): CompatPlace {
  try {
    const top = mkdtempSync(join(realpathSync(tmpdir()), "paldron-doctor-"));
    const workspace = join(top, "ws");
    const home = join(top, "home");
    const caches = join(top, "caches");
    for (const folder of [workspace, home, caches]) mkdirSync(folder, { mode: 0o700 });
    for (const [name, content] of Object.entries(files)) {
      const path = join(workspace, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
    return { workspace, home, caches, remove: () => rmSync(top, { recursive: true, force: true }) };
  } catch (cause) {
    throw new PaldronError("io", "no folder for the compatibility checks can be made", { cause });
  }
}
