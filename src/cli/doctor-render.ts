import type {
  CompatRow,
  DoctorReport,
  DoctorRow,
  RowResult,
  SettingRow,
  Tried,
  WorkspaceReport,
} from "../app/doctor-types.ts";
import { VERSION } from "../core/version.ts";
import { visible } from "./escape.ts";
import { table } from "./table.ts";

const RESULTS: Readonly<Record<RowResult, string>> = {
  held: "ok",
  missing: "not enforced",
  open: "OPEN",
  broken: "broken",
  untried: "not tried",
};

function protectionCells(row: DoctorRow): readonly string[] {
  const required = row.required ? "*" : "";
  return [`${row.protection}${required}`, row.by ?? "nothing", tally(row.tried), RESULTS[row.result]];
}

/** How the attempts ended, in short. */
function tally(tried: readonly Tried[]): string {
  // What cannot be done here anyway says nothing; what got through may have kept the control from doing it again.
  const forbidden = tried.filter(
    ({ kind, inside, outside }) => kind === "forbidden" && (outside === "ok" || inside === "ok"),
  );
  const refused = forbidden.filter(({ inside }) => inside !== "ok" && inside !== "broken");
  const allowed = tried.filter(({ kind }) => kind === "allowed");
  const worked = allowed.filter(({ inside }) => inside === "ok");
  const parts = [
    ...(forbidden.length === 0 ? [] : [`${refused.length} of ${forbidden.length} refused`]),
    ...(allowed.length === 0 ? [] : [`${worked.length} of ${allowed.length} allowed`]),
  ];
  return parts.length === 0 ? "not tried" : parts.join(", ");
}

/** What there is to say about a row beside its cells. */
function remarks(row: DoctorRow): readonly string[] {
  const parts = [row.whyNot, row.note].filter((part) => part !== undefined);
  if (parts.length === 0) return [];
  const remedy = row.remedy === undefined ? "" : `; remedy: ${row.remedy}`;
  return [`${row.protection}: ${parts.join("; ")}${remedy}`];
}

function settingCells({ setting, works, used, failure, cause }: SettingRow): readonly string[] {
  const state = used ? "used" : works ? "works" : "does not work";
  const why = [failure, cause].filter((part) => part !== undefined);
  return [setting, state, ...(why.length === 0 ? [] : [why.join(": ")])];
}

/** The report as a person reads it. */
export function doctorText(report: DoctorReport): string {
  const { rows, settings, problems } = report;
  const user = report.uid === undefined ? "" : `, uid ${report.uid}`;
  const lines = [
    `paldron ${VERSION}, Linux ${report.release} ${report.arch}${user}; a run is confined by: ${report.setting ?? "nothing"}`,
    "",
    ...table([["protection", "enforced by", "tried", "result"], ...rows.map(protectionCells)]),
    "* required by the policy",
    ...section("remarks", rows.flatMap(remarks)),
    ...(settings.length === 0
      ? []
      : ["", "settings:", ...table(settings.map(settingCells)).map((line) => `  ${line}`)]),
    ...section(
      "remedies",
      settings.flatMap(({ setting, remedy }) => (remedy === undefined ? [] : [`${setting}: ${remedy}`])),
    ),
    ...(report.workspace === undefined ? [] : workspaceLines(report.workspace)),
    ...(report.checks === undefined ? [] : checkLines(report.checks)),
    ...section(
      "programs under confine_binaries = true",
      report.programs.map(({ what, why, remedy }) => `${what} ${why}; remedy: ${remedy}`),
    ),
    ...section(
      "problems",
      problems.map(({ cause, remedy }) => `${cause}; remedy: ${remedy}`),
    ),
    "",
    conclusion(report),
  ];
  return `${lines.map(visible).join("\n")}\n`;
}

function workspaceLines(workspace: WorkspaceReport): readonly string[] {
  const { root, setting, problem, warnings, notEnforced } = workspace;
  return section(`workspace ${root}`, [
    problem === undefined
      ? `a run is confined by: ${setting ?? "nothing"}`
      : `nothing can be run: ${problem}`,
    ...warnings.map((warning) => `warning: ${warning}`),
    ...notEnforced.map(({ protection, whyNot }) => `not enforced: ${protection} (${whyNot})`),
  ]);
}

const CHECK_RESULTS: Readonly<Record<CompatRow["result"], string>> = {
  works: "works",
  denied: "DENIED by the policy",
  fails: "FAILS",
  broken: "BROKEN",
  "fails-anyway": "fails without paldron too",
  absent: "not tried (not installed)",
};

function checkLines(checks: readonly CompatRow[]): readonly string[] {
  const tried = checks.filter(({ result }) => result !== "absent" && result !== "fails-anyway");
  const works = tried.filter(({ result }) => result === "works");
  const cells = checks.map(({ name, result, detail }) => [
    name,
    CHECK_RESULTS[result],
    ...(detail === undefined ? [] : [detail]),
  ]);
  return section(`tools under this policy: ${works.length} of ${tried.length} work`, table(cells));
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...lines.map((line) => `  ${line}`)];
}

function conclusion({ ok, rows, workspace }: DoctorReport): string {
  if (ok) return "everything that the policy requires is enforced";
  const open = rows.filter(({ result }) => result === "open").map(({ protection }) => protection);
  if (open.length > 0) return `claimed and not held: ${open.join(", ")}`;
  if (workspace?.problem !== undefined) return "nothing can be run in the workspace";
  const missing = rows.filter(({ required, result }) => required && result !== "held");
  return `required and not shown to hold: ${missing.map(({ protection }) => protection).join(", ")}`;
}

/** The report for programs (docs/doctor.md). */
export function doctorJson(report: DoctorReport): Record<string, unknown> {
  return {
    paldron: VERSION,
    release: report.release,
    arch: report.arch,
    uid: report.uid ?? null,
    setting: report.setting ?? null,
    ok: report.ok,
    protections: Object.fromEntries(report.rows.map((row) => [row.protection, rowJson(row)])),
    settings: report.settings.map((row) => ({
      setting: row.setting,
      works: row.works,
      used: row.used,
      failure: row.failure ?? null,
      cause: row.cause ?? null,
      remedy: row.remedy ?? null,
    })),
    programs: report.programs,
    problems: report.problems,
    ...(report.workspace && { workspace: workspaceJson(report.workspace) }),
    ...(report.checks && {
      checks: report.checks.map((check) => ({ ...check, detail: check.detail ?? null })),
    }),
  };
}

function workspaceJson({ root, setting, problem, warnings, notEnforced }: WorkspaceReport): unknown {
  return {
    root,
    setting: setting ?? null,
    problem: problem ?? null,
    warnings,
    not_enforced: notEnforced.map(({ protection, whyNot }) => ({ protection, why_not: whyNot })),
  };
}

function rowJson(row: DoctorRow): Record<string, unknown> {
  return {
    required: row.required,
    enforced: row.enforced,
    by: row.by ?? null,
    why_not: row.whyNot ?? null,
    how: row.how,
    tried: row.tried.map(({ name, kind, inside, outside }) => ({
      name,
      kind,
      inside,
      outside: outside ?? null,
    })),
    result: row.result,
    note: row.note ?? null,
    remedy: row.remedy ?? null,
  };
}
