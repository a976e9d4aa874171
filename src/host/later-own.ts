import { readdirSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isWithin } from "./path-record.ts";

/** Where this build lies: the folder that holds `dist/` (bundled) or `src/`. */
function ownFolder(): string {
  return fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../.." : "..", import.meta.url));
}

/** Files of Paldron that lie in the workspace. */
export interface OwnFiles {
  /** Those of the policy. */
  readonly policies: readonly string[];
  /** Those that Paldron itself runs. */
  readonly programs: readonly string[];
}

export function ownFiles(root: string, policyFiles: readonly string[]): OwnFiles {
  const inside = (paths: readonly string[]): readonly string[] =>
    [...new Set(paths)].filter((path) => isWithin(path, root));
  // Under its name and, where that is a link, as the file that it leads to.
  const policies = policyFiles
    .map((file) => resolve(file))
    .flatMap((named) => [named, realOf(named) ?? named]);
  return { policies: inside(policies), programs: inside([process.execPath, ...programsIn(root)]) };
}

function programsIn(root: string): readonly string[] {
  const folder = realOf(ownFolder());
  if (folder === undefined || !isWithin(folder, root)) return [];
  const built = ["paldron-launcher", "paldron-probe"].map((name) => `${folder}/build/${name}`);
  const all = ["bin", "dist", "presets"].flatMap((name) => filesIn(`${folder}/${name}`));
  return [`${folder}/package.json`, ...built, ...all.filter((path) => !/\.d\.[cm]?ts$/.test(path))];
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesIn(path) : [path];
    });
  } catch {
    return [];
  }
}
