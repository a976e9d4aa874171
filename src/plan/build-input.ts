import type { Policy } from "../policy/types.ts";
import type { LinkRecord } from "./namespace-types.ts";
import type { HostFacts, OutputPlan, PathRecord, Setting } from "./types.ts";
import type { WatchPlan } from "./watch-types.ts";

/** What the host resolved for one run. Every path is absolute, without links, with its identity. */
export interface BuildInput {
  readonly policy: Policy;
  readonly facts: HostFacts;
  /** Bytes of memory that this machine has. */
  readonly machineMemory: bigint;
  /** The file system of the workspace, before the run. */
  readonly disk: DiskState;
  /** What the plan is built on; `settings.ts` knows their order. */
  readonly setting: Setting;
  /** Why a stronger setting failed on this machine, for the receipt. */
  readonly strongerFailed?: string | undefined;
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
  /** Where home and temporary files are without a new root. */
  readonly scratch: ScratchInput | undefined;
  readonly home: HomeContent;
  /** Undefined: any program may be started. */
  readonly programs: ProgramPaths | undefined;
  readonly secrets: SecretPaths;
  /** Links on the way to what is granted, to be made again in a new root. */
  readonly links: readonly LinkRecord[];
  /** Git directories outside the workspace. */
  readonly git: GitPaths;
  readonly output?: OutputPlan;
  readonly watch?: WatchPlan | undefined;
  /** Whether the caller follows what happens to its terminal; without that a command gets none of its own. */
  readonly jobControl?: boolean;
}

/** Under `confine_binaries`: what may be executed, and what of the system is there. Links to it are in `links`. */
export interface ProgramPaths {
  /** Stands for `paths.runtime`: without the files of folders of programs. */
  readonly runtime: readonly PathRecord[];
  /** Programs, and folders of what they start themselves. */
  readonly executable: readonly PathRecord[];
  /** Their dynamic loaders, as they lie on the disk. */
  readonly loaders: readonly PathRecord[];
  /** The same, made unable to be started as programs. */
  readonly guardedLoaders: readonly { readonly target: string; readonly bytes: Uint8Array }[];
  /** Places in the workspace whose native code may be loaded and run. */
  readonly native: readonly PathRecord[];
  /** Private places of that kind, as `allow_native` names them. */
  readonly nativePlaces: readonly string[];
  /** Why other programs can be started all the same. */
  readonly gap: string | undefined;
}

/** A file system as statfs(2) describes it; zeros where it does not. */
export interface DiskState {
  /** Bytes in all, and those that an ordinary user may still write. */
  readonly bytes: bigint;
  readonly bytesFree: bigint;
  readonly inodes: bigint;
  readonly inodesFree: bigint;
}

interface ScratchInput {
  readonly parent: PathRecord;
  readonly name: string;
  readonly folders: readonly string[];
  /** The one of them that is the home. */
  readonly home: string;
}

/** What a fresh home is given. */
export interface HomeContent {
  /** Links in it, relative to it. */
  readonly links: readonly LinkRecord[];
  /** Caches that are kept between runs: the folders, and the one around them, which stays as it is. */
  readonly caches: { readonly around: PathRecord; readonly folders: readonly PathRecord[] } | undefined;
}

/** What of the workspace matches a secret or deny glob. */
export interface SecretPaths {
  /** Number of matching files. */
  readonly found: number;
  /** What covers all of them: files, links, or whole folders. */
  readonly masks: readonly PathRecord[];
  /** Sockets of others, which are covered too unless the policy names them. */
  readonly sockets: readonly PathRecord[];
  /** Every folder between the workspace and what is covered. */
  readonly ancestors: readonly PathRecord[];
  /** Why masks would not hide all of them: a hard link of an unknown name. */
  readonly leak: string | undefined;
}

/** Git directories that the workspace resolves to and that lie outside of it. */
export interface GitPaths {
  readonly writable: readonly PathRecord[];
  readonly readable: readonly PathRecord[];
  /** Files and folders in the writable ones that git executes or obeys later. */
  readonly guarded: readonly PathRecord[];
  readonly ancestors: readonly PathRecord[];
}

/** What the command may reach beside the workspace. */
export interface GrantedPaths {
  /** System runtime, toolchains, Paldron's own files: read and executed. */
  readonly runtime: readonly PathRecord[];
  /** Configuration: read only. */
  readonly readable: readonly PathRecord[];
  /** `read_paths` of the policy: read and executed. */
  readonly readPaths: readonly PathRecord[];
  /** Sockets of others that may be connected to. */
  readonly unixSockets: readonly PathRecord[];
  /** `write_paths` of the policy, inside the workspace. Undefined: all of the workspace. */
  readonly writePaths: readonly PathRecord[] | undefined;
  /** Device nodes, `/dev/pts`: read and written, never executed. */
  readonly devices: readonly PathRecord[];
  /** `/dev/shm` where it is shared with the user's other programs. */
  readonly sharedMemory: PathRecord | undefined;
  /** `/proc`, where the run may see other processes. */
  readonly proc: PathRecord | undefined;
}
