import { PaldronError } from "../core/errors.ts";
import type { ProtectionTable } from "../core/protection.ts";
import { systemPaths, toolchainPaths } from "../host/cached-paths.ts";
import { fileView } from "../host/file-view.ts";
import { gitConfig } from "../host/git-config.ts";
import { HOLD_LIMIT, holdStream } from "../host/held-output.ts";
import type { RunOutcome } from "../host/launch.ts";
import { outputSink } from "../host/output-sink.ts";
import { compareSnapshots, joinScans, secretsIn } from "../host/produced.ts";
import type { ChildOutcome, ChildRun } from "../host/run-child.ts";
import { runDarwin } from "../host/run-darwin.ts";
import { noIsolation, runPlain } from "../host/run-plain.ts";
import { makeScratchFolder, type ScratchFolder } from "../host/scratch-folder.ts";
import { takeSnapshot } from "../host/snapshot.ts";
import { walkNode } from "../host/walk-node.ts";
import { homes } from "../host/workspace.ts";
import { buildEnvironment } from "../plan/environment.ts";
import { noProtections, seatbeltProtections } from "../plan/protections-elsewhere.ts";
import { seatbeltProfile } from "../plan/seatbelt.ts";
import { conclude, type Held, type Ran } from "./conclude.ts";
import { NOT_RUN, type RunExecOptions, type RunSetting, type System } from "./exec-types.ts";
import { gapWarnings } from "./gap-warnings.ts";
import { LaterGuard, laterScope, lookBefore } from "./later.ts";
import { locate, writePaths } from "./plan-input.ts";
import { cancelSignal } from "./signals.ts";
import { walkRequests, workspaceMatcher } from "./workspace-walk.ts";

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE_MS = 1000;

/** One run without a launcher. */
interface Run {
  readonly options: RunExecOptions;
  readonly warn: (warning: string) => void;
  readonly system: System;
  readonly setting: Extract<RunSetting, "seatbelt" | "none">;
  readonly protections: ProtectionTable;
  readonly held: Held | undefined;
}

/**
 * Runs an allowed command where there is no launcher: under a Seatbelt profile on macOS, and with nothing around it
 * elsewhere, which a policy that requires isolation refuses. The scan, the Jev verdict and the result are the same.
 *
 * Untested on macOS and Windows: tests run it on Linux, with stand-ins for what is not there.
 * @throws PaldronError for everything that prevented the run or the judging of it.
 */
export async function runElsewhere(
  options: RunExecOptions,
  warn: (warning: string) => void,
  system: System,
): Promise<Ran> {
  const { policy } = options;
  if (options.server !== undefined) throw new PaldronError("isolation", "a server is confined on Linux only");
  const setting = system.platform === "darwin" ? "seatbelt" : "none";
  if (setting === "none" && policy.requireOsIsolation) throw noIsolation(system.platform);
  const protections =
    setting === "none"
      ? noProtections(whyNone(system))
      : seatbeltProtections({ allowNetwork: policy.allowNetwork });
  const refused = refusal(options, protections);
  if (refused !== undefined) return refused;
  const hold = policy.jevVerdict && options.output === "stream";
  const held = hold ? { stdout: holdStream(), stderr: holdStream() } : undefined;
  const scratch = makeScratchFolder();
  try {
    return await runBetweenWalks({ options, warn, system, setting, protections, held }, scratch);
  } finally {
    scratch.remove();
    held?.stdout.close();
    held?.stderr.close();
  }
}

function whyNone({ platform }: System): string {
  return platform === "linux" ? "the launcher is not built" : "no isolation is available on this system";
}

/** `require` in the policy holds everywhere; its default does only where there is a launcher. */
function refusal({ policy }: RunExecOptions, protections: ProtectionTable): Ran | undefined {
  const programs = policy.confineBinaries && policy.requireOsIsolation ? (["programs"] as const) : [];
  const missing = [...(policy.require ?? programs), ...policy.alsoRequire].filter(
    (name) => !protections[name].enforced,
  );
  const first = missing[0];
  if (first === undefined) return undefined;
  const why = protections[first].why_not ?? "not enforced";
  const text = `this machine cannot enforce ${missing.join(", ")} (${why})`;
  return {
    ...NOT_RUN,
    verdict: "broken",
    reason: { code: "isolation", text },
    lines: [text],
    error: "isolation",
    protections,
  };
}

