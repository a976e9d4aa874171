import { changedShims } from "../host/changed-shims.ts";
import { entriesBehind, modeOf, reopen } from "../host/later-closed.ts";
import { compareLater, type LaterChange, shownPath } from "../host/later-compare.ts";
import { findLater, type LaterItems } from "../host/later-items.ts";
import { changedAfter } from "../host/later-journal.ts";
import { type LaterMounts, laterMounts } from "../host/later-mounts.ts";
import { ownFiles } from "../host/later-own.ts";
import { holdPrograms } from "../host/own-copies.ts";
import { isWithin } from "../host/path-record.ts";
import type { FileFinding, ProducedFile, ScanResult } from "../host/produced.ts";
import { type Snapshot, takeSnapshot } from "../host/snapshot.ts";
import { walkNode } from "../host/walk-node.ts";
import type { WalkRequest } from "../plan/types.ts";
import { compileGlob } from "../policy/glob.ts";
import { secretMatcher } from "../policy/secrets.ts";
import { sourcePaths } from "../policy/source-paths.ts";
import type { RunExecOptions } from "./exec-types.ts";
import { undo } from "./later-undo.ts";
import { walkRequests } from "./workspace-walk.ts";

/** Bounds of the walk that has to make do with what it sees. */
const ANYWAY = { entries: 1_000_000n, depth: 1000 };

type Entries = Pick<Snapshot, "entries" | "unreadable">;

/** Where it is looked for. Plain data, so that a journal can hold it. */
export interface LaterScope {
  readonly root: string;
  /** Other names of the workspace. */
  readonly names: readonly string[];
  readonly home: string | undefined;
  /** Policy files. */
  readonly policies: readonly string[];
  readonly exceptions: readonly string[];
  /** Entries of git's configuration that the policy leaves to the run. */
  readonly gitEntries: readonly string[];
  /** Git directories outside that the run may write in. */
  readonly gitDirs: readonly string[];
}

/** What was found before a run. */
export interface LaterBefore {
  readonly found: LaterItems;
  readonly rootMode: number | undefined;
  /** When that was, in milliseconds since 1970. */
  readonly at: number;
  /** Folders that could not be read. */
  readonly closed: readonly string[];
}

export function laterScope(
  { workspace, env, source, policy }: RunExecOptions,
  gitDirs: readonly string[],
): LaterScope {
  const { root, names } = workspace;
  const policies = sourcePaths(source);
  const { laterExceptions: exceptions, gitConfigExceptions: gitEntries } = policy;
  return { root, names, home: env["HOME"], policies, exceptions, gitEntries, gitDirs };
}

/** Looks before a run. `copies`: a folder out of its reach, for copies of what is large and seldom changes. */
export function lookBefore(
  scope: LaterScope,
  { entries, unreadable }: Entries,
  copies?: string | undefined,
): LaterBefore {
  const at = Date.now();
  const found = look(scope, entries);
  holdPrograms(found, ownFiles(scope.root, []).programs, copies);
  return { at, found, rootMode: modeOf(scope.root), closed: [...unreadable.keys()] };
}

function look(
  { root, home, policies, gitDirs }: LaterScope,
  entries: Entries["entries"],
  known?: LaterItems,
): LaterItems {
  return findLater({ root, home, own: ownFiles(root, policies), entries, gitDirs }, known);
}

/** Names for a walk that is about nothing else. */
function ownWalk(root: string): WalkRequest {
  return walkRequests(root, secretMatcher({ denyGlobs: [], secretExceptions: [] }), ANYWAY)(0);
}

interface SettleOptions {
  /** Whether git directories outside of the workspace were writable. */
  readonly outsideWritable: boolean;
  /** What was read-only during the run. */
  readonly mounts: LaterMounts | undefined;
  /** Nothing is undone, only reported. */
  readonly leave?: boolean;
  /** When the run was over at the latest, in milliseconds since 1970: what came later is not its doing. */
  readonly until?: number;
}

/** What runs later, held as it stood before a run. */
export class LaterGuard {
  readonly #scope: LaterScope;
  readonly #before: LaterBefore;

  constructor(scope: LaterScope, before: LaterBefore) {
    this.#scope = scope;
    this.#before = before;
  }

