import { PaldronError } from "../core/errors.ts";
import { LaunchFailure } from "../host/launch-failure.ts";
import { type HostSigns, landlockCause, settingCause } from "../plan/causes.ts";
import { firstSetting } from "../plan/settings.ts";
import type { HostFacts, Setting } from "../plan/types.ts";
import type { SettingRow } from "./doctor-types.ts";
import type { RunExecOptions, RunSetting } from "./exec-types.ts";
import { runConfined } from "./run-confined.ts";

export interface SettingsInput {
  /** A run that does nothing. */
  readonly options: RunExecOptions;
  /** What a run uses here, which needs no further trial. */
  readonly used: RunSetting | undefined;
  readonly facts: HostFacts;
  readonly signs: HostSigns;
}

/** The strongest first; what stands in for one where /proc cannot be mounted comes after it. */
const ORDER = ["root-mounts", "userns", "landlock-broker", "landlock"] as const satisfies readonly Setting[];
const WITHOUT_PID = { "root-mounts": "root-mounts-no-pid", userns: "userns-no-pid" } as const;

/** Which settings work here, each tried by a run, and why the others do not. */
export async function trySettings(input: SettingsInput): Promise<readonly SettingRow[]> {
  const rows: SettingRow[] = [];
  for (const setting of ORDER) {
    const { row, stage } = await trySetting(setting, input);
    rows.push(row);
    if (stage === "proc" && (setting === "root-mounts" || setting === "userns")) {
      rows.push((await trySetting(WITHOUT_PID[setting], input)).row);
    }
  }
  return rows;
}

interface Trial {
  readonly row: SettingRow;
  readonly stage?: string;
}

async function trySetting(setting: Setting, input: SettingsInput): Promise<Trial> {
  const { used, facts, signs, options } = input;
  if (setting === used) return { row: { setting, works: true, used: true } };
  const none = landlockCause(facts, signs);
  if (none !== undefined) return { row: { setting, works: false, used: false, ...none } };
  if (setting.startsWith("root-mounts") && firstSetting(facts) !== "root-mounts")
    return { row: notRoot(setting) };
  try {
    await runConfined({ ...options, only: setting }, () => undefined);
    return { row: { setting, works: true, used: false } };
  } catch (error) {
    if (!(error instanceof PaldronError)) throw error;
    return failed(setting, error, signs);
  }
}

function notRoot(setting: Setting): SettingRow {
  const remedy = "none is needed where `userns` works: it enforces the same";
  return { setting, works: false, used: false, cause: "paldron does not have CAP_SYS_ADMIN", remedy };
}

function failed(setting: Setting, error: PaldronError, signs: HostSigns): Trial {
  const row = { setting, works: false, used: false };
  if (!(error instanceof LaunchFailure)) {
    return { row: { ...row, cause: error.message, remedy: "see the policy (docs/kernels.md)" } };
  }
  const { stage, errno, about } = error;
  return { row: { ...row, failure: about, ...settingCause({ setting, stage, errno, signs }) }, stage };
}
