import type { PathRecord } from "./types.ts";

export interface ResourceLimit {
  /** `RLIMIT_*` number of the running kernel. */
  readonly resource: number;
  readonly soft: bigint;
  readonly hard: bigint;
}

export interface Watchdog {
  readonly intervalMs: number;
  /** Bytes over the tree, 0 for no limit. */
  readonly memoryBytes: bigint;
  /** Tasks of the tree, 0 for no limit. */
  readonly processes: number;
  readonly room: DiskRoom | undefined;
}

/** What a run leaves free of the file system that a folder lies on. */
export interface DiskRoom {
  readonly folder: PathRecord;
  readonly bytes: bigint;
  /** 0 where the file system counts none. */
  readonly inodes: bigint;
}
