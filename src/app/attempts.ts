import { PaldronError } from "../core/errors.ts";
import { clearScratch } from "../host/clear-scratch.ts";
import { watchTerminal } from "../host/job-control.ts";
import type { Launcher, RunListener, RunOutcome } from "../host/launch.ts";
import { LaunchFailure } from "../host/launch-failure.ts";
import type { Secrets } from "../host/masks.ts";
import { whyNotStarted } from "../host/start-problem.ts";
import { type BuildInput, buildPlan, isRefusal } from "../plan/build.ts";
import { unfitForNewRoot } from "../plan/mounts.ts";
import { firstSetting, nextSetting, traits, withoutNamespaces } from "../plan/settings.ts";
import type { HostFacts, OutputPlan, Refusal, SandboxPlan, Setting } from "../plan/types.ts";
import type { WatchPlan } from "../plan/watch-types.ts";
import type { RunExecOptions } from "./exec-types.ts";
import { gapWarnings } from "./gap-warnings.ts";
import type { LateWatch } from "./late-watch.ts";
import type { PlanSource } from "./plan-input.ts";
import { cancelSignal } from "./signals.ts";

/** What every attempt at a run has in common. */
export interface AttemptInput {
  readonly options: RunExecOptions;
  readonly source: Omit<PlanSource, "git"> & Pick<BuildInput, "git">;
  readonly facts: HostFacts;
  readonly secrets: Secrets;
  /** Files that something runs later, relative to the workspace. */
  readonly later: readonly string[];
  readonly output: OutputPlan;
  readonly watch: WatchPlan | undefined;
  readonly late: LateWatch;
  readonly warn: (warning: string) => void;
  /** The launcher to use; one that failed has ended, and the next call starts another. */
  readonly launcher: () => Promise<Launcher>;
}

export interface Attempted {
  readonly plan: SandboxPlan;
  readonly outcome: RunOutcome;
}

/**
 * Runs with the strongest setting that works here. Whether one does is known only when its whole chain has been tried,
 * so each is tried in earnest, and what fails before the command has started gives way to the next, as long as that
 * enforces what is required.
 */
export async function runStrongest(input: AttemptInput): Promise<Attempted | Refusal> {
  const { options, source, facts, secrets, output } = input;
  const unfit = unfitForNewRoot({ workspace: source.workspace, data: source.paths.readPaths });
  const { only } = options;
  if (unfit !== undefined && only !== undefined && traits(only).newRoot)
    throw new PaldronError("isolation", unfit);
  const failures: string[] = unfit === undefined ? [] : [unfit];
  const warned = new Set<string>();
  let setting: Setting | undefined =
    only ?? (unfit === undefined ? firstSetting(facts) : withoutNamespaces(facts));
  for (;;) {
    const strongerFailed = failures.length === 0 ? undefined : failures.join("; ");
    const plan = buildPlan({
      ...source,
      ...source.forSetting(setting),
      facts,
      strongerFailed,
      secrets,
      output,
      watch: input.watch,
      jobControl: options.jobControl ?? false,
    });
    if (isRefusal(plan)) return plan;
    const { protections } = plan;
    const { requireOsIsolation } = options.policy;
    const gaps = { requireOsIsolation, setting, protections, secrets: secrets.paths, later: input.later };
    for (const gap of gapWarnings(gaps)) {
      if (!warned.has(gap)) input.warn(gap);
      warned.add(gap);
    }
    const hear = input.late.listener(traits(setting).newRoot);
    const outcome = await attempt(input, plan, hear);
    if (!(outcome instanceof LaunchFailure)) return { plan, outcome };
    if (only !== undefined) throw explained(outcome, plan);
    failures.push(`${setting}: ${outcome.about}`);
    setting = nextSetting(setting, outcome.stage, facts);
    if (setting === undefined) throw explained(outcome, plan);
  }
}

/** A program that is there for the caller and not for the run is no fault of the launcher's. */
function explained(failure: LaunchFailure, { execPath }: SandboxPlan): Error {
  const ofProgram = failure.stage === "path" && failure.detail === execPath;
  if (failure.stage !== "exec" && !ofProgram) return failure;
  const why = whyNotStarted(execPath, failure.errno);
  return new PaldronError("start", `the command cannot be started: ${why}`, { cause: failure });
}

/** Runs the plan; an abort of the caller's signal stops the tree. */
async function attempt(
  input: AttemptInput,
  plan: SandboxPlan,
  hear: RunListener,
): Promise<RunOutcome | LaunchFailure> {
  const { signal, onOutput } = input.options;
  const launcher = await input.launcher();
  const cancel = (): void => launcher.cancel(cancelSignal(signal?.reason));
  if (signal?.aborted === true) throw new PaldronError("start", "the run was cancelled before it started");
  signal?.addEventListener("abort", cancel, { once: true });
  const job = plan.terminal.streams === 0 ? undefined : watchTerminal((event) => launcher.tell(event));
  try {
    return await launcher.run(plan, { ...hear, onStopped: job?.stop, onOutput });
  } catch (error) {
    if (error instanceof LaunchFailure) return error;
    await launcher.close();
    const left = plan.scratch && (await clearScratch(plan.scratch));
    if (left !== undefined) input.warn(left);
    throw error;
  } finally {
    job?.close();
    signal?.removeEventListener("abort", cancel);
  }
}
