import { chmodSync } from "node:fs";
import type { WalkEntry, WalkRequest } from "../plan/types.ts";
import { look, rawPath } from "./held-file.ts";
import { entryRecord } from "./path-record.ts";
import { walkNode } from "./walk-node.ts";

const OPEN = 0o700;
/** A run that closes more folders than this is denied for them already. */
const MAX_CLOSED = 1000;

/** The permissions of a folder, so that they can be given back when a run has taken them away. */
export function modeOf(path: string): number | undefined {
  const seen = look(path, { content: false });
  return seen?.kind === "folder" ? seen.mode : undefined;
}

/** Gives a folder its permissions back where its owner could not use it any more. */
export function reopen(path: string, before: number | undefined): void {
  const now = modeOf(path);
  if (before === undefined || now === undefined || (now & OPEN) === (before & OPEN)) return;
  try {
    chmodSync(rawPath(path), before);
  } catch {
    // Not the caller's: then the run could not close it either.
  }
}

/**
 * What lies in folders that a run has closed to their owner: names in them can still be opened by whoever knows them.
 * They are opened for it and closed again.
 */
export function entriesBehind(
  closed: readonly string[],
  request: Omit<WalkRequest, "id" | "root">,
  root: string,
): ReadonlyMap<string, WalkEntry> {
  const found = new Map<string, WalkEntry>();
  const open = [...closed];
  const modes = new Map<string, number>();
  for (let path = open.pop(); path !== undefined && modes.size < MAX_CLOSED; path = open.pop()) {
    const folder = `${root}/${path}`;
    const mode = modeOf(folder);
    if (mode === undefined || modes.has(folder)) continue;
    modes.set(folder, mode);
    try {
      chmodSync(rawPath(folder), OPEN);
      const record = entryRecord(
        folder.slice(0, folder.lastIndexOf("/")),
        path.slice(path.lastIndexOf("/") + 1),
      );
      if (record === undefined) continue;
      // Everything in it: what its name would have brought with it is not known here.
      for (const entry of walkNode({ ...request, id: 0, root: record, names: ["*"] }).entries) {
        const inside = `${path}/${entry.path}`;
        if (entry.kind === "unreadable") open.push(inside);
        else found.set(inside, { ...entry, path: inside });
      }
    } catch {
      // Not the caller's, or gone.
    }
  }
  for (const [folder, mode] of [...modes].reverse()) {
    try {
      chmodSync(rawPath(folder), mode);
    } catch {
      // As above.
    }
  }
  return found;
}
