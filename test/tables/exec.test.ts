import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXIT } from "../../src/core/exit-codes.ts";
import { ROOT } from "../meta/sources.ts";
import { type ExecRow, readRows } from "./fixture.ts";
import { startJevStub } from "./jev-stub.ts";
import { type RowResult, runRow } from "./row-runner.ts";

/**
 * Rows whose end depends on whether there is a new root, and what they end with in the setting in which they do not
 * hold. A row that holds there has to leave this list.
 */
const BY_ROOT: Readonly<
  Record<string, { readonly cause: string; readonly newRoot: boolean; readonly end: RegExp }>
> = {
  "tool-093-ed": {
    cause: "ed writes to /tmp by that name, which is private only in a mount namespace",
    newRoot: false,
    end: /exit 1: Permission denied paldron: command exited 1/,
  },
  "tool-032-npm-pack": {
    cause: "npm would pack the secrets of the workspace, which are hidden",
    newRoot: true,
    end: /exit 1: npm error/,
  },
  "exe-130-prod-utime-env-noiso": {
    cause: "the secret was there before and is hidden: it cannot be written, so none is produced",
    newRoot: true,
    end: /exit 1: .*(?:Read-only file system|Permission denied)/,
  },
};

/** Whether runs get a new root here. */
function hasNewRoot(): boolean {
  const cwd = mkdtempSync(join(tmpdir(), "paldron-setting-"));
  const args = [join(ROOT, "bin/paldron"), "exec", "--format=json", "--", "true"];
  const { stdout } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  rmSync(cwd, { recursive: true });
  return /^(?:root-mounts|userns)/.test((JSON.parse(stdout) as { setting: string }).setting);
}

/** Rows that depend on who is faster, with the test that shows the same without a race. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "exe-289-concurrent-writer": "test/kernel/produced.test.ts: a secret that somebody else changes meanwhile",
};

/** Rows that were recorded as root, with what an ordinary user gets by design. */
const NOT_AS_ROOT: Readonly<Record<string, RegExp>> = {
  "exe-144-prod-unreadable-dir": /exit 2: .*paldron: deny: run left locked unreadable/,
};

/** Rows whose probe is compared; in the two exceptions what is left over is ours to choose. */
const PROBED = /^exe-1(?!46|63)/;
const REASON = /\((secret|policy deny_glob|outside workspace|outside allow_paths)\)\s*$/;
const TOOLS =
  /\b(ar|bc|cargo|cmake|curl|ed|file|gcc|gdb|git|go|java|javac|jq|make|ninja|node|npm|npx|patch|perl|pip|pytest|python3|rsync|rustc|script|sqlite3|strace|tmux|unzip|vim|zip)\b/g;

/** Tools that the row names and that are not here. */
function missingTools(row: ExecRow): readonly string[] {
  const path = String(row.env?.["PATH"] ?? process.env["PATH"]).replaceAll("$REALHOME", homedir());
  const folders = [...path.split(delimiter), "/usr/local/bin", "/usr/bin", "/bin"];
  const named = row.argv.slice(2).flatMap((word) => String(word).match(TOOLS) ?? []);
  const absent = named.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  const owned = row.argv.map(String).filter((word) => word.startsWith("$REALHOME/"));
  return [
    ...new Set([...absent, ...owned.filter((word) => !existsSync(word.replace("$REALHOME", homedir())))]),
  ];
}

/** What is wrong with the result; undefined when the row holds. */
function miss(row: ExecRow, result: RowResult): string | undefined {
  const { exit, stdout, stderr, probed } = result;
  const said = stderr.trim().split("\n").slice(-2).join(" ");
  if (exit !== row.want.exit) return `exit ${exit}: ${said} (want ${row.want.exit}: ${row.want.why})`;
  if (/\n {4}at .*node:/s.test(stderr) && row.argv[2] !== "node") return `stack trace: ${stderr}`;
  const recorded = row.want.same ? (row.stderr ?? "") : "";
  if (exit === EXIT.deny && !stderr.includes("paldron: deny:"))
    return `exit 2 without a deny line: ${stderr}`;
  if (exit === EXIT.deny) {
    const reason = REASON.exec(recorded)?.[1];
    if (reason !== undefined && !stderr.includes(`(${reason})`))
      return `want the reason (${reason}): ${stderr}`;
    for (const [, argument = ""] of recorded.matchAll(/argument '([^']*)'/g)) {
      if (!stderr.includes(argument)) return `want the argument ${argument}: ${stderr}`;
    }
  }
  if (exit !== EXIT.allow) return undefined;
  if (row.stdout?.startsWith("[STDOUT]") === true && stdout === "")
    return "no output, the recorded run had some";
  const after = row.want.same && PROBED.test(row.id) ? row.after : undefined;
  if (typeof after === "string" && probed?.trim() !== after.trim()) return `afterwards: ${probed}`;
  return undefined;
}

const isRoot = process.getuid?.() === 0;
const confines = spawnSync("sh", ["-c", "[ -e /proc/sys/kernel/seccomp ]"]).status === 0;

describe.concurrent.each(["exec.jsonl", "tools.jsonl"])("recorded behaviours: %s", (file) => {
  let stub: Awaited<ReturnType<typeof startJevStub>>;
  let newRoot: boolean;
  beforeAll(async () => {
    newRoot = confines && hasNewRoot();
    stub = await startJevStub();
  });
  afterAll(() => stub.stop());

  const rows = readRows<ExecRow>(file).filter((row) => row.want.exit !== null && !(row.id in ELSEWHERE));
  it("there are rows to try", () => expect(rows.length).toBeGreaterThan(70));
  it.for(rows)("$id", async (row, context) => {
    if (!confines) return context.skip("this system has no seccomp filters");
    if (row.runas !== undefined && !isRoot) return context.skip("only root can run it as another user");
    const missing = missingTools(row);
    if (missing.length > 0) return context.skip(`${missing.join(", ")} is not installed`);
    const found = miss(row, await runRow(row, stub.port));
    const listed = BY_ROOT[row.id];
    const waiting = listed?.newRoot === newRoot ? listed : undefined;
    const asUser = isRoot ? undefined : NOT_AS_ROOT[row.id];
    if (asUser !== undefined) expect(found).toMatch(asUser);
    else if (waiting === undefined) expect(found).toBeUndefined();
    else expect(found ?? `${row.id} passes: take it off the list (${waiting.cause})`).toMatch(waiting.end);
  });
});

it("only rows that exist wait or are elsewhere", () => {
  const ids = new Set(
    ["exec.jsonl", "tools.jsonl"].flatMap((file) => readRows<ExecRow>(file).map((row) => row.id)),
  );
  expect([BY_ROOT, ELSEWHERE, NOT_AS_ROOT].flatMap(Object.keys).filter((id) => !ids.has(id))).toEqual([]);
});
