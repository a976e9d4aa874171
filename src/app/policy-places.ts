import { PaldronError } from "../core/errors.ts";
import { pathRecord } from "../host/path-record.ts";
import type { PathRecord } from "../plan/types.ts";
import type { RunExecOptions } from "./exec-types.ts";

/** What a policy names outside the workspace, as it lies on the disk. */

const S_IFSOCK = 0o140000;

export function inHome(entry: string, home: string | undefined): string {
  return entry.startsWith("~/") ? `${home ?? ""}${entry.slice(1)}` : entry;
}

export function readPaths({ policy, env }: RunExecOptions): readonly PathRecord[] {
  return policy.readPaths.flatMap((entry) => {
    const record = pathRecord(inHome(entry, env["HOME"]));
    return record === undefined ? [] : [record];
  });
}

/** Only the sockets themselves: a folder would show those that come later, and everything else in it. */
export function unixSockets(
  { policy, env }: RunExecOptions,
  warn: (warning: string) => void,
): readonly PathRecord[] {
  return policy.unixSockets.flatMap((entry) => {
    const record = pathRecord(inHome(entry, env["HOME"]));
    if (record === undefined) {
      warn(`unix_sockets entry ${entry} does not exist, so the command cannot connect to it`);
      return [];
    }
    if (record.type !== S_IFSOCK)
      throw new PaldronError("policy", `unix_sockets entry ${entry} is no socket (${record.path})`);
    return [record];
  });
}

/** Programs that `allow_binaries` names by their whole path may be executed wherever they lie. */
export function namedPrograms({ policy }: RunExecOptions): readonly PathRecord[] {
  return policy.allowBinaries.flatMap((entry) => {
    const record = entry.startsWith("/") ? pathRecord(entry) : undefined;
    return record === undefined ? [] : [record];
  });
}
