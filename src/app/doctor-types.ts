import type { Protection } from "../core/protection.ts";
import type { Cause } from "../plan/causes.ts";
import type { RunSetting } from "./exec-types.ts";
import type { ProgramGap } from "./program-gaps.ts";

/**
 * `held`: every attempt that works outside of a run was refused in it, and what is allowed worked. `missing`: not
 * enforced, and nothing else is claimed. `open`: claimed, and an attempt got through. `broken`: the attempts could not
 * be made or the allowed ones failed. `untried`: there is nothing here to try it on.
 */
export type RowResult = "held" | "missing" | "open" | "broken" | "untried";

/** One attempt. Outcomes are `ok`, `no effect`, `refused`, the name of an errno or of a signal, or `broken`. */
export interface Tried {
  readonly name: string;
  readonly kind: "forbidden" | "allowed";
  readonly inside: string;
  /** The same without a run around it; undefined where that was not tried. */
  readonly outside: string | undefined;
}

/** One protection, as it was found. */
export interface DoctorRow {
  readonly protection: Protection;
  /** By the policy, or by its default. */
  readonly required: boolean;
  readonly enforced: boolean;
  readonly by: string | undefined;
  readonly whyNot: string | undefined;
  /** What was tried, in words. */
  readonly how: string;
  readonly tried: readonly Tried[];
  readonly result: RowResult;
  /** What is to be known about the result beside it. */
  readonly note: string | undefined;
  readonly remedy: string | undefined;
}

/** One setting, as it was found. */
export interface SettingRow extends Partial<Cause> {
  readonly setting: RunSetting;
  readonly works: boolean;
  /** What a run here uses. */
  readonly used: boolean;
  /** Where it broke off. */
  readonly failure?: string;
}

/** One thing that an ordinary tool does, under the policy in a scratch workspace. */
export interface CompatRow {
  readonly name: string;
  readonly needs: string;
  /** `fails-anyway`: without Paldron too. `absent`: the tool is not installed. */
  readonly result: "works" | "denied" | "fails" | "broken" | "fails-anyway" | "absent";
  readonly detail: string | undefined;
}

/** What a run that does nothing met in the workspace itself. */
export interface WorkspaceReport {
  readonly root: string;
  readonly setting: RunSetting | undefined;
  /** Why nothing could be run there; undefined where it could. */
  readonly problem: string | undefined;
  readonly warnings: readonly string[];
  readonly notEnforced: readonly { readonly protection: Protection; readonly whyNot: string }[];
}

export interface DoctorReport {
  readonly release: string;
  readonly arch: string;
  readonly uid: number | undefined;
  /** What a run uses here; undefined where none could be made. */
  readonly setting: RunSetting | undefined;
  readonly rows: readonly DoctorRow[];
  readonly settings: readonly SettingRow[];
  /** What `confine_binaries` breaks, where the policy sets it. */
  readonly programs: readonly ProgramGap[];
  /** What keeps Paldron from working at all, or from trying. */
  readonly problems: readonly Cause[];
  /** With `--workspace` only. */
  readonly workspace?: WorkspaceReport;
  readonly checks?: readonly CompatRow[];
  /** Everything that the policy requires is enforced, and nothing that is claimed is open. */
  readonly ok: boolean;
}
