import { type Dirent, readdirSync, readlinkSync } from "node:fs";
import type { LinkRecord } from "../plan/namespace-types.ts";
import type { PathRecord } from "../plan/types.ts";
import { isWithin, pathRecord } from "./path-record.ts";

/** A tree without the files of some of its folders. */
export interface Thinned {
  readonly records: readonly PathRecord[];
  /** Links beside the records, which would be missing with their folder. */
  readonly links: readonly LinkRecord[];
}

/**
 * What stands for `folder` where the files of `hidden` folders (resolved) are left out: everything beside the way to
 * them, and their own folders. A folder without any of them stays whole.
 */
export function withoutFiles(folder: PathRecord, hidden: readonly string[]): Thinned {
  const records: PathRecord[] = [];
  const links: LinkRecord[] = [];
  const add = (path: string): void => {
    const record = pathRecord(path);
    if (record?.path === path) records.push(record);
  };
  const visit = (path: string): void => {
    if (!hidden.some((place) => isWithin(place, path))) {
      add(path);
      return;
    }
    const isHidden = hidden.includes(path);
    for (const entry of entriesOf(path)) {
      const child = `${path}/${entry.name}`;
      if (entry.isDirectory()) visit(child);
      else if (isHidden) continue;
      else if (entry.isSymbolicLink()) links.push({ path: child, text: readlinkSync(child) });
      else add(child);
    }
  };
  visit(folder.path);
  return { records, links };
}

function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
