import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The program of this build, beside `dist/` (bundled) or `src/` (run from source), with every link resolved. */
export function ownProgram(): { readonly node: string; readonly program: string } {
  const up = import.meta.url.endsWith(".ts") ? "../../" : "../";
  const program = realpathSync(fileURLToPath(new URL(`${up}bin/paldron`, import.meta.url)));
  return { node: process.execPath, program };
}
