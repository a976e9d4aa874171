import type { LinkRecord } from "../plan/namespace-types.ts";
import { isWithin, pathRecord } from "./path-record.ts";

const S_IFDIR = 0o040000;
/** Where a new root has places of its own. */
const TAKEN = ["/dev", "/proc", "/run", "/sys", "/tmp"];

export interface TemporaryInput {
  /** TMPDIR of the caller. */
  readonly folder: string | undefined;
  readonly workspace: string;
  readonly links: readonly LinkRecord[];
}

/**
 * The caller's temporary folder by its own name: in a new root it leads to the private one, so that a command that
 * knows the name (`../tmp/x`) finds a place to write. Left out where the name means something else there.
 */
export function temporaryLink({ folder, workspace, links }: TemporaryInput): readonly LinkRecord[] {
  const record = folder?.startsWith("/") === true ? pathRecord(folder) : undefined;
  if (record === undefined || record.path !== folder || record.type !== S_IFDIR) return [];
  const apart = (path: string): boolean => !isWithin(path, record.path) && !isWithin(record.path, path);
  // /var/tmp is a link to the private folder, unless the workspace lies in it.
  const shared = isWithin(workspace, "/var/tmp") ? [] : ["/var/tmp"];
  const others = [...TAKEN, ...shared, workspace, ...links.map(({ path }) => path)];
  return others.every(apart) ? [{ path: record.path, text: "/tmp" }] : [];
}
