import { PaldronError } from "../core/errors.ts";
import { type Platform, platform } from "./platform.ts";
import { type ChildOutcome, type ChildRun, runChild } from "./run-child.ts";

const NAMES = { linux: "this Linux host", darwin: "this Mac", windows: "Windows", other: "this system" };

/**
 * Runs a command behind the gate and before the scan, with no boundary of the kernel around it: Windows, systems that
 * have no launcher, and policies that give up isolation.
 *
 * Untested on Windows: only the parts that all systems share are tested.
 * @throws PaldronError `isolation` when the policy asks for isolation, before anything has run; else as {@link runChild}.
 */
export async function runPlain(
  run: ChildRun & { readonly requireOsIsolation: boolean; readonly platform?: Platform | undefined },
): Promise<ChildOutcome> {
  const { requireOsIsolation, platform: where, ...child } = run;
  if (requireOsIsolation) throw noIsolation(where);
  return await runChild(child);
}

/** What a policy that asks for isolation gets where there is none. */
export function noIsolation(where: Platform = platform()): PaldronError {
  return new PaldronError(
    "isolation",
    `no isolation is available on ${NAMES[where]} and the policy requires it (require_os_isolation = true)`,
  );
}
