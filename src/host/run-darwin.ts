import { type ChildOutcome, type ChildRun, runChild } from "./run-child.ts";

/** By its full path: one found on PATH could be anybody's. */
const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

/**
 * Runs a command under a Seatbelt profile (`plan/seatbelt`), which the kernel holds for all its descendants. A profile
 * that the system does not accept ends `sandbox-exec` before the command starts, so a fault here never runs unconfined.
 *
 * Untested on macOS: only the command line is checked, by a test with a stand-in for `spawn`.
 * @throws PaldronError as {@link runChild}.
 */
export function runDarwin(run: ChildRun & { readonly profile: string }): Promise<ChildOutcome> {
  const { profile, ...child } = run;
  const argv = [SANDBOX_EXEC, "-p", profile, "--", run.program, ...run.argv.slice(1)];
  return runChild({ ...child, program: SANDBOX_EXEC, argv });
}
