import type { Policy } from "../policy/types.ts";
import type { HostFacts, OutputPlan, PathRecord } from "./types.ts";

/** What the host resolved for one run. Every path is absolute, without links, with its identity. */
export interface BuildInput {
  readonly policy: Policy;
  readonly facts: HostFacts;
  /** Absolute path for execve, as the caller's PATH led to it. */
  readonly execPath: string;
  /** The file behind it. */
  readonly program: PathRecord;
  readonly argv: readonly string[];
  /** `NAME=value` lines: the whole environment, allow-listed already. */
  readonly env: readonly string[];
  readonly cwd: PathRecord;
  readonly workspace: PathRecord;
  readonly paths: GrantedPaths;
  readonly scratch:
    | { readonly parent: PathRecord; readonly name: string; readonly folders: readonly string[] }
    | undefined;
  /** Files in the workspace that match a secret or deny glob and cannot be hidden without a mount namespace. */
  readonly secretsFound: number;
  readonly output?: OutputPlan;
}

/** What the command may reach beside the workspace. */
export interface GrantedPaths {
  /** System runtime, toolchains, Paldron's own files: read and executed. */
  readonly runtime: readonly PathRecord[];
  /** Configuration: read only. */
  readonly readable: readonly PathRecord[];
  /** `read_paths` of the policy: read and executed. */
  readonly readPaths: readonly PathRecord[];
  /** `write_paths` of the policy, inside the workspace. Undefined: all of the workspace. */
  readonly writePaths: readonly PathRecord[] | undefined;
  /** Device nodes, `/dev/pts`: read and written, never executed. */
  readonly devices: readonly PathRecord[];
  /** `/dev/shm` where it is shared with the user's other programs. */
  readonly sharedMemory: PathRecord | undefined;
  /** `/proc`, where the run may see other processes. */
  readonly proc: PathRecord | undefined;
}
