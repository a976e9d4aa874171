import type { ProtectionTable } from "../core/protection.ts";
import type { HeldStream } from "../host/held-output.ts";
import type { RunOutcome } from "../host/launch.ts";
import type { LimitFinding, ScanResult } from "../host/produced.ts";
import type { LimitSign } from "../plan/limit-signs.ts";
import {
  type ExecResult,
  NOT_RUN,
  type RunExecOptions,
  type RunSetting,
  type Withheld,
} from "./exec-types.ts";
import type { JevVerdict } from "./jev.ts";
import { childEnd, judgeRun } from "./outcome.ts";
import { terminalSigns } from "./terminal-signs.ts";

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
  /** Who knows since when output waits, where the workspace was watched. */
  readonly late?: { readonly since: string | undefined };
  /** Shows the output that waits, or forgets it; undefined where none does. */
  readonly release?: ((show: boolean) => Promise<void>) | undefined;
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
  const withheld = shown ? withheldFrom(run) : undefined;
  if (withheld !== undefined) warn(withheldLine(run, withheld));
  await run.release?.(withheld === undefined);
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
    findings: [...scan.findings, ...limits, ...terminalSigns(outcome)],
    // INVARIANT: what may not be shown is not handed on, so that no way of showing a result can show it.
    ...(shown ? copies(outcome, options.keepWithheld === true ? undefined : withheld) : NO_OUTPUT),
    stdoutBytes: Number(ended.stdoutBytes),
    stderrBytes: Number(ended.stderrBytes),
    withheld: withheld ?? NOT_RUN.withheld,
    outputShown: shown,
    leftovers: ended.leftovers,
  };
}

function limitFinding({ limit, value, seen }: LimitSign): LimitFinding {
  return { code: "limit-met", limit, text: `the command may have met ${limit} (${value}): ${seen}` };
}

const NO_OUTPUT: Pick<Ran, "stdout" | "stderr"> = { stdout: NOT_RUN.stdout, stderr: NOT_RUN.stderr };

/** What came after a forbidden file had appeared, where that file denies the run: it may tell what is in it. */
function withheldFrom({ outcome, scan }: Finished): Withheld | undefined {
  const { withheldStdout, withheldStderr } = outcome.ended;
  if (withheldStdout + withheldStderr === 0n) return undefined;
  if (scan.produced.every(({ code }) => code === "runs_later")) return undefined;
  return { stdout: Number(withheldStdout), stderr: Number(withheldStderr) };
}

function withheldLine({ late }: Finished, { stdout, stderr }: Withheld): string {
  const since =
    late?.since === undefined ? "after it may have made one of them" : `after ${late.since} appeared`;
  return `${stdout + stderr} bytes of its output are withheld: they came ${since}`;
}

function copies({ stdout, stderr, free }: RunOutcome, withheld: Withheld | undefined): typeof NO_OUTPUT {
  if (withheld === undefined) return { stdout, stderr };
  return { stdout: stdout.subarray(0, free?.stdout), stderr: stderr.subarray(0, free?.stderr) };
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
