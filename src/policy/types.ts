import type { Protection } from "../core/protection.ts";
import type { Rule } from "./rules/types.ts";

export type JevOnError = "deny" | "allow";
export type UnknownTools = "allow" | "ask" | "deny";

/** A validated policy with every default filled in. Paths are as written; they are resolved against the workspace. */
export interface Policy {
  /** What requests may name, inside the workspace. Empty: all of it. Folders, files or globs. */
  readonly allowPaths: readonly string[];
  /** Further lists of the same kind: a path must match each of them too (a project's policy under the user's own). */
  readonly alsoAllowPaths: readonly (readonly string[])[];
  /** Globs that no request may name, no run may read where the kernel can hide it, no run may produce. */
  readonly denyGlobs: readonly string[];
  /** Globs lifted from the built-in secrets (never from `denyGlobs`). */
  readonly secretExceptions: readonly string[];
  /** Globs of files that a run may change although something runs or obeys them later. */
  readonly laterExceptions: readonly string[];
  /** Entries of git's configuration that a run may set although git may run something for them: `key=value`. */
  readonly gitConfigExceptions: readonly string[];
  readonly allowNetwork: boolean;
  /** Programs that may be started, by name or absolute path. Empty: all. */
  readonly allowBinaries: readonly string[];
  /** The kernel holds `allowBinaries` for everything that a run starts. */
  readonly confineBinaries: boolean;
  /** Programs that a run may start and a request may not name. */
  readonly allowHelpers: readonly string[];
  /** Writable places whose native code may be loaded and run. */
  readonly allowNative: readonly string[];
  readonly requireOsIsolation: boolean;
  /** Seconds, 1 to 9e9. */
  readonly timeoutSec: number;
  readonly maxProcesses: number;
  readonly maxMemoryMb: number;
  readonly maxOpenFiles: number;
  /** CPU seconds of each process, all its threads together. */
  readonly cpuTimeSec: number;
  readonly maxFileSizeMb: number;
  /** Which of the limits the policy file set itself (a default is enforced more gently: see docs/policy.md). */
  readonly setLimits: ReadonlySet<string>;
  /** What the running command may write inside the workspace. Undefined: all of it. */
  readonly writePaths: readonly string[] | undefined;
  /** What the running command may read outside the workspace, beside the system runtime. */
  readonly readPaths: readonly string[];
  /** Unix sockets of other programs that the running command may connect to. */
  readonly unixSockets: readonly string[];
  /** Protections that must be enforced. Undefined: the default list of docs/policy.md. */
  readonly require: readonly Protection[] | undefined;
  /** Protections that must be enforced beside those of `require` or of its default. */
  readonly alsoRequire: readonly Protection[];
  /** What a terminal gets of a command's output. */
  readonly terminal: "pass" | "filter";
  readonly unknownTools: UnknownTools;
  readonly jevVerdict: boolean;
  /** Probability in (0, 1] from which an answer denies. */
  readonly jevThreshold: number;
  readonly jevOnError: JevOnError;
  /** `[[rule]]`, in order; the strictest of all decisions wins. */
  readonly rules: readonly Rule[];
}

/** Where the policy came from; `path` and `sha256` are undefined for the built-in defaults. */
export interface PolicySource {
  readonly path: string | undefined;
  /** Lower-case hexadecimal digest of the file's bytes. */
  readonly sha256: string | undefined;
  /** The other files that the policy was made of. */
  readonly also?: readonly PolicySource[] | undefined;
}
