import { strictestOf } from "../core/decision.ts";
import { LIMIT_KEYS, type Merged, toPolicy } from "./combine.ts";
import type { Given } from "./part.ts";
import { cleanPath, relativeTo } from "./paths.ts";
import type { Policy } from "./types.ts";

const LIMITS = {
  timeout_sec: "timeoutSec",
  max_processes: "maxProcesses",
  max_memory_mb: "maxMemoryMb",
  max_open_files: "maxOpenFiles",
  cpu_time_sec: "cpuTimeSec",
  max_file_size_mb: "maxFileSizeMb",
} as const satisfies Record<(typeof LIMIT_KEYS)[number], keyof Policy>;

/** An entry that names nothing, for a list whose emptiness would mean everything. */
const NONE = [""];

/**
 * The user's policy with that of a project on top, which can only take away: whatever the user's own denies, asks or
 * bounds stays so. What the project does not mention stays as the user has it.
 */
export function tighten(user: Policy, project: Merged): Policy {
  const { given } = project;
  return {
    ...user,
    ...reach(user, given),
    ...limits(user, given),
    alsoAllowPaths: [...user.alsoAllowPaths, ...(given.allow_paths === undefined ? [] : [given.allow_paths])],
    denyGlobs: [...new Set([...user.denyGlobs, ...(given.deny_globs ?? [])])],
    allowNetwork: user.allowNetwork && given.allow_network !== false,
    allowBinaries: binaries(user.allowBinaries, given.allow_binaries ?? []),
    ...programs(user, given),
    requireOsIsolation: user.requireOsIsolation || given.require_os_isolation === true,
    ...requirements(user, given),
    terminal: given.terminal === "filter" ? "filter" : user.terminal,
    unknownTools: strictestOf(user.unknownTools, given.unknown_tools ?? "allow"),
    jevThreshold: Math.min(user.jevThreshold, given.jev_threshold || 1),
    jevOnError: given.jev_on_error === "deny" ? "deny" : user.jevOnError,
    // What a project allows would answer questions that are the user's to answer.
    rules: [...user.rules, ...project.rules.filter((rule) => rule.decision !== "allow")],
  };
}

function reach(user: Policy, given: Given): Pick<Policy, "writePaths" | "readPaths" | "unixSockets"> {
  const { write_paths: write, read_paths: read, unix_sockets: sockets } = given;
  return {
    writePaths:
      write === undefined || user.writePaths === undefined
        ? (write ?? user.writePaths)
        : common(user.writePaths, write),
    readPaths: read === undefined ? user.readPaths : common(user.readPaths, read),
    unixSockets: sockets === undefined ? user.unixSockets : common(user.unixSockets, sockets),
  };
}

/** Entries of either list that lie in an entry of the other, by name. */
function common(one: readonly string[], other: readonly string[]): readonly string[] {
  const inside = (entries: readonly string[], folders: readonly string[]): readonly string[] =>
    entries.filter((entry) => folders.some((folder) => isWithin(entry, folder)));
  return [...new Set([...inside(one, other), ...inside(other, one)])];
}

function isWithin(entry: string, folder: string): boolean {
  const path = cleanPath(entry);
  const top = cleanPath(folder);
  if (path === undefined || top === undefined || path.startsWith("/") !== top.startsWith("/")) return false;
  return top === "" || relativeTo(top, path) !== undefined;
}

/** Names that stand in both lists; an empty list means all. */
function binaries(user: readonly string[], project: readonly string[]): readonly string[] {
  if (user.length === 0 || project.length === 0) return user.length === 0 ? project : user;
  const both = user.filter((name) => project.includes(name));
  return both.length === 0 ? NONE : both;
}

/** A project may have its programs confined; what it then allows counts only where the user confines nothing. */
function programs(
  user: Policy,
  given: Given,
): Pick<Policy, "confineBinaries" | "allowHelpers" | "allowNative"> {
  const { confineBinaries, allowHelpers, allowNative } = user;
  if (confineBinaries || given.confine_binaries !== true)
    return { confineBinaries, allowHelpers, allowNative };
  return {
    confineBinaries: true,
    allowHelpers: given.allow_helpers ?? [],
    allowNative: given.allow_native ?? [],
  };
}

function requirements(user: Policy, given: Given): Pick<Policy, "require" | "alsoRequire"> {
  const more = given.require ?? [];
  return { require: user.require, alsoRequire: [...new Set([...user.alsoRequire, ...more])] };
}

/** The lower of both. A limit that the project sets below the user's is as hard as one that the user sets. */
function limits(
  user: Policy,
  given: Given,
): Pick<Policy, (typeof LIMITS)[keyof typeof LIMITS] | "setLimits"> {
  const project = toPolicy({ given, rules: [] });
  const set = new Set(user.setLimits);
  const lower = LIMIT_KEYS.map((key) => {
    const field = LIMITS[key];
    const isSet = project.setLimits.has(key) && project[field] <= user[field];
    if (isSet) set.add(key);
    return [field, isSet ? project[field] : user[field]] as const;
  });
  return { ...(Object.fromEntries(lower) as Record<(typeof lower)[number][0], number>), setLimits: set };
}