async function runBetweenWalks(run: Run, scratch: ScratchFolder): Promise<Ran> {
  const { options, warn, setting, protections, held } = run;
  const { policy, workspace } = options;
  const { root } = workspace;
  const matcher = workspaceMatcher(policy, workspace);
  const walk = walkRequests(root, matcher);
  const before = takeSnapshot(root, walkNode(walk(1)));
  const secrets = secretsIn(root, before, matcher);
  const scope = laterScope(options, []);
  const later = new LaterGuard(scope, lookBefore(scope, before));
  const child = childRun(run, scratch);
  const { requireOsIsolation } = policy;
  for (const gap of gapWarnings({ requireOsIsolation, setting, protections, secrets, later: later.exposed }))
    warn(gap);
  if (options.signal?.aborted === true)
    throw new PaldronError("start", "the run was cancelled before it started");
  return await later.during(async () => {
    const ended = await (setting === "seatbelt"
      ? runDarwin({ ...child, profile: profile(run, scratch, secrets) })
      : runPlain({ ...child, requireOsIsolation, platform: run.system.platform }));
    const outcome = toOutcome(ended, options.signal);
    later.reopenRoot();
    const after = takeSnapshot(root, walkNode(walk(2)));
    const scan = joinScans(
      compareSnapshots({ root, before, after, matcher }),
      later.settle(after, { outsideWritable: false, mounts: undefined }),
    );
    return await conclude({ options, warn, held, protections, setting, outcome, scan, limits: [] });
  });
}

function childRun({ options, system, held }: Run, scratch: ScratchFolder): ChildRun {
  const { argv, policy, workspace, output } = options;
  const program = locate(options);
  const stream = output === "stream";
  return {
    program,
    argv,
    env: environment(options, scratch, program),
    cwd: workspace.cwd,
    timeoutMs: Math.ceil(policy.timeoutSec * 1000),
    graceMs: GRACE_MS,
    stdin: options.stdin,
    stdout:
      held === undefined ? (stream ? outputSink(1) : undefined) : outputSink(held.stdout.fd, HOLD_LIMIT),
    stderr:
      held === undefined ? (stream ? outputSink(2) : undefined) : outputSink(held.stderr.fd, HOLD_LIMIT),
    signal: options.signal,
    spawn: system.spawn,
  };
}

/** The same environment as under the launcher. */
function environment(
  { env, policy, workspace }: RunExecOptions,
  scratch: ScratchFolder,
  program: string,
): readonly string[] {
  const runtime = systemPaths();
  const { PATH: path, HOME: home } = env;
  return buildEnvironment({
    env,
    variables: [],
    scratchHome: scratch.home,
    scratchTmp: scratch.tmp,
    cwd: workspace.cwd,
    network: policy.allowNetwork,
    toolchains: toolchainPaths({ path, home, workspace: workspace.root, program, runtime }).env,
    caches: {},
    sockets: [],
    gitConfig: gitConfig(home)?.path,
  });
}

function profile({ options, warn }: Run, scratch: ScratchFolder, secrets: readonly string[]): string {
  const { policy, workspace, env } = options;
  const { root } = workspace;
  const writable = writePaths(options, warn)?.map((record) => record.path) ?? [root];
  return seatbeltProfile({
    allowNetwork: policy.allowNetwork,
    writable: [...writable, scratch.path],
    homes: [...new Set(homes(env["HOME"] ?? fileView({ env, workspace }).home))],
    hidden: secrets.map((path) => `${root}/${path}`),
  });
}

/** The end of the command in the words of the launcher. What only a launcher can count is zero. */
function toOutcome(child: ChildOutcome, signal: AbortSignal | undefined): RunOutcome {
  const cancelled = signal?.aborted === true && !child.timedOut;
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    ended: {
      type: "ended",
      exitCode: child.kind === "exited" ? child.value : undefined,
      signal: child.kind === "signalled" ? child.value : undefined,
      coreDumped: false,
      cause: child.timedOut ? "timeout" : cancelled ? "cancelled" : "own",
      causeDetail: cancelled ? cancelSignal(signal.reason) : 0,
      leftovers: 0,
      userUs: 0n,
      systemUs: 0n,
      maxRssKb: 0n,
      wallUs: BigInt(Math.round(child.durationMs * 1000)),
      stdoutBytes: BigInt(child.stdoutBytes),
      stderrBytes: BigInt(child.stderrBytes),
      withheldStdout: 0n,
      withheldStderr: 0n,
    },
  };
}