  get #found(): LaterItems {
    return this.#before.found;
  }

  /** What has to be as it was before the workspace can be walked again. */
  reopenRoot(): void {
    reopen(this.#scope.root, this.#before.rootMode);
  }

  /** With what lies in folders that the run has closed. */
  #allEntries({ entries, unreadable }: Entries): Entries["entries"] {
    const { root } = this.#scope;
    const closed = [...unreadable.keys()].filter((path) => !this.#before.closed.includes(path));
    if (closed.length === 0) return entries;
    return new Map([...entries, ...entriesBehind(closed, ownWalk(root), root)]);
  }

  /** What a mount namespace is to hold still. `hidden`: what masks cover, relative to the workspace. */
  mounts(hidden: ReadonlySet<string>): LaterMounts {
    const { root } = this.#scope;
    const excepted = exceptions(this.#scope);
    const covered = (path: string): boolean => {
      const parts = shownPath(root, path).split("/");
      return parts.some((_, i) => hidden.has(parts.slice(0, i + 1).join("/")));
    };
    return laterMounts({ root, found: this.#found, except: (path) => excepted(path) || covered(path) });
  }

  /** Files that a command could change while it runs, where no mount keeps it from them. */
  get exposed(): readonly string[] {
    const { root } = this.#scope;
    return [...this.#found.items.values()]
      .filter(({ path, kind }) => kind !== "report" && isWithin(path, root))
      .map(({ path }) => shownPath(root, path))
      .sort();
  }

  /** Looks again after the run, undoes what must not stay, and says what it was. */
  settle(
    after: Entries,
    { outsideWritable, mounts, leave = false, until = Number.POSITIVE_INFINITY }: SettleOptions,
  ): ScanResult {
    const { root, gitEntries } = this.#scope;
    const entries = this.#allEntries(after);
    const again = look(this.#scope, entries, this.#found);
    const { denied, reported } = compareLater({ root, before: this.#found, after: again, gitEntries });
    const excepted = exceptions(this.#scope);
    const counted = denied.filter(
      ({ path }) =>
        (outsideWritable || isWithin(path, root)) && !excepted(path) && !changedAfter(path, until),
    );
    const still = (change: LaterChange): boolean => heldStill(change, mounts);
    const changed = counted.filter((change) => !still(change));
    const produced = leave ? [] : this.#undoAll(changed, after);
    const finding = (code: FileFinding["code"], path: string): FileFinding => {
      return { code, path: shownPath(root, path) };
    };
    const findings = [
      ...counted.filter(still).map(({ path }) => finding("changed-outside", path)),
      ...[...reported, ...(leave ? changed.map(({ path }) => path) : [])].map((path) =>
        finding("runs-later", path),
      ),
      ...changedShims({ root, entries, since: this.#before.at }).map((path) =>
        finding("runs-later", `${root}/${path}`),
      ),
    ];
    return { produced, findings };
  }

  /**
   * Undoes changes. What only a new configuration or link has given a meaning is an ordinary file again when that is
   * undone, perhaps one that was always there: it is undone only where it still means something then.
   */
  #undoAll(changed: readonly LaterChange[], after: Entries): readonly ProducedFile[] {
    const { root } = this.#scope;
    const undoing = (change: LaterChange): ProducedFile => undo(root, this.#found, change);
    const plain = changed.filter(({ named }) => !named).map(undoing);
    const named = changed.filter((change) => change.named);
    if (named.length === 0) return plain;
    const { items } = look(this.#scope, this.#allEntries(after), this.#found);
    const left = named.filter(({ path }) => items.has(path)).map(undoing);
    return [...plain, ...left].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** A run with its judging; where that fails, what runs later is undone as far as it can be found all the same. */
  async during<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      try {
        this.settleAnyway();
      } catch {
        // The failure that led here is the one that is reported.
      }
      throw error;
    }
  }

  /** Undoes what can be found without a launcher. */
  settleAnyway(until?: number): ScanResult {
    const { root } = this.#scope;
    this.reopenRoot();
    // Cut short or not: what was seen of it is undone.
    const seen = takeSnapshot(root, { ...walkNode(ownWalk(root)), status: "complete" });
    return this.settle(seen, {
      outsideWritable: true,
      mounts: undefined,
      ...(until !== undefined && { until }),
    });
  }
}

/** Read-only for the whole run, and under no other name: somebody else has changed it. */
function heldStill({ path, held }: LaterChange, mounts: LaterMounts | undefined): boolean {
  if (held?.kind === "file" && held.nlink > 1) return false;
  return mounts?.guarded.some((record) => isWithin(path, record.path)) === true;
}

/** Files that the policy leaves to the run although they run later. */
function exceptions({ root, names, exceptions: given }: LaterScope): (path: string) => boolean {
  const globs = given.map((glob) => compileGlob(glob, { roots: [root, ...names], caseSensitive: true }));
  return (path) => globs.some((glob) => glob.matches(shownPath(root, path)));
}
