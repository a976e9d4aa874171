import type { PathRecord } from "./types.ts";
import type { WalkEntry } from "./walk-types.ts";
import type { SEEN_KINDS } from "./wire.ts";

/** The watch over the workspace while a command runs. */
export interface WatchPlan {
  /** `hold`: output that comes after a name that was answered with "hold" waits for RELEASE. `tell`: it goes on. */
  readonly mode: "tell" | "hold";
  /** The command starts when everything is watched, or not at all. */
  readonly first: boolean;
  /** Events that are told; after so many the rest counts as missed. */
  readonly told: number;
  /** Bytes of output that can wait; a command that prints more is stopped. */
  readonly holdBytes: bigint;
  readonly root: PathRecord;
  /** Patterns as those of WALK. */
  readonly names: readonly string[];
  readonly alone: readonly string[];
}

/** SEEN: a name that may matter was found, made, moved or changed while the command runs. */
export interface SeenMessage {
  readonly type: "seen";
  readonly number: number;
  /**
   * `name`: it is there, or was made and is gone again (`errno`). `changed`: a file that was there. `unread`: a folder
   * or file that cannot be watched. `lost`: something may have been missed, and nothing more is told.
   */
  readonly kind: (typeof SEEN_KINDS)[number];
  /** As it was a moment later; zeros where that is not known. */
  readonly entry: WalkEntry;
}

/** WATCHING: every folder is watched, or why none is. */
export interface WatchingMessage {
  readonly type: "watching";
  /** 0, or what the host refused. */
  readonly errno: number;
  readonly folders: bigint;
}

/** RELEASED: what was held is shown or forgotten. */
export interface ReleasedMessage {
  readonly type: "released";
  /** 0, or why not all of it could be written. */
  readonly errno: number;
}
