import { statSync } from "node:fs";
import { monotonicMs } from "./clock.ts";
import type { Grant } from "./path-record.ts";
import { lookAgain } from "./path-record.ts";
import { PASSWORD_FILES, runtimePaths } from "./runtime-paths.ts";
import { findToolchains, type ToolchainInput, type Toolchains } from "./toolchains.ts";

/**
 * Milliseconds for which a list of paths is believed. It only says where to look: every path is looked at again for
 * each run, and one that is gone or has become something else makes the list anew.
 */
const BELIEVED_MS = 10_000;

interface Remembered<T> {
  readonly key: string;
  readonly at: number;
  readonly value: T;
}

let system: Remembered<readonly Grant[]> | undefined;
let toolchains: Remembered<Toolchains> | undefined;

/** As {@link runtimePaths}; in a process that runs many commands most of the searching is done once. */
export function systemPaths(): readonly Grant[] {
  // Whatever decides that a path is granted: new entries of these folders, and passwords put into a file.
  const key = ["/", "/etc", ...PASSWORD_FILES].map(stateOf).join();
  const grants = believed(system, key) && refresh(system.value);
  if (grants) return grants;
  const found = runtimePaths();
  system = { key, at: monotonicMs(), value: found };
  return found;
}

/** As {@link findToolchains}, in the same way. */
export function toolchainPaths(input: ToolchainInput): Toolchains {
  const { path = "", home = "", workspace, program = "" } = input;
  const places = [...path.split(":"), program, home].map(stateOf);
  const key = [path, home, workspace, program, ...places].join("\0");
  if (believed(toolchains, key)) {
    const grants = refresh(toolchains.value.grants);
    if (grants) return { ...toolchains.value, grants };
  }
  const found = findToolchains(input);
  toolchains = { key, at: monotonicMs(), value: found };
  return found;
}

function believed<T>(kept: Remembered<T> | undefined, key: string): kept is Remembered<T> {
  return kept !== undefined && kept.key === key && monotonicMs() - kept.at < BELIEVED_MS;
}

/** The same paths with the identities that they have now; undefined when one is not what it was. */
function refresh(grants: readonly Grant[]): readonly Grant[] | undefined {
  const fresh: Grant[] = [];
  for (const grant of grants) {
    const seen = lookAgain(grant);
    if (seen === undefined) return undefined;
    fresh.push(seen);
  }
  return fresh;
}

/** What changes when a file is replaced or written, or an entry of a folder appears or goes. */
function stateOf(path: string): string {
  if (!path.startsWith("/")) return "";
  try {
    const seen = statSync(path, { bigint: true, throwIfNoEntry: false });
    return seen === undefined ? "" : `${seen.dev}:${seen.ino}:${seen.mtimeNs}:${seen.ctimeNs}`;
  } catch {
    return "";
  }
}
