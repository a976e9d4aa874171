import { accessSync, constants } from "node:fs";
import { type Grant, pathRecord } from "./path-record.ts";

const S_IFREG = 0o100000;

/**
 * The user's git configuration, read only: without it git has no identity, and one that exists and cannot be read is
 * fatal for git. git reads both places; the variable that names one replaces both, so the first that exists is named.
 */
export function gitConfig(home: string | undefined): Grant | undefined {
  if (home === undefined || !home.startsWith("/")) return undefined;
  for (const name of [".gitconfig", ".config/git/config"]) {
    const record = pathRecord(`${home}/${name}`);
    if (record === undefined || record.type !== S_IFREG) continue;
    try {
      accessSync(record.path, constants.R_OK);
      return { ...record, kind: "read" };
    } catch {
      // Not readable for the caller either: the other place may be.
    }
  }
  return undefined;
}
