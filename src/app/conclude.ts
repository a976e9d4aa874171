import type { ProtectionTable } from "../core/protection.ts";
import type { HeldStream } from "../host/held-output.ts";
import type { RunOutcome } from "../host/launch.ts";
import type { LimitFinding, ScanResult } from "../host/produced.ts";
import type { LimitSign } from "../plan/limit-signs.ts";
import { type ExecResult, NOT_RUN, type RunExecOptions, type RunSetting } from "./exec-types.ts";
import type { JevVerdict } from "./jev.ts";
import { childEnd, judgeRun } from "./outcome.ts";

const STDOUT = 1;
const STDERR = 2;

/** A run without what `runExec` adds to it. */
export type Ran = Omit<ExecResult, "warnings" | "startedAt" | "durationMs">;

/** Both output streams, held back until the verdict on them is known. */
export interface Held {
  readonly stdout: HeldStream;
  readonly stderr: HeldStream;
}

/** A finished run that is to be judged, however it was confined. */
export interface Finished {
  readonly options: RunExecOptions;
  readonly warn: (warning: string) => void;
  /** Undefined where output was relayed as it came, or only copied. */
  readonly held: Held | undefined;
  readonly protections: ProtectionTable;
  readonly setting: RunSetting;
  readonly outcome: RunOutcome;
  readonly scan: ScanResult;
  /** Limits that it may have met. */
  readonly limits: readonly LimitSign[];
}

/**
 * The verdict on a finished run, and its output: what Jev is asked about is shown to nobody while it waits, and to
 * nobody at all when the run is denied.
 */
export async function conclude(run: Finished): Promise<Ran> {
  const { options, held, warn, outcome, scan } = run;
  const { policy } = options;
  const { ended } = outcome;
  // The scan speaks first: what is denied already is not sent to anybody.
  const ask = policy.jevVerdict && scan.produced.length === 0;
  const jev = ask ? await judgeOutput(options, outcome) : undefined;
  if (jev?.kind === "allow" && jev.warning !== undefined) warn(jev.warning);
  const judged = judgeRun({ ended, scan, jev, policy });
  const limits = ended.cause === "own" || ended.cause === "timeout" ? run.limits.map(limitFinding) : [];
  for (const { text } of limits) warn(text);
  const shown = !policy.jevVerdict || judged.verdict !== "deny";
  if (shown) {
    held?.stdout.release(STDOUT);
    held?.stderr.release(STDERR);
  }
  return {
    ...judged,
    child: childEnd(ended),
    signalNumber: ended.signal,
    protections: run.protections,
    setting: run.setting,
    produced: scan.produced,
    findings: [...scan.findings, ...limits],
    // INVARIANT: what may not be shown is not handed on, so that no way of showing a result can show it.
    stdout: shown ? outcome.stdout : NOT_RUN.stdout,
    stderr: shown ? outcome.stderr : NOT_RUN.stderr,
    stdoutBytes: Number(ended.stdoutBytes),
    stderrBytes: Number(ended.stderrBytes),
    outputShown: shown,
    leftovers: ended.leftovers,
  };
}

function limitFinding({ limit, value, seen }: LimitSign): LimitFinding {
  return { code: "limit-met", limit, text: `the command may have met ${limit} (${value}): ${seen}` };
}

async function judgeOutput(
  options: RunExecOptions,
  { ended, stdout, stderr }: RunOutcome,
): Promise<JevVerdict> {
  // Loaded only where a policy asks for it: nothing else of Paldron can reach a network.
  const [{ judgeWithJev }, { postJson }] = await Promise.all([import("./jev.ts"), import("../host/http.ts")]);
  return await judgeWithJev({
    argv: options.argv,
    exitCode: ended.exitCode ?? null,
    stdout,
    stderr,
    threshold: options.policy.jevThreshold,
    onError: options.policy.jevOnError,
    env: options.env,
    fetchJson: postJson,
  });
}
