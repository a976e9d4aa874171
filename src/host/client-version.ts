import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";

const TIMEOUT_MS = 20_000;
const VERSION = /\d+\.\d+\.\d+/;

/** The version of a client: by the package that it lies in, else, where `mayAsk`, by what it says itself. */
export function clientVersion(
  program: string,
  mayAsk: boolean,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const packaged = packageVersion(program);
  if (packaged !== undefined || !mayAsk) return packaged;
  const run = spawnSync(program, ["--version"], {
    encoding: "utf8",
    env: { ...env },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  return run.status === 0 ? VERSION.exec(run.stdout)?.[0] : undefined;
}

function packageVersion(program: string): string | undefined {
  try {
    for (let folder = dirname(realpathSync(program)); ; folder = dirname(folder)) {
      const found = versionIn(`${folder}/package.json`);
      if (found !== undefined || folder === dirname(folder)) return found;
      if (folder.endsWith("/node_modules")) return undefined;
    }
  } catch {
    return undefined;
  }
}

function versionIn(path: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(path, "utf8")) as { version?: unknown };
    return typeof version === "string" ? VERSION.exec(version)?.[0] : undefined;
  } catch {
    return undefined;
  }
}
