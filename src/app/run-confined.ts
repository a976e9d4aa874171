import { decodeBytes } from "../core/bytes.ts";
import { pruneStores } from "../host/cache-prune.ts";
import { type CacheStore, openCacheStore } from "../host/cache-store.ts";
import { HOLD_LIMIT, holdStream } from "../host/held-output.ts";
import { copiesFolder } from "../host/later-journal.ts";
import type { LaterMounts } from "../host/later-mounts.ts";
import { Launcher, type LaunchStdio, type RunOutcome } from "../host/launch.ts";
import { launcherPath } from "../host/launcher-path.ts";
import { findSecrets, type Secrets } from "../host/masks.ts";
import { pathRecord } from "../host/path-record.ts";
import { compareSnapshots, joinScans } from "../host/produced.ts";
import { type Snapshot, takeSnapshot } from "../host/snapshot.ts";
import { type GitPaths, isRefusal } from "../plan/build.ts";
import { limitSigns } from "../plan/limit-signs.ts";
import { networkSign } from "../plan/network-sign.ts";
import { traits } from "../plan/settings.ts";
import type { OutputPlan, Refusal } from "../plan/types.ts";
import type { SecretMatcher } from "../policy/secrets.ts";
import { type Attempted, runStrongest } from "./attempts.ts";
import { cacheWalk, judgeCaches } from "./cache-scan.ts";
import { conclude, type Held, type Ran } from "./conclude.ts";
import { NOT_RUN, type RunExecOptions } from "./exec-types.ts";
import { withJournal } from "./interrupted.ts";
import { LateWatch, watchPlan } from "./late-watch.ts";
import { LaterGuard, laterScope, lookBefore } from "./later.ts";
import { planSource } from "./plan-input.ts";
import { walkRequests, workspaceMatcher } from "./workspace-walk.ts";

/** Bytes of each stream that are kept for the verdict. */
const COPY_LIMIT = 1024 * 1024;
/** Bytes of each copy in which signs of a limit are looked for. */
const TAIL_BYTES = 64 * 1024;

/** What one run needs at hand, from its launcher to its verdict. */
interface Run {
  readonly options: RunExecOptions;
  readonly warn: (warning: string) => void;
  readonly launchers: Launchers;
  readonly matcher: SecretMatcher;
  readonly held: Held | undefined;
}

/** The launcher of a run; one that failed has ended and is replaced by a fresh one. */
class Launchers {
  readonly #stdio: LaunchStdio;
  readonly #path = launcherPath();
  #current: Launcher;

  constructor(stdio: LaunchStdio) {
    this.#stdio = stdio;
    this.#current = Launcher.start(this.#path, stdio);
  }

  get current(): Launcher {
    return this.#current;
  }

  async usable(): Promise<Launcher> {
    if (this.#current.failed) {
      await this.#current.close();
      this.#current = Launcher.start(this.#path, this.#stdio);
      await this.#current.greet();
    }
    return this.#current;
  }
}

/**
 * Runs an allowed command under the launcher: a walk before, the plan, the run, a walk after, the verdict.
 * @throws PaldronError for everything that prevented the run or the judging of it.
 */
export async function runConfined(options: RunExecOptions, warn: (warning: string) => void): Promise<Ran> {
  const held =
    options.policy.jevVerdict && options.output === "stream"
      ? { stdout: holdStream(), stderr: holdStream() }
      : undefined;
  const relay = options.output === "stream" ? ("inherit" as const) : ("ignore" as const);
  try {
    const launchers = new Launchers({
      stdin: options.stdin,
      stdout: options.server?.stdout ?? held?.stdout.fd ?? relay,
      stderr: held?.stderr.fd ?? relay,
    });
    try {
      const matcher = workspaceMatcher(options.policy, options.workspace);
      return await confine({ options, warn, launchers, matcher, held });
    } finally {
      await launchers.current.close();
    }
  } finally {
    held?.stdout.close();
    held?.stderr.close();
  }
}

async function confine(run: Run): Promise<Ran> {
  const store = openStore(run.options);
  try {
    return await runBetweenWalks(run, store);
  } finally {
    if (store !== undefined) {
      store.release();
      pruneStores(store);
    }
  }
}

function openStore({ env, workspace, policy }: RunExecOptions): CacheStore | undefined {
  const record = pathRecord(workspace.root);
  if (record === undefined) return undefined;
  const { HOME: home, XDG_CACHE_HOME: cacheHome } = env;
  return openCacheStore({ home, cacheHome, workspace: record, network: policy.allowNetwork });
}

