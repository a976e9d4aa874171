import { PaldronError } from "../core/errors.ts";
import { HOLD_LIMIT, holdStream } from "../host/held-output.ts";
import { Launcher, type RunOutcome } from "../host/launch.ts";
import { launcherPath } from "../host/launcher-path.ts";
import { compareSnapshots, secretsIn } from "../host/produced.ts";
import { takeSnapshot } from "../host/snapshot.ts";
import { buildPlan, isRefusal } from "../plan/build.ts";
import type { OutputPlan, Refusal, SandboxPlan } from "../plan/types.ts";
import type { SecretMatcher } from "../policy/secrets.ts";
import { conclude, type Held, type Ran } from "./conclude.ts";
import { NOT_RUN, type RunExecOptions } from "./exec-types.ts";
import { gapWarnings } from "./gap-warnings.ts";
import { planInput } from "./plan-input.ts";
import { cancelSignal } from "./signals.ts";
import { walkRequests, workspaceMatcher } from "./workspace-walk.ts";

/** Bytes of each stream that are kept for the verdict. */
const COPY_LIMIT = 1024 * 1024;

/** What one run needs at hand, from its launcher to its verdict. */
interface Run {
  readonly options: RunExecOptions;
  readonly warn: (warning: string) => void;
  readonly launcher: Launcher;
  readonly matcher: SecretMatcher;
  readonly held: Held | undefined;
}

/**
 * Runs an allowed command under the launcher: a walk before, the plan, the run, a walk after, the verdict.
 * @throws PaldronError for everything that prevented the run or the judging of it.
 */
export async function runConfined(options: RunExecOptions, warn: (warning: string) => void): Promise<Ran> {
  const path = launcherPath();
  const held =
    options.policy.jevVerdict && options.output === "stream"
      ? { stdout: holdStream(), stderr: holdStream() }
      : undefined;
  const relay = options.output === "stream" ? ("inherit" as const) : ("ignore" as const);
  try {
    const launcher = Launcher.start(path, {
      stdin: options.stdin,
      stdout: held?.stdout.fd ?? relay,
      stderr: held?.stderr.fd ?? relay,
    });
    try {
      const matcher = workspaceMatcher(options.policy, options.workspace);
      return await confine({ options, warn, launcher, matcher, held });
    } finally {
      await launcher.close();
    }
  } finally {
    held?.stdout.close();
    held?.stderr.close();
  }
}

async function confine(run: Run): Promise<Ran> {
  const { options, launcher, matcher } = run;
  const root = options.workspace.root;
  const walk = walkRequests(root, matcher);
  const replies = Promise.all([launcher.greet(), launcher.walk(walk(1))]);
  // Awaited below; until then a failure of the launcher is nobody's surprise.
  replies.catch(() => undefined);
  // Looked up while the launcher starts and walks: the most that a run costs on this side.
  const input = planInput(options, run.warn);
  const [found, walked] = await replies;
  const facts = options.facts?.(found) ?? found;
  const before = takeSnapshot(root, walked);
  const secrets = secretsIn(root, before, matcher);
  const plan = buildPlan({
    ...input,
    facts,
    secretsFound: secrets.length,
    output: outputPlan(run),
  });
  if (isRefusal(plan)) return refused(plan);
  const { protections, setting } = plan;
  const { requireOsIsolation } = options.policy;
  for (const gap of gapWarnings({ requireOsIsolation, setting, protections, secrets })) run.warn(gap);
  const outcome = await runCancellable(run, plan);
  const after = takeSnapshot(root, await launcher.walk(walk(2)));
  // It exits while the run is judged.
  launcher.dismiss();
  const scan = compareSnapshots({ root, before, after, matcher });
  return await conclude({ options, warn: run.warn, held: run.held, protections, setting, outcome, scan });
}

function outputPlan({ held }: Run): OutputPlan {
  return { copyBytes: COPY_LIMIT, relayBytes: held === undefined ? 0n : BigInt(HOLD_LIMIT) };
}

function refused({ message, protections }: Refusal): Ran {
  const reason = { code: "isolation", text: message };
  return { ...NOT_RUN, verdict: "broken", reason, lines: [message], error: "isolation", protections };
}

/** Runs the plan; an abort of the caller's signal stops the tree. */
async function runCancellable({ options, launcher }: Run, plan: SandboxPlan): Promise<RunOutcome> {
  const { signal } = options;
  const cancel = (): void => launcher.cancel(cancelSignal(signal?.reason));
  if (signal?.aborted === true) throw new PaldronError("start", "the run was cancelled before it started");
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    return await launcher.run(plan);
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}
