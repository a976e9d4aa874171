import type { ProtectionTable } from "../core/protection.ts";
import type { RunSetting } from "./exec-types.ts";

export interface Gaps {
  readonly requireOsIsolation: boolean;
  readonly setting: RunSetting;
  readonly protections: ProtectionTable;
  /** Files that the command should not be able to read, relative to the workspace. */
  readonly secrets: readonly string[];
  /** Files that something runs later, relative to the workspace. */
  readonly later: readonly string[];
}

/** What runs although something is missing is said before it runs, every time. */
export function gapWarnings(gaps: Gaps): readonly string[] {
  const { requireOsIsolation, setting, protections, secrets, later } = gaps;
  const warnings: string[] = [];
  if (!requireOsIsolation) warnings.push(withoutIsolation(setting));
  if (!protections["secrets-read"].enforced && secrets.length > 0) {
    const known = setting === "none" ? undefined : protections["secrets-read"].why_not;
    warnings.push(readableSecrets(secrets, known));
  }
  if (!protections["later-exec"].enforced && later.length > 0) warnings.push(changeable(later));
  return warnings;
}

function withoutIsolation(setting: RunSetting): string {
  if (setting === "none") {
    return "running without OS isolation (policy gate and output scan only, no kernel boundary)";
  }
  return "the policy does not require OS isolation; this machine has it, and it is used";
}

function readableSecrets(
  secrets: readonly string[],
  why = "nothing hides files without OS isolation",
): string {
  return `the command can read ${some(secrets)}: ${why} (require = ["secrets-read"] refuses instead)`;
}

function changeable(later: readonly string[]): string {
  return `the command can change ${some(later)} while it runs; what may run something later is undone after it (require = ["later-exec"] refuses instead)`;
}

function some(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(", ");
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown;
}
