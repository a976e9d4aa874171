import { PaldronError } from "../core/errors.ts";
import { HOLD_LIMIT, holdStream } from "../host/held-output.ts";
import { Launcher, type RunOutcome } from "../host/launch.ts";
import { launcherPath } from "../host/launcher-path.ts";
import { pathRecord } from "../host/path-record.ts";
import { compareSnapshots, secretsIn } from "../host/produced.ts";
import { takeSnapshot } from "../host/snapshot.ts";
import { buildPlan, isRefusal } from "../plan/build.ts";
import type { HostFacts, OutputPlan, Refusal, SandboxPlan, WalkRequest } from "../plan/types.ts";
import { type SecretMatcher, secretMatcher } from "../policy/secrets.ts";
import { conclude, type Held, type Ran } from "./conclude.ts";
import { NOT_RUN, type RunExecOptions } from "./exec-types.ts";
import { planInput } from "./plan-input.ts";
import { cancelSignal } from "./signals.ts";

/** Bytes of each stream that are kept for the verdict. */
export const COPY_LIMIT = 1024 * 1024;
/** Bounds of a walk. A larger workspace is broken, never half seen. */
const WALK_ENTRIES = 20_000_000n;
const WALK_DEPTH = 100_000;

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
    const { launcher, facts } = await Launcher.start(path, {
      stdin: options.stdin,
      stdout: held?.stdout.fd ?? relay,
      stderr: held?.stderr.fd ?? relay,
    });
    try {
      const run: Run = {
        options,
        warn,
        launcher,
        matcher: secretMatcher(options.policy, workspaceNames(options)),
        held,
      };
      return await confine(run, options.facts?.(facts) ?? facts);
    } finally {
      await launcher.close();
    }
  } finally {
    held?.stdout.close();
    held?.stderr.close();
  }
}

function workspaceNames({ workspace }: RunExecOptions): readonly string[] {
  return [workspace.root, ...workspace.names];
}

async function confine(run: Run, facts: HostFacts): Promise<Ran> {
  const { options, launcher, matcher } = run;
  const root = options.workspace.root;
  const record = pathRecord(root);
  if (record === undefined) throw new PaldronError("workspace", `${root} does not exist or may not be seen`);
  const walk = (id: number): WalkRequest => ({
    id,
    root: record,
    names: matcher.namePatterns(),
    maxEntries: WALK_ENTRIES,
    maxDepth: WALK_DEPTH,
  });
  const before = takeSnapshot(root, await launcher.walk(walk(1)));
  const secrets = secretsIn(root, before, matcher);
  const plan = buildPlan({
    ...planInput(options, facts, run.warn),
    secretsFound: secrets.length,
    output: outputPlan(run),
  });
  if (isRefusal(plan)) return refused(plan);
  warnOfGaps(run, plan, secrets);
  const outcome = await runCancellable(run, plan);
  const after = takeSnapshot(root, await launcher.walk(walk(2)));
  const scan = compareSnapshots({ root, before, after, matcher });
  const { protections, setting } = plan;
  return await conclude({ options, warn: run.warn, held: run.held, protections, setting, outcome, scan });
}

function outputPlan({ held }: Run): OutputPlan {
  return { copyBytes: COPY_LIMIT, relayBytes: held === undefined ? 0n : BigInt(HOLD_LIMIT) };
}

function refused({ message, protections }: Refusal): Ran {
  const reason = { code: "isolation", text: message };
  return { ...NOT_RUN, verdict: "broken", reason, lines: [message], error: "isolation", protections };
}

/** What runs although something is missing is said before it runs, every time. */
function warnOfGaps({ options, warn }: Run, plan: SandboxPlan, secrets: readonly string[]): void {
  if (!options.policy.requireOsIsolation) warn(withoutIsolation(plan));
  if (!plan.protections["secrets-read"].enforced && secrets.length > 0) warn(readableSecrets(secrets));
}

function withoutIsolation(plan: SandboxPlan): string {
  if (plan.setting === "none") {
    return "running without OS isolation (policy gate and output scan only, no kernel boundary)";
  }
  return "the policy does not require OS isolation; this machine has it, and it is used";
}

function readableSecrets(secrets: readonly string[]): string {
  const shown = secrets.slice(0, 3).join(", ");
  const more = secrets.length > 3 ? ` and ${secrets.length - 3} more` : "";
  return `the command can read ${shown}${more}: hiding files needs a mount namespace (require = ["secrets-read"] refuses instead)`;
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
