import { readdirSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isWithin } from "./path-record.ts";

/** Where this build lies: the folder that holds `dist/` (bundled) or `src/`. */
function ownFolder(): string {
  return fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../.." : "..", import.meta.url));
}

/** The files of the policy and those that Paldron itself runs, where they lie in the workspace. */
export function ownFiles(root: string, policyFiles: readonly string[]): readonly string[] {
  const found = [process.execPath];
  const folder = realOf(ownFolder());
  if (folder !== undefined && isWithin(folder, root)) {
    found.push(`${folder}/package.json`);
    for (const name of ["bin", "build", "dist", "presets"]) found.push(...filesIn(`${folder}/${name}`));
  }
  for (const policyFile of policyFiles) {
    // Under its name and, where that is a link, as the file that it leads to.
    const named = resolve(policyFile);
    found.push(named, realOf(named) ?? named);
  }
  return [...new Set(found)].filter((path) => isWithin(path, root));
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
