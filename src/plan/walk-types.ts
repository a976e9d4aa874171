import type { PathRecord } from "./types.ts";
import type { WalkStatus } from "./wire.ts";

/** WALK: which names below a folder the launcher reports. */
export interface WalkRequest {
  readonly id: number;
  readonly root: PathRecord;
  /** Patterns for one component: `*`, `?`, other bytes themselves, ASCII letters in either case. */
  readonly names: readonly string[];
  /** Patterns of the same kind; what lies in a matching folder is not reported for that. */
  readonly alone: readonly string[];
  /** Links that may lead out of the root, special files and names with control characters are reported too. */
  readonly odd: boolean;
  readonly maxEntries: bigint;
  readonly maxDepth: number;
}

/** A name that matched, or a folder that could not be read. */
export interface WalkEntry {
  /** `unreadable`: a folder whose content is unknown; `errno` says why. */
  readonly kind: "entry" | "unreadable";
  readonly mode: number;
  readonly nlink: number;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  /** Nanoseconds since 1970. */
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly errno: number;
  /** Relative to the root of the walk. */
  readonly path: string;
}

/** A whole walk: its entries and how it ended. */
export interface WalkResult {
  readonly status: WalkStatus;
  readonly errno: number;
  readonly entries: readonly WalkEntry[];
  readonly counts: { readonly folders: bigint; readonly entries: bigint; readonly reported: bigint };
}
