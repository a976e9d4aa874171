import { describe, expect, test } from "vitest";
import type { ExecResult } from "../../../src/app/exec-types.ts";
import { execExitCode, execJson, execMessages, execReport } from "../../../src/cli/exec-render.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (data: Uint8Array): string => new TextDecoder().decode(data);

function result(part: Partial<ExecResult>): ExecResult {
  return {
    verdict: "allow",
    reason: { code: "allow", text: "allow" },
    lines: [],
    child: { exit_code: 0, signal: null, timed_out: false },
    signalNumber: undefined,
    protections: undefined,
    setting: undefined,
    produced: [],
    findings: [],
    warnings: [],
    stdout: bytes(""),
    stderr: bytes(""),
    stdoutBytes: 0,
    stderrBytes: 0,
    withheld: { stdout: 0, stderr: 0 },
    outputShown: true,
    leftovers: 0,
    startedAt: new Date(0),
    durationMs: 1,
    ...part,
  };
}

const CHILD_7 = { exit_code: 7, signal: null, timed_out: false };
const KILLED = { exit_code: null, signal: "SIGKILL", timed_out: false };

describe("exit codes", () => {
  test.each([
    ["allowed", result({}), 0, 0],
    ["allowed, failed", result({ child: CHILD_7, lines: ["command exited 7"] }), 1, 7],
    ["allowed, killed", result({ child: KILLED, signalNumber: 9 }), 1, 137],
    ["killed by an unknown signal", result({ child: KILLED }), 1, 125],
    ["denied before", result({ verdict: "deny", child: undefined }), 2, 126],
    ["denied after a success", result({ verdict: "deny" }), 2, 126],
    ["denied after a failure", result({ verdict: "deny", child: CHILD_7 }), 2, 126],
    ["broken before", result({ verdict: "broken", child: undefined }), 1, 125],
    ["broken after exit 0", result({ verdict: "broken" }), 1, 125],
    ["nothing ran though allowed", result({ child: undefined }), 1, 125],
  ])("%s", (_, run, verdict, child) => {
    expect(execExitCode(run, "verdict")).toBe(verdict);
    expect(execExitCode(run, "child")).toBe(child);
  });
});

test("every line of a deny is said, whatever the exit mode", () => {
  const denied = result({
    verdict: "deny",
    lines: ["run produced .env (secret)", "run produced a.pem (secret)"],
  });
  const said = ["deny: run produced .env (secret)", "deny: run produced a.pem (secret)"];
  expect(execMessages(denied, "verdict")).toEqual(said);
  expect(execMessages(denied, "child")).toEqual(said);
});

test("a failed command is named unless its status is passed on", () => {
  const failed = result({ child: CHILD_7, lines: ["command exited 7"] });
  expect(execMessages(failed, "verdict")).toEqual(["command exited 7"]);
  expect(execMessages(failed, "child")).toEqual([]);
});

describe("report", () => {
  test("sections that are not empty", () => {
    const run = result({ stdout: bytes("src\n"), stdoutBytes: 4 });
    expect(text(execReport(run))).toBe("[STDOUT]\nsrc\n\n[EXIT CODE] 0 (success)\n");
  });
  test("a timeout with what was printed", () => {
    const child = { exit_code: null, signal: "SIGKILL", timed_out: true };
    const run = result({ verdict: "broken", child, stderr: bytes("x"), stderrBytes: 1 });
    expect(text(execReport(run))).toBe(
      "[TIMEOUT] Command killed after exceeding time limit\n[STDERR]\nx\n[EXIT CODE] -1\n",
    );
  });
  test("a cut stream says so", () => {
    const run = result({ child: CHILD_7, stdout: bytes("ab"), stdoutBytes: 3 });
    expect(text(execReport(run))).toBe(
      "[STDOUT]\nab\n\n[TRUNCATED: output exceeded 2 bytes]\n[EXIT CODE] 7\n",
    );
  });
  test("output that is held back stays out", () => {
    const run = result({ verdict: "deny", stdout: bytes("secret"), stdoutBytes: 6, outputShown: false });
    expect(text(execReport(run))).toBe("[EXIT CODE] 0 (success)\n");
    expect(JSON.stringify(execJson(run, { receipt: 1 }))).toBe('{"receipt":1}');
  });
  test("nothing ran", () => {
    const reason = { code: "isolation", text: "no landlock" };
    expect(text(execReport(result({ verdict: "broken", child: undefined, reason })))).toBe(
      "[SANDBOX ERROR] no landlock\n",
    );
    expect(text(execReport(result({ verdict: "deny", child: undefined })))).toBe("");
  });
});

test("json holds the output with every byte", () => {
  const run = result({ stdout: Uint8Array.of(0x61, 0xff), stdoutBytes: 2 });
  expect(execJson(run, { receipt: 1 })).toEqual({
    receipt: 1,
    stdout: "a\udcff",
    stdout_truncated: false,
    stderr: "",
    stderr_truncated: false,
  });
});
