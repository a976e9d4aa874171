import { journalFolder, packItems, takeAbandoned, unpackItems, writeJournal } from "../host/later-journal.ts";
import type { RunExecOptions } from "./exec-types.ts";
import { type LaterBefore, LaterGuard, type LaterScope } from "./later.ts";

/** Milliseconds by which a run may outlast its time: the grace, and the end of its tree. */
const LEEWAY_MS = 15_000;

/** A journal as it lies on the disk. */
interface Journal {
  readonly scope: LaterScope;
  readonly before: Omit<LaterBefore, "found">;
  readonly found: object;
  readonly until: number;
}

/**
 * Runs with a journal of what runs later, from which the next start can undo what this run changed if Paldron is
 * killed. Where no journal can be written the run goes on: it is about what Paldron cannot do when it is dead.
 */
export async function withJournal<T>(
  options: RunExecOptions,
  { scope, before }: { readonly scope: LaterScope; readonly before: LaterBefore },
  run: () => Promise<T>,
): Promise<T> {
  const { HOME: home, XDG_STATE_HOME: stateHome } = options.env;
  const folder = journalFolder({ home, stateHome, root: scope.root });
  const forget = folder === undefined ? undefined : begin(folder, scope, before, options);
  try {
    return await run();
  } finally {
    forget?.();
  }
}

function begin(
  folder: string,
  scope: LaterScope,
  { found, ...before }: LaterBefore,
  { policy }: RunExecOptions,
): (() => void) | undefined {
  const until = Date.now() + policy.timeoutSec * 1000 + LEEWAY_MS;
  try {
    return writeJournal(folder, { scope, before, found: packItems(found), until });
  } catch {
    return undefined;
  }
}

/** Undoes what runs have left whose Paldron was killed before it could judge them. */
export function undoInterrupted({ env, workspace }: RunExecOptions, warn: (warning: string) => void): void {
  const { HOME: home, XDG_STATE_HOME: stateHome } = env;
  const folder = journalFolder({ home, stateHome, root: workspace.root });
  if (folder === undefined) return;
  takeAbandoned(folder, (journal) => {
    try {
      const { scope, before, found, until } = journal as Journal;
      const guard = new LaterGuard(scope, { ...before, found: unpackItems(found) });
      const paths = guard.settleAnyway(until).produced.map(({ path }) => path);
      if (paths.length > 0)
        warn(`an interrupted run in ${scope.root} had changed ${paths.join(", ")}, which runs later: undone`);
    } catch {
      // Its workspace is gone, or the journal is none.
    }
  });
}
