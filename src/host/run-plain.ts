import { PaldronError } from "../core/errors.ts";
import { platform } from "./platform.ts";
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
  run: ChildRun & { readonly requireOsIsolation: boolean },
): Promise<ChildOutcome> {
  const { requireOsIsolation, ...child } = run;
  if (requireOsIsolation) {
    const where = NAMES[platform()];
    throw new PaldronError(
      "isolation",
      `no isolation is available on ${where} and the policy requires it (require_os_isolation = true)`,
    );
  }
  return await runChild(child);
}
