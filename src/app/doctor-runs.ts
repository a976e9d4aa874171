import { decodeBytes } from "../core/bytes.ts";
import type { DoctorPlace } from "../host/doctor-place.ts";
import type { DoctorStand } from "../host/doctor-stand.ts";
import { endProcesses, processesNamed } from "../host/host-signs.ts";
import { readOutcomes } from "../host/probe-output.ts";
import { runChild } from "../host/run-child.ts";
import { DEFAULT_POLICY } from "../policy/parse.ts";
import type { Policy } from "../policy/types.ts";
import { KEPT_TOO_MUCH, LEFT_ALIVE, type Observed, UNSEEN_BY_SCAN } from "./doctor-judge.ts";
import { LIMIT_TRIES, MAIN_TRIES, TIME_TRY } from "./doctor-tries.ts";
import { runExec } from "./exec.ts";
import type { ExecResult, RunExecOptions } from "./exec-types.ts";

/** The one folder that may be written where the policy has `write_paths`. */
export const WRITABLE_FOLDER = "writable";

/** Bytes that are kept of a stream, and what the probe prints at least. */
const KEPT_BYTES = 1024 * 1024;
const PRINTED_BYTES = 1536 * 1024;

/** Everything the attempts are made with. */
export interface Bench {
  readonly probe: string;
  /** In the command line of the run, which is how what it leaves behind is found. */
  readonly token: string;
  readonly place: DoctorPlace;
  readonly stand: DoctorStand;
  /** The token of the target, which nobody outside may read. */
  readonly secret: string;
  /** For every run, but for its policy. */
  readonly options: Omit<RunExecOptions, "policy" | "argv">;
  readonly policy: Policy;
}

/**
 * The policy of the attempts: what decides about mechanisms is the caller's own; what would keep the probe from being
 * run, or from trying, is not.
 */
export function canaryPolicy(policy: Policy, probe: string): Policy {
  const { timeoutSec, maxProcesses, maxMemoryMb, maxOpenFiles, cpuTimeSec, maxFileSizeMb } = DEFAULT_POLICY;
  return {
    ...policy,
    ...{ timeoutSec, maxProcesses, maxMemoryMb, maxOpenFiles, cpuTimeSec, maxFileSizeMb },
    setLimits: new Set(),
    allowPaths: [],
    alsoAllowPaths: [],
    rules: [],
    denyGlobs: [],
    secretExceptions: [],
    laterExceptions: [],
    gitConfigExceptions: [],
    allowBinaries: policy.allowBinaries.length === 0 ? [] : [...policy.allowBinaries, probe],
    readPaths: [...policy.readPaths, probe],
    writePaths: policy.writePaths === undefined ? undefined : [WRITABLE_FOLDER],
    // What is missing is to be seen, not to stop the attempts.
    require: [],
    alsoRequire: [],
    requireOsIsolation: false,
    jevVerdict: false,
  };
}

/** Below what the probe asks for, and above what it needs. */
function lowLimits(policy: Policy): Policy {
  return {
    ...policy,
    maxProcesses: 20,
    maxMemoryMb: 256,
    maxOpenFiles: 64,
    maxFileSizeMb: 1,
    cpuTimeSec: 1,
    setLimits: new Set([
      "max_processes",
      "max_memory_mb",
      "max_open_files",
      "max_file_size_mb",
      "cpu_time_sec",
    ]),
  };
}

function instruct({ place, stand, secret, probe }: Bench, tries: readonly string[]): void {
  place.instruct({
    ...stand.settings,
    OUT: place.outside,
    WRITABLE: place.writable,
    TOKEN: secret,
    PROBE: probe,
    TRY: tries.join(" "),
  });
}

function options(bench: Bench, policy: Policy): RunExecOptions {
  return { ...bench.options, policy, argv: [bench.probe, bench.token] };
}

export interface MainRun {
  readonly result: ExecResult;
  readonly observed: Observed;
}

/** The run in which most is tried. */
export async function runMain(bench: Bench): Promise<MainRun> {
  instruct(bench, MAIN_TRIES);
  await bench.stand.hits();
  const result = await runExec({ ...options(bench, bench.policy), keepWithheld: true });
  const outcomes = readOutcomes(decodeBytes(result.stdout));
  const hits = await bench.stand.hits();
  const left = processesNamed(bench.token);
  endProcesses(left);
  if (result.child !== undefined) {
    outcomes.set(KEPT_TOO_MUCH, answer(result.stdout.length > KEPT_BYTES));
    setPrinted(outcomes, result.stdoutBytes);
    outcomes.set(LEFT_ALIVE, answer(left.length > 0));
    outcomes.set(UNSEEN_BY_SCAN, answer(!result.produced.some(({ path }) => path.endsWith(".env.late"))));
    // What was gone before the end shows nothing of how a run ends.
    if (result.leftovers === 0 && left.length === 0) outcomes.delete("leave-behind");
  }
  return { result, observed: { outcomes, effects: bench.place.effects(), hits } };
}

/** Its own line comes after the end of the copy. */
function setPrinted(outcomes: Map<string, string>, bytes: number): void {
  outcomes.set("print-much", bytes >= PRINTED_BYTES ? "ok" : "broken");
}

function answer(gotThrough: boolean): string {
  return gotThrough ? "ok" : "refused";
}

/** What low limits stop. A tree that was stopped as a whole answers no more, but the verdict does. */
export async function runLimits(bench: Bench): Promise<ReadonlyMap<string, string>> {
  instruct(bench, LIMIT_TRIES);
  const { stdout, reason } = await runExec(options(bench, lowLimits(bench.policy)));
  const outcomes = readOutcomes(decodeBytes(stdout));
  const stopped = { limit_memory: "limit-memory", limit_processes: "limit-processes" }[reason.code];
  if (stopped !== undefined && !outcomes.has(stopped)) outcomes.set(stopped, "refused");
  return new Map([...outcomes, ...(await runTime(bench))]);
}

async function runTime(bench: Bench): Promise<ReadonlyMap<string, string>> {
  instruct(bench, [TIME_TRY]);
  const { stdout, reason } = await runExec(options(bench, { ...bench.policy, timeoutSec: 1 }));
  const outcomes = readOutcomes(decodeBytes(stdout));
  return reason.code === "timeout" && !outcomes.has(TIME_TRY) ? new Map([[TIME_TRY, "refused"]]) : outcomes;
}

/** The control: the same attempts with nothing around them, and what they let loose ended. */
export async function runControl(bench: Bench): Promise<Observed> {
  instruct(bench, [
    ...MAIN_TRIES.filter((name) => name !== "print-much"),
    ...LIMIT_TRIES,
    TIME_TRY,
    "print-much",
  ]);
  await bench.stand.hits();
  const { stdout, stdoutBytes } = await runChild({
    program: bench.probe,
    argv: [bench.probe, bench.token],
    env: ["PATH=/usr/bin:/bin"],
    cwd: bench.place.workspace,
    timeoutMs: 60_000,
    graceMs: 1000,
    stdin: "ignore",
    stdout: undefined,
    stderr: undefined,
    signal: bench.options.signal,
  });
  const left = processesNamed(bench.token);
  endProcesses(left);
  const outcomes = readOutcomes(decodeBytes(stdout));
  outcomes.set(LEFT_ALIVE, answer(left.length > 0));
  setPrinted(outcomes, stdoutBytes);
  for (const name of [KEPT_TOO_MUCH, UNSEEN_BY_SCAN]) outcomes.set(name, "ok");
  return { outcomes, effects: bench.place.effects(), hits: await bench.stand.hits() };
}
