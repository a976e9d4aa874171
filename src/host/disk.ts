import { statfsSync } from "node:fs";
import type { DiskState } from "../plan/build-input.ts";

/** The file system that `path` lies on, as statfs(2) describes it. */
export function diskState(path: string): DiskState {
  const { blocks, bavail, bsize, files, ffree } = statfsSync(path, { bigint: true });
  return { bytes: blocks * bsize, bytesFree: bavail * bsize, inodes: files, inodesFree: ffree };
}
