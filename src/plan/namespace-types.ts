import type { PathRecord } from "./types.ts";

/** A symbolic link: on the way to something granted, or made in a place of the run. */
export interface LinkRecord {
  readonly path: string;
  readonly text: string;
}

/** One step in making the new root; docs/wire.md says what each does. Targets are absolute paths in the new root. */
export type MountStep =
  | { readonly kind: "folder"; readonly mode: number; readonly target: string }
  | {
      readonly kind: "bind";
      readonly attributes: number;
      readonly target: string;
      readonly source: PathRecord;
    }
  | {
      readonly kind: "tmpfs";
      readonly attributes: number;
      readonly mode: number;
      readonly bytes: bigint;
      readonly inodes: bigint;
      readonly target: string;
    }
  | { readonly kind: "proc" | "devpts"; readonly attributes: number; readonly target: string }
  | { readonly kind: "link"; readonly target: string; readonly text: string }
  | { readonly kind: "file"; readonly mode: number; readonly target: string; readonly bytes: Uint8Array }
  | { readonly kind: "mask"; readonly path: PathRecord }
  | { readonly kind: "guard"; readonly attributes: number; readonly path: PathRecord }
  | { readonly kind: "landlock"; readonly access: bigint; readonly target: string };

export interface NamespacePlan {
  /** `CLONE_NEW*` bits. */
  readonly flags: number;
  /** In order; the first makes the new root. */
  readonly steps: readonly MountStep[];
}
