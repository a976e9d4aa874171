import { PROTECTIONS } from "../core/protection.ts";
import type { Workspace } from "../core/request.ts";
import { probePath } from "../host/launcher-path.ts";
import type { PolicySource } from "../policy/types.ts";
import { runCompat } from "./compat.ts";
import { type DoctorOptions, runDoctor } from "./doctor.ts";
import type { DoctorReport, WorkspaceReport } from "./doctor-types.ts";
import { runExec } from "./exec.ts";
import { programGaps } from "./program-gaps.ts";

export interface DoctorWorkspaceOptions extends DoctorOptions {
  readonly workspace: Workspace;
  readonly source: PolicySource;
}

/** As `runDoctor`, and what the policy does in a workspace and to ordinary tools. */
export async function runDoctorWorkspace(options: DoctorWorkspaceOptions): Promise<DoctorReport> {
  const report = await runDoctor(options);
  const workspace = await lookAt(options);
  if (workspace === undefined) return report;
  const checks = await runCompat(options);
  const { policy } = options;
  // Where the policy only lists programs, this is what holding the list in the kernel would break.
  const listed = policy.confineBinaries || policy.allowBinaries.length > 0;
  const programs = listed ? programGaps(options) : [];
  return { ...report, programs, workspace, checks, ok: report.ok && workspace.problem === undefined };
}

/** A run that does nothing, in the workspace itself: what is refused or warned of there, and what does not hold. */
async function lookAt(options: DoctorWorkspaceOptions): Promise<WorkspaceReport | undefined> {
  const probe = probePath();
  if (probe === undefined) return undefined;
  const { policy, source, workspace, env, signal } = options;
  const { allowBinaries, readPaths } = policy;
  const { verdict, reason, setting, warnings, protections, child } = await runExec({
    argv: [probe, "nothing"],
    policy: {
      ...policy,
      allowBinaries: allowBinaries.length === 0 ? [] : [...allowBinaries, probe],
      allowPaths: [],
      alsoAllowPaths: [],
      rules: [],
      readPaths: [...readPaths, probe],
      jevVerdict: false,
    },
    source,
    workspace,
    env,
    output: "capture",
    stdin: "ignore",
    signal,
  });
  const fine = verdict === "allow" && child?.exit_code === 0;
  return {
    root: workspace.root,
    setting,
    problem: fine ? undefined : reason.text,
    warnings,
    notEnforced: PROTECTIONS.flatMap((protection) => {
      const state = protections?.[protection];
      if (state === undefined || state.enforced) return [];
      return [{ protection, whyNot: state.why_not ?? "not enforced" }];
    }),
  };
}
