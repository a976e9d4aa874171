import { PaldronError } from "../core/errors.ts";
import type { Protection, ProtectionTable } from "../core/protection.ts";
import { makeDoctorPlace, SEEN_ON_DISK } from "../host/doctor-place.ts";
import { startStand } from "../host/doctor-stand.ts";
import { hostSigns } from "../host/host-signs.ts";
import { launcherBuilt, probePath } from "../host/launcher-path.ts";
import { platform } from "../host/platform.ts";
import { randomToken } from "../host/random-token.ts";
import { type Cause, landlockCause, protectionRemedy } from "../plan/causes.ts";
import { noProtections, seatbeltProtections } from "../plan/protections-elsewhere.ts";
import { requirements } from "../plan/requirements.ts";
import type { HostFacts, Setting } from "../plan/types.ts";
import type { Policy } from "../policy/types.ts";
import { allHold, judgeRows, type Observed } from "./doctor-judge.ts";
import { type Bench, canaryPolicy, runControl, runLimits, runMain, WRITABLE_FOLDER } from "./doctor-runs.ts";
import { trySettings } from "./doctor-settings.ts";
import type { DoctorReport } from "./doctor-types.ts";
import type { ExecResult, RunExecOptions, RunSetting } from "./exec-types.ts";
import { programGaps } from "./program-gaps.ts";

export interface DoctorOptions {
  readonly policy: Policy;
  readonly env: RunExecOptions["env"];
  /** Aborting ends the attempts. */
  readonly signal?: AbortSignal | undefined;
}

const NOTHING: Observed = { outcomes: new Map(), effects: new Set(), hits: new Set() };

/** Runs each mechanism for real, as a run under this policy would have it, and says what holds. */
export async function runDoctor(options: DoctorOptions): Promise<DoctorReport> {
  const probe = probePath();
  const system = platform();
  if (system !== "linux") return elsewhere(options, system);
  if (!launcherBuilt() || probe === undefined) {
    const cause = launcherBuilt() ? "the probe is not built" : "the launcher is not built";
    return unable(options, noProtections(cause), {
      cause,
      remedy: "install a C compiler (cc, gcc or clang) and run `npm run build`",
    });
  }
  const { policy, env } = options;
  const place = makeDoctorPlace({
    probe,
    home: env["HOME"],
    opened: policy.readPaths.map((path) =>
      path.startsWith("~/") ? `${env["HOME"] ?? ""}${path.slice(1)}` : path,
    ),
    writable: policy.writePaths === undefined ? undefined : WRITABLE_FOLDER,
  });
  try {
    const secret = randomToken();
    const stand = await startStand(probe, secret, place.outside);
    try {
      const root = place.workspace;
      return await examine(options, {
        probe,
        token: randomToken(),
        place,
        stand,
        secret,
        policy: canaryPolicy(policy, probe),
        options: {
          source: { path: undefined, sha256: undefined },
          workspace: { root, names: [], cwd: root },
          env: { ...env, XDG_CACHE_HOME: place.caches },
          output: "capture",
          stdin: "ignore",
          signal: options.signal,
        },
      });
    } finally {
      await stand.stop();
    }
  } finally {
    place.remove();
  }
}

async function examine({ policy, env, signal }: DoctorOptions, bench: Bench): Promise<DoctorReport> {
  const learned: { facts?: HostFacts } = {};
  const learn = (found: HostFacts): HostFacts => {
    learned.facts = found;
    return found;
  };
  const learning = { ...bench, options: { ...bench.options, facts: learn } };
  const main = await runMain(learning);
  const limits = await runLimits(learning);
  const outside = await runControl(bench);
  goOn(signal);
  const signs = hostSigns();
  const { facts } = learned;
  const used = main.result.setting;
  const setting = used === undefined || used === "seatbelt" ? "none" : used;
  const rows = judgeRows({
    protections: main.result.protections ?? noProtections(main.result.reason.text),
    required: requirements(policy),
    inside: { ...main.observed, outcomes: new Map([...main.observed.outcomes, ...limits]) },
    outside,
    seenOnDisk: SEEN_ON_DISK,
    remedy: (name) => remedyFor(name, { policy, facts, setting }),
  });
  const nothing: RunExecOptions = { ...bench.options, policy: bench.policy, argv: [bench.probe, "nothing"] };
  const settings = facts === undefined ? [] : await trySettings({ options: nothing, used, facts, signs });
  goOn(signal);
  const none = facts === undefined ? undefined : landlockCause(facts, signs);
  const problems = [...(none === undefined ? [] : [none]), ...notRun(main.result)];
  return {
    ...host(facts),
    setting: used,
    rows,
    settings,
    programs: policy.confineBinaries ? programGaps({ policy, env, workspace: undefined }) : [],
    problems,
    ok: problems.length === 0 && allHold(rows),
  };
}

function remedyFor(
  name: Protection,
  { policy, facts, setting }: { policy: Policy; facts: HostFacts | undefined; setting: Setting },
): string | undefined {
  if (facts === undefined) return undefined;
  return protectionRemedy(name, { setting, facts, allowNetwork: policy.allowNetwork });
}

/** Why the attempts were not made. */
function notRun({ child, reason, warnings }: ExecResult): readonly Cause[] {
  if (child !== undefined) return [];
  const remedy = warnings.length === 0 ? "see the failure itself" : warnings.join("; ");
  return [{ cause: `the attempts could not be made: ${reason.text}`, remedy }];
}

function goOn(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new PaldronError("start", "doctor was interrupted");
}

function host(facts: HostFacts | undefined): Pick<DoctorReport, "release" | "arch" | "uid"> {
  return { release: facts?.release ?? "unknown", arch: facts?.arch ?? "unknown", uid: facts?.uid };
}

function elsewhere(options: DoctorOptions, system: "darwin" | "windows" | "other"): DoctorReport {
  const table =
    system === "darwin"
      ? seatbeltProtections({ allowNetwork: options.policy.allowNetwork })
      : noProtections("no isolation is available on this system");
  return unable(
    options,
    table,
    {
      cause: "the attempts are made on Linux only, so nothing was tried",
      remedy: "docs/platforms.md says what to expect here",
    },
    system === "darwin" ? "seatbelt" : "none",
  );
}

/** A report without any attempt. */
function unable(
  { policy }: DoctorOptions,
  protections: ProtectionTable,
  problem: Cause,
  setting: RunSetting = "none",
): DoctorReport {
  const required = requirements(policy);
  const rows = judgeRows({
    protections,
    required,
    inside: NOTHING,
    outside: NOTHING,
    seenOnDisk: SEEN_ON_DISK,
    remedy: () => undefined,
  }).map((row) => (row.enforced ? { ...row, result: "untried" as const, note: problem.cause } : row));
  return {
    ...host(undefined),
    setting,
    rows,
    settings: [],
    programs: [],
    problems: [problem],
    ok: required.length === 0 && allHold(rows),
  };
}
