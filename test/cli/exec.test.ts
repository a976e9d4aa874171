import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freshFolder, paldron, type Ran, shell } from "./paldron.ts";

let folder: ReturnType<typeof freshFolder>;
let cwd: string;
beforeEach(() => {
  folder = freshFolder();
  cwd = join(folder.path, "ws");
  mkdirSync(cwd);
});
afterEach(() => folder.remove());

const exec = (...args: string[]): Ran => paldron(["exec", ...args], { cwd });
const SH = ["--", "sh", "-c"] as const;

describe("exit codes", () => {
  test.each([
    ["success", ["true"], 0, 0],
    ["failure", ["false"], 1, 1],
    ["status 7", ["sh", "-c", "exit 7"], 1, 7],
    ["a signal", ["sh", "-c", "kill -KILL $$"], 1, 137],
    ["a denied path", ["cat", "/etc/shadow"], 2, 126],
    ["a produced secret", ["sh", "-c", "echo x > .env"], 2, 126],
    ["a program that is not there", ["no-such-program"], 1, 125],
  ])("%s", (_, argv, verdict, child) => {
    expect(exec("--", ...argv).exit).toBe(verdict);
    expect(exec("--exit=child", "--", ...argv).exit).toBe(child);
  });
  test.each([
    ["usage", ["--exit=child", "--polciy=x", "--", "true"]],
    ["policy", ["--exit", "child", "--policy=none.toml", "--", "true"]],
    ["no command", ["--exit=child", "--"]],
  ])("--exit=child: broken by %s is 125", (_, args) => expect(exec(...args).exit).toBe(125));
  test("--exit=child in the command is not ours", () =>
    expect(exec("--", "no-such-program", "--exit=child").exit).toBe(1));
});

describe("messages", () => {
  test("a failed command is named, unless its status is passed on", () => {
    expect(exec(...SH, "exit 7").stderr).toContain("paldron: command exited 7\n");
    expect(exec("--exit=child", ...SH, "exit 7").stderr).not.toContain("command exited");
  });
  test("every produced secret is named", () => {
    const { stderr } = exec(...SH, "echo x > .env; mkdir d; echo x > d/.env");
    expect(stderr).toContain("paldron: deny: run produced .env (secret)\n");
    expect(stderr).toContain("paldron: deny: run produced d/.env (secret)\n");
  });
});

describe("formats", () => {
  const SCRIPT = "echo out; echo err >&2";
  test("stream: each byte where it belongs", () => {
    const run = exec(...SH, SCRIPT);
    expect(run).toMatchObject({ exit: 0, stdout: "out\n" });
    expect(run.stderr).toContain("err\n");
  });
  test("report", () => {
    expect(exec("--format=report", ...SH, SCRIPT).stdout).toBe(
      "[STDOUT]\nout\n\n[STDERR]\nerr\n\n[EXIT CODE] 0 (success)\n",
    );
  });
  test("json", () => {
    const run = exec("--format=json", ...SH, `${SCRIPT}; exit 3`);
    expect(run.exit).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      verdict: "allow",
      reason: { code: "command_failed" },
      child: { exit_code: 3, signal: null, timed_out: false },
      stdout: "out\n",
      stderr: "err\n",
      stdout_truncated: false,
    });
  });
});

describe("the receipt", () => {
  const receipt = (): Record<string, unknown> => JSON.parse(readFileSync(join(cwd, "r.json"), "utf8"));
  test("of a run", () => {
    expect(exec("--receipt=r.json", "--", "true").exit).toBe(0);
    expect(receipt()).toMatchObject({ receipt: 1, argv: ["true"], workspace: cwd, verdict: "allow" });
    expect(readdirSync(cwd)).toEqual(["r.json"]);
  });
  test("of a deny before anything ran", () => {
    expect(exec("--receipt=r.json", "--", "cat", "/etc/shadow").exit).toBe(2);
    expect(receipt()).toMatchObject({ verdict: "deny", child: null, protections: null });
  });
  test("cannot be forged by the run", () => {
    expect(exec("--receipt=r.json", ...SH, "echo '{}' > r.json; ln -s r.json x").exit).toBe(0);
    expect(receipt()).toMatchObject({ verdict: "allow" });
  });
  test("that the run kept from being written hides no verdict", () => {
    const run = exec("--receipt=r.json", ...SH, "mkdir r.json; echo x > .env");
    expect(run.exit).toBe(1);
    expect(run.stderr).toMatch(/^paldron: deny: run produced \.env \(secret\)\npaldron: receipt r\.json: /m);
  });
  test("is not written through a link that was left there", () => {
    writeFileSync(join(folder.path, "victim"), "precious");
    symlinkSync("../victim", join(cwd, "r.json"));
    expect(exec("--receipt=r.json", "--", "touch", "ran")).toMatchObject({ exit: 1, stdout: "" });
    expect(readFileSync(join(folder.path, "victim"), "utf8")).toBe("precious");
    expect(readdirSync(cwd)).toEqual(["r.json"]);
  });
});

describe("the command's own words", () => {
  test("later -- are the command's", () =>
    expect(exec("--", "printf", "%s,", "--", "x").stdout).toBe("--,x,"));
  test("without -- its first word ends our options", () =>
    expect(exec("printf", "%s,", "-n").stdout).toBe("-n,"));
  test("one of our options after it is refused", () => {
    expect(exec("echo", "--policy", "x")).toMatchObject({ exit: 1, stdout: "" });
  });
  test("bytes that are not UTF-8 arrive as they are", () => {
    const run = shell(`"$@" "$(printf 'a\\377b')" | od -An -tx1`, ["exec", "--", "printf", "%s"], { cwd });
    expect(run.stdout.trim()).toBe("61 ff 62");
  });
  test("stdin is passed on", () => {
    expect(shell('echo hello | "$@"', ["exec", "--", "cat"], { cwd }).stdout).toBe("hello\n");
  });
});

describe("where the output goes", () => {
  test("a full disk is an error", () => {
    expect(shell('"$@" >/dev/full', ["exec", "--", "echo", "hi"], { cwd }).exit).toBe(1);
  });
  test("a reader that is gone ends the command as it would without us", () => {
    const run = shell('"$@" | head -n 1', ["exec", "--", "yes"], { cwd });
    expect(run.stdout).toBe("y\n");
  });
});

test("a signal to paldron ends the command and the run", () => {
  const script =
    '"$@" & pid=$!; while [ ! -e started ]; do sleep 0.1; done; kill -TERM $pid; wait $pid; echo "exit $?"';
  const started = Date.now();
  expect(shell(script, ["exec", "--", "sh", "-c", "touch started; exec sleep 60"], { cwd }).stdout).toBe(
    "exit 1\n",
  );
  expect(Date.now() - started).toBeLessThan(20_000);
});
