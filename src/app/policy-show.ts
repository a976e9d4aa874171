import type { PolicySet } from "../host/policy-file.ts";
import type { Collected } from "../policy/extends.ts";
import { KEYS, type Key } from "../policy/keys.ts";
import type { Rule } from "../policy/rules/types.ts";
import type { Policy } from "../policy/types.ts";

/** Where the values of keys stand in a policy that was read. */
const FIELD_OF = {
  allow_paths: "allowPaths",
  deny_globs: "denyGlobs",
  secret_exceptions: "secretExceptions",
  later_exceptions: "laterExceptions",
  git_config_exceptions: "gitConfigExceptions",
  allow_network: "allowNetwork",
  allow_binaries: "allowBinaries",
  confine_binaries: "confineBinaries",
  allow_helpers: "allowHelpers",
  allow_native: "allowNative",
  require_os_isolation: "requireOsIsolation",
  require: "require",
  timeout_sec: "timeoutSec",
  max_processes: "maxProcesses",
  max_memory_mb: "maxMemoryMb",
  max_open_files: "maxOpenFiles",
  cpu_time_sec: "cpuTimeSec",
  max_file_size_mb: "maxFileSizeMb",
  write_paths: "writePaths",
  read_paths: "readPaths",
  unix_sockets: "unixSockets",
  unknown_tools: "unknownTools",
  terminal: "terminal",
  jev_verdict: "jevVerdict",
  jev_threshold: "jevThreshold",
  jev_on_error: "jevOnError",
} as const satisfies Record<Exclude<Key, "extends">, keyof Policy>;

/** A value with the file and line that it comes from, or `default`. */
export interface Shown {
  readonly value: unknown;
  readonly origin: string;
}

export interface ShownKey {
  readonly key: string;
  /** Undefined: the default, which is no fixed value. */
  readonly value: Shown | readonly Shown[] | undefined;
}

export interface ShownPolicy {
  readonly keys: readonly ShownKey[];
  /** Lists of which a path must match each too. */
  readonly alsoAllowPaths: readonly (readonly string[])[];
  readonly alsoRequire: readonly string[];
  readonly rules: readonly Rule[];
}

/** The policy that holds, with the origin of each value. */
export function showPolicy(set: PolicySet): ShownPolicy {
  const { policy } = set;
  const files = [...set.parts, ...set.project];
  const keys = KEYS.flatMap((key): ShownKey[] => {
    if (key === "extends") return [];
    const value: unknown = policy[FIELD_OF[key]];
    if (value === undefined) return [{ key, value: undefined }];
    if (!Array.isArray(value)) return [{ key, value: { value, origin: originOf(key, value, files) } }];
    return [
      {
        key,
        value: value.map((entry: unknown) => ({ value: entry, origin: entryOrigin(key, entry, files) })),
      },
    ];
  });
  const { alsoAllowPaths, alsoRequire, rules } = policy;
  return { keys, alsoAllowPaths, alsoRequire, rules };
}

/** The last file that gives a value, of those that give this one. */
function originOf(key: Key, value: unknown, files: readonly Collected[]): string {
  const from = files.findLast((file) => file.given[key] === value);
  return from === undefined ? "default" : placeOf(from, key);
}

/** The first file whose list holds an entry. */
function entryOrigin(key: Key, entry: unknown, files: readonly Collected[]): string {
  const from = files.find((file) => {
    const list: unknown = file.given[key];
    return Array.isArray(list) && list.includes(entry);
  });
  return from === undefined ? "default" : placeOf(from, key);
}

function placeOf({ path, lines }: Collected, key: Key): string {
  const line = lines.get(key);
  return line === undefined ? path : `${path}:${line}`;
}
