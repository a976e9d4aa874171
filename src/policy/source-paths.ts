import type { PolicySource } from "./types.ts";

/** Every file that a policy was read from. */
export function sourcePaths({ path, also = [] }: PolicySource): readonly string[] {
  return [...(path === undefined ? [] : [path]), ...also.flatMap(sourcePaths)];
}
