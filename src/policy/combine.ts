import { FIELDS, KEYS, type Key } from "./keys.ts";
import { firstMistake } from "./mistake.ts";
import type { Given, PolicyPart } from "./part.ts";
import type { Rule } from "./rules/types.ts";
import type { Policy } from "./types.ts";

export const LIMIT_KEYS = [
  "timeout_sec",
  "max_processes",
  "max_memory_mb",
  "max_open_files",
  "cpu_time_sec",
  "max_file_size_mb",
] as const satisfies readonly Key[];

/** What several files say together, before defaults are filled in. */
export interface Merged {
  readonly given: Given;
  readonly rules: readonly Rule[];
}

/** Later files win over earlier ones, but for lists and rules, which add up. */
export function mergeParts(parts: readonly PolicyPart[]): Merged {
  const given: Record<string, unknown> = {};
  for (const part of parts) {
    for (const key of KEYS) {
      const value = part.given[key];
      if (value === undefined || key === "extends") continue;
      const before = given[key];
      given[key] =
        Array.isArray(value) && Array.isArray(before) ? [...new Set([...before, ...value])] : value;
    }
  }
  refuseUnlisted(given as Given, parts);
  return { given: given as Given, rules: parts.flatMap((part) => part.rules) };
}

/** Without a list there is nothing to hold. */
function refuseUnlisted(given: Given, parts: readonly PolicyPart[]): void {
  if (given.confine_binaries !== true || given.allow_binaries?.some((entry) => entry !== "") === true) return;
  const part = parts.findLast((each) => each.given.confine_binaries === true);
  const message = "key `confine_binaries` needs a list in `allow_binaries`";
  throw firstMistake([{ line: part?.lines.get("confine_binaries"), message }], part?.path ?? "policy");
}

/** Zero means the default, and is not "set". */
function orPreset(given: number | undefined, key: Key): number {
  const preset = FIELDS[key].json["default"];
  return given === undefined || given === 0 ? Number(preset) : given;
}

/** The policy with every default filled in. */
export function toPolicy({ given, rules }: Merged): Policy {
  return {
    allowPaths: given.allow_paths ?? [],
    alsoAllowPaths: [],
    denyGlobs: given.deny_globs ?? [],
    secretExceptions: given.secret_exceptions ?? [],
    laterExceptions: given.later_exceptions ?? [],
    gitConfigExceptions: given.git_config_exceptions ?? [],
    allowNetwork: given.allow_network ?? false,
    allowBinaries: given.allow_binaries ?? [],
    confineBinaries: given.confine_binaries ?? false,
    allowHelpers: given.allow_helpers ?? [],
    allowNative: given.allow_native ?? [],
    requireOsIsolation: given.require_os_isolation ?? true,
    timeoutSec: orPreset(given.timeout_sec, "timeout_sec"),
    maxProcesses: orPreset(given.max_processes, "max_processes"),
    maxMemoryMb: orPreset(given.max_memory_mb, "max_memory_mb"),
    maxOpenFiles: orPreset(given.max_open_files, "max_open_files"),
    cpuTimeSec: orPreset(given.cpu_time_sec, "cpu_time_sec"),
    maxFileSizeMb: orPreset(given.max_file_size_mb, "max_file_size_mb"),
    setLimits: new Set(LIMIT_KEYS.filter((key) => (given[key] ?? 0) !== 0)),
    writePaths: given.write_paths,
    readPaths: given.read_paths ?? [],
    unixSockets: given.unix_sockets ?? [],
    require: given.require,
    alsoRequire: [],
    terminal: given.terminal ?? "pass",
    unknownTools: given.unknown_tools ?? "ask",
    jevVerdict: given.jev_verdict ?? false,
    jevThreshold: orPreset(given.jev_threshold, "jev_threshold"),
    jevOnError: given.jev_on_error ?? "deny",
    rules,
  };
}
