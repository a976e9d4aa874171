import { realpathSync } from "node:fs";
import { resolve } from "node:path";

/** A path with every link resolved; where that cannot be done, made absolute as it is. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