async function runBetweenWalks(run: Run, store: CacheStore | undefined): Promise<Ran> {
  const { options, launchers, matcher, warn } = run;
  const root = options.workspace.root;
  const walk = walkRequests(root, matcher);
  const replies = Promise.all([launchers.current.greet(), launchers.current.walk(walk(1))]);
  // Awaited below; until then a failure of the launcher is nobody's surprise.
  replies.catch(() => undefined);
  // Looked up while the launcher starts and walks: the most that a run costs on this side.
  const source = planSource(options, { store, warn });
  const [found, walked] = await replies;
  const facts = options.facts?.(found) ?? found;
  const before = takeSnapshot(root, walked);
  const secrets = findSecrets({ root, before, matcher });
  const scope = laterScope(options, source.git.folders);
  const { HOME: home, XDG_STATE_HOME: stateHome } = options.env;
  const seen = lookBefore(scope, before, copiesFolder({ home, stateHome, root }));
  const later = new LaterGuard(scope, seen);
  const mounts = later.mounts(secrets.masked);
  const late = new LateWatch({ root, before, matcher }, secrets.masked);
  const attempt = {
    options,
    late,
    watch: watchPlan(options, walk(1)),
    source: { ...source, git: withMounts(source.git, mounts) },
    later: later.exposed,
    facts,
    secrets,
    warn,
    output: outputPlan(run),
    launcher: () => launchers.usable(),
  };
  const carryOut = async (): Promise<Ran> => {
    const attempted = await runStrongest(attempt);
    if (isRefusal(attempted)) return refused(attempted);
    return await judge(run, { ...attempted, before, secrets, later, late, mounts, store });
  };
  if (options.server !== undefined) return await carryOut();
  return await withJournal(options, { scope, before: seen }, () => later.during(carryOut));
}

function withMounts(git: GitPaths, { guarded, ancestors }: LaterMounts): GitPaths {
  return {
    ...git,
    guarded: [...git.guarded, ...guarded],
    ancestors: [...git.ancestors, ...ancestors],
  };
}

/** What a run is judged by beside its own end. */
interface Judged extends Attempted {
  readonly before: Snapshot;
  readonly secrets: Secrets;
  readonly later: LaterGuard;
  readonly late: LateWatch;
  readonly mounts: LaterMounts;
  readonly store: CacheStore | undefined;
}

async function judge(run: Run, judged: Judged): Promise<Ran> {
  const { plan, outcome, before, secrets, later, late, mounts, store } = judged;
  const { options, launchers, matcher, warn, held } = run;
  const { root } = options.workspace;
  const walk = walkRequests(root, matcher);
  later.reopenRoot();
  const [walked, cached] = await Promise.all([
    launchers.current.walk(walk(2)),
    store && launchers.current.walk(cacheWalk(store, 3)),
  ]);
  const after = takeSnapshot(root, walked);
  const { withheldStdout, withheldStderr } = outcome.ended;
  const holds = plan.watch?.mode === "hold" && withheldStdout + withheldStderr > 0n;
  // It exits while the run is judged.
  if (!holds) launchers.current.dismiss();
  const { newRoot } = traits(plan.setting);
  const masked = newRoot ? secrets.masked : undefined;
  const scan = joinScans(
    compareSnapshots({ root, before, after, matcher, ...(masked && { masked }) }),
    later.settle(after, {
      outsideWritable: newRoot,
      mounts: newRoot ? mounts : undefined,
      leave: options.server !== undefined,
    }),
  );
  const kept = store && cached ? judgeCaches(store, cached, warn) : [];
  if (late.unwatched !== undefined)
    warn(`files made during the run are found after it only: ${late.unwatched}`);
  const output = printed(outcome);
  const { policy } = options;
  const { ended } = outcome;
  const offline = networkSign({ ...policy, protections: plan.protections, ended, output });
  if (offline !== undefined) warn(offline);
  return await conclude({
    options,
    warn,
    held,
    protections: late.protections(plan.protections),
    setting: plan.setting,
    outcome,
    late,
    release: holds ? (show) => launchers.current.release(show) : undefined,
    scan: { ...scan, produced: [...scan.produced, ...kept] },
    limits: limitSigns({ plan, policy, ended, output }),
  });
}

/** The end of both streams: what a program says last is why it ended. */
function printed({ stdout, stderr }: RunOutcome): string {
  return [stdout, stderr].map((bytes) => decodeBytes(bytes.subarray(-TAIL_BYTES))).join("\n");
}

function outputPlan({ held }: Run): OutputPlan {
  return { copyBytes: COPY_LIMIT, relayBytes: held === undefined ? 0n : BigInt(HOLD_LIMIT) };
}

function refused({ message, protections }: Refusal): Ran {
  const reason = { code: "isolation", text: message };
  return { ...NOT_RUN, verdict: "broken", reason, lines: [message], error: "isolation", protections };
}
