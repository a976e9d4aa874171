import { encodeBytes } from "../core/bytes.ts";
import type { CacheStore } from "../host/cache-store.ts";
import { judgedHarmless, type ProducedFile } from "../host/produced.ts";
import { removeBelow } from "../host/remove-below.ts";
import { CACHES, type CacheRule } from "../plan/home-caches.ts";
import type { WalkEntry, WalkRequest, WalkResult } from "../plan/types.ts";
import { secretMatcher } from "../policy/secrets.ts";

const WALK_ENTRIES = 20_000_000n;
const WALK_DEPTH = 10_000;
const S_IFMT = 0o170000;
const S_IFDIR = 0o040000;

const RULES: ReadonlyMap<string, CacheRule> = new Map(CACHES.map((rule) => [rule.folder, rule]));

/** The built-in names; the globs of a policy are about the workspace. */
const matcher = secretMatcher({ denyGlobs: [], secretExceptions: [] });

/** The walk over the kept caches, after a run. */
export function cacheWalk(store: CacheStore, id: number): WalkRequest {
  const names = matcher.namePatterns();
  return {
    id,
    root: store.around,
    names,
    alone: [],
    odd: false,
    maxEntries: WALK_ENTRIES,
    maxDepth: WALK_DEPTH,
  };
}

/**
 * Secrets that were put into the kept caches, so that they would outlast the run. They are removed: nothing is known
 * of what lay there before, since nothing that matches stays.
 */
export function judgeCaches(
  store: CacheStore,
  walk: WalkResult,
  warn: (warning: string) => void,
): readonly ProducedFile[] {
  // A tree that cannot be walked whole is no cache of any tool.
  const uncertain = walk.status === "complete" ? [] : CACHES.map(({ folder }) => folder);
  const hits: ProducedFile[] = uncertain.map((folder) => hit(store, folder, "builtin:scan"));
  for (const entry of uncertain.length > 0 ? [] : walk.entries) {
    const rule = ruleFor(store, entry);
    if (rule !== undefined) hits.push(hit(store, entry.path, rule));
  }
  for (const { path } of hits) {
    try {
      const parts = path.slice(store.around.path.length + 1).split("/");
      removeBelow(
        store.around.path,
        parts.map((part) => Buffer.from(encodeBytes(part))),
      );
    } catch {
      warn(`${path} cannot be removed from the kept caches`);
    }
  }
  return hits.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function hit(store: CacheStore, path: string, rule: string): ProducedFile {
  const unreadable = rule === "builtin:scan";
  return {
    path: `${store.around.path}/${path}`,
    rule,
    code: unreadable ? "unreadable" : "secret",
    change: unreadable ? "unreadable" : "created",
  };
}

/** The rule that an entry breaks. */
function ruleFor(store: CacheStore, entry: WalkEntry): string | undefined {
  const [folder = "", ...rest] = entry.path.split("/");
  const below = rest.join("/");
  const except = RULES.get(folder)?.unpackedExcept;
  if (except !== undefined && !except.some((start) => below.startsWith(start))) return undefined;
  if (entry.kind === "unreadable") return "builtin:scan";
  if ((entry.mode & S_IFMT) === S_IFDIR) return undefined;
  // As in a dependency folder: folders called `secrets` are packages.
  const match = matcher.match(`vendor/${below}`);
  if (match === undefined || match.content === "no-private-key") return undefined;
  return judgedHarmless(store.around.path, entry.path, entry, match) ? undefined : match.rule;
}
