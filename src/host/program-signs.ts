import { accessSync, constants, existsSync, readdirSync } from "node:fs";

/** Whether something is there. */
export function exists(path: string): boolean {
  return existsSync(path);
}

/** Hooks of the workspace's own repository that git would run, relative to the workspace. */
export function ownHooks(root: string): readonly string[] {
  try {
    return readdirSync(`${root}/.git/hooks`)
      .filter((name) => !name.endsWith(".sample"))
      .map((name) => `.git/hooks/${name}`)
      .filter((hook) => isExecutable(`${root}/${hook}`));
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
