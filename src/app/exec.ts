import { type Decision, describe } from "../core/decision.ts";
import { PaldronError } from "../core/errors.ts";
import { monotonicMs } from "../host/clock.ts";
import { launcherBuilt, launcherMissing } from "../host/launcher-path.ts";
import { platform } from "../host/platform.ts";
import { runCheckCommand } from "./check.ts";
import type { Ran } from "./conclude.ts";
import { type ExecResult, NOT_RUN, type RunExecOptions, type Verdict } from "./exec-types.ts";
import { undoInterrupted } from "./interrupted.ts";
import { runConfined } from "./run-confined.ts";
import { runElsewhere } from "./run-elsewhere.ts";

/**
 * Judges a command, runs it confined, judges what came out. Every way out of here is an {@link ExecResult}; what
 * goes wrong on the way to running something ends in `broken` with nothing run.
 */
export async function runExec(options: RunExecOptions): Promise<ExecResult> {
  const startedAt = new Date();
  const clock = monotonicMs();
  const warnings: string[] = [];
  const warn = (warning: string): void => {
    warnings.push(warning);
    options.onWarning?.(warning);
  };
  const finish = (part: Omit<ExecResult, "warnings" | "startedAt" | "durationMs">): ExecResult => ({
    ...part,
    warnings,
    startedAt,
    durationMs: monotonicMs() - clock,
  });
  try {
    const refused = await gate(options);
    if (refused !== undefined) return finish({ ...NOT_RUN, ...refused });
    return finish(await run(options, warn));
  } catch (error) {
    if (!(error instanceof PaldronError)) throw error;
    const reason = { code: error.code, text: error.message };
    return finish({ ...NOT_RUN, verdict: "broken", reason, lines: [error.message], error: error.code });
  }
}

/** Under the launcher on Linux, where it is built; without one only as far as the policy allows it. */
async function run(options: RunExecOptions, warn: (warning: string) => void): Promise<Ran> {
  const system = options.system ?? { platform: platform(), launcherBuilt: launcherBuilt() };
  undoInterrupted(options, warn);
  if (system.platform === "linux") {
    if (system.launcherBuilt) return await runConfined(options, warn);
    if (options.policy.requireOsIsolation) throw launcherMissing();
  }
  return await runElsewhere(options, warn, system);
}

type Refused = Pick<ExecResult, "verdict" | "reason" | "lines">;

/** The decision before anything runs; undefined where the command may run. */
async function gate(options: RunExecOptions): Promise<Refused | undefined> {
  const decision = await runCheckCommand(options);
  if (decision.decision === "allow") return undefined;
  if (decision.decision === "ask" && (await options.confirm?.(decision)) === true) return undefined;
  return refusal(decision);
}

function refusal(decision: Decision): Refused {
  const verdict: Verdict = "deny";
  const text = decision.decision === "ask" ? `${describe(decision)} needs approval` : describe(decision);
  return { verdict, reason: { code: decision.code, rule: decision.rule, text }, lines: [text] };
}
