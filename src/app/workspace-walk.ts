import { PaldronError } from "../core/errors.ts";
import type { Workspace } from "../core/request.ts";
import { pathRecord } from "../host/path-record.ts";
import { laterPatterns } from "../later/names.ts";
import type { WalkRequest } from "../plan/types.ts";
import { type SecretMatcher, secretMatcher } from "../policy/secrets.ts";
import type { Policy } from "../policy/types.ts";

/** Bounds of a walk. A larger workspace is broken, never half seen. */
const WALK_ENTRIES = 20_000_000n;
const WALK_DEPTH = 100_000;

/** What the policy hides and forbids in this workspace, under each of its names. */
export function workspaceMatcher(policy: Policy, { root, names }: Workspace): SecretMatcher {
  return secretMatcher(policy, [root, ...names]);
}

/** The walk that finds it; the same one before and after the run, but for the number. */
export function walkRequests(
  root: string,
  matcher: SecretMatcher,
  bounds = { entries: WALK_ENTRIES, depth: WALK_DEPTH },
): (id: number) => WalkRequest {
  const later = laterPatterns();
  const record = pathRecord(root);
  if (record === undefined) throw new PaldronError("workspace", `${root} does not exist or may not be seen`);
  const names = [...new Set([...matcher.namePatterns(), ...later.deep])];
  const { alone } = later;
  const { entries: maxEntries, depth: maxDepth } = bounds;
  return (id) => ({ id, root: record, names, alone, odd: true, maxEntries, maxDepth });
}
