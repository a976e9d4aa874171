import { readFileSync } from "node:fs";
import { decodeBytes } from "../core/bytes.ts";
import type { PathRecord } from "../plan/types.ts";
import type { Snapshot } from "./snapshot.ts";

const S_IFMT = 0o170000;
const S_IFSOCK = 0o140000;

/**
 * Sockets of the workspace that somebody seems to listen on, relative to it. A server tells the kernel a path of its own
 * choice, often a relative one, so the last name alone decides; one that nobody has bound is left over from an earlier
 * run, and has to make way for the next server. Servers in other network namespaces are not seen.
 */
export function liveSockets(root: string, before: Snapshot): ReadonlyMap<string, PathRecord> {
  const found = new Map<string, PathRecord>();
  let names: ReadonlySet<string> | undefined;
  for (const [path, entry] of before.entries) {
    if ((entry.mode & S_IFMT) !== S_IFSOCK) continue;
    names ??= boundNames();
    if (names !== undefined && !names.has(lastName(path))) continue;
    found.set(path, { path: `${root}/${path}`, dev: entry.dev, ino: entry.ino, type: S_IFSOCK });
  }
  return found;
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** unix(7), proc(5): the path is the eighth column, where there is one. Undefined where it cannot be read. */
function boundNames(): ReadonlySet<string> | undefined {
  try {
    const text = decodeBytes(readFileSync("/proc/net/unix"));
    return new Set(
      text.split("\n").flatMap((line) => {
        const path = /^(?:\S+\s+){7}(.+)$/s.exec(line)?.[1];
        return path === undefined ? [] : [lastName(path)];
      }),
    );
  } catch {
    return undefined;
  }
}
