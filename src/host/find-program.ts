import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";

/** Where installers put programs beside PATH, below the home and outside of it. */
const HOME_FOLDERS = [
  ".local/bin",
  "bin",
  ".npm-global/bin",
  ".bun/bin",
  ".volta/bin",
  ".claude/local",
  ".opencode/bin",
];
const FOLDERS = ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"];

export interface ProgramPlaces {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Put before folders outside of the home; "" but in tests. */
  readonly systemRoot: string;
}

/**
 * A client's program: in the absolute folders of PATH, then in the usual ones. What lies in the project is left out: it
 * came with it.
 */
export function clientProgram(
  name: string,
  { home, project, env, systemRoot }: ProgramPlaces,
): string | undefined {
  const path = (env["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"));
  const usual = HOME_FOLDERS.map((folder) => join(home, folder));
  return [...path, ...usual, ...FOLDERS.map((folder) => systemRoot + folder)]
    .filter((folder) => home === project || !`${folder}/`.startsWith(`${project}/`))
    .map((folder) => join(folder, name))
    .find(isProgram);
}

/** A file that can be started. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
