import type { PathRecord } from "../plan/types.ts";
import type { SecretMatcher } from "../policy/secrets.ts";
import { secretsIn } from "./produced.ts";
import { takeSnapshot } from "./snapshot.ts";
import { walkNode } from "./walk-node.ts";

/** Bounds of the walk; a workspace that is larger is not known to hold no other name. */
const BOUNDS = { maxEntries: 2_000_000n, maxDepth: 1000 };

/**
 * Whether a file with more than one name is a secret of the workspace under one of the others.
 * @throws PaldronError `scan` where the workspace cannot be walked completely.
 */
export function isSecretByAnotherName(
  root: PathRecord,
  matcher: SecretMatcher,
  file: { readonly dev: bigint; readonly ino: bigint },
): boolean {
  const walk = walkNode({ id: 0, root, names: matcher.namePatterns(), alone: [], odd: false, ...BOUNDS });
  const seen = takeSnapshot(root.path, walk);
  return secretsIn(root.path, seen, matcher).some((path) => {
    const entry = seen.entries.get(path);
    return entry?.dev === file.dev && entry.ino === file.ino;
  });
}
