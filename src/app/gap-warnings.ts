import type { ProtectionTable } from "../core/protection.ts";
import type { RunSetting } from "./exec-types.ts";

export interface Gaps {
  readonly requireOsIsolation: boolean;
  readonly setting: RunSetting;
  readonly protections: ProtectionTable;
  /** Files that the command should not be able to read, relative to the workspace. */
  readonly secrets: readonly string[];
}

/** What runs although something is missing is said before it runs, every time. */
export function gapWarnings({ requireOsIsolation, setting, protections, secrets }: Gaps): readonly string[] {
  const warnings: string[] = [];
  if (!requireOsIsolation) warnings.push(withoutIsolation(setting));
  if (!protections["secrets-read"].enforced && secrets.length > 0) {
    const known = setting === "none" ? undefined : protections["secrets-read"].why_not;
    warnings.push(readableSecrets(secrets, known));
  }
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
  const shown = secrets.slice(0, 3).join(", ");
  const more = secrets.length > 3 ? ` and ${secrets.length - 3} more` : "";
  return `the command can read ${shown}${more}: ${why} (require = ["secrets-read"] refuses instead)`;
}
