import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROTECTIONS } from "../../src/core/protection.ts";
import { freshFolder, paldron, type Ran } from "./paldron.ts";

const folder = freshFolder();
afterAll(() => folder.remove());

describe("a report", () => {
  let text: Ran;
  let json: Ran;
  beforeAll(() => {
    text = paldron(["doctor"], { cwd: folder.path, env: { TMPDIR: folder.path } });
    json = paldron(["doctor", "--json"], { cwd: folder.path, env: { TMPDIR: folder.path } });
  });
  test("has a line for every protection, for people", () => {
    expect(text.stderr).toBe("");
    for (const name of PROTECTIONS) expect(text.stdout).toMatch(new RegExp(`^${name}\\*? `, "m"));
    expect(text.stdout).toMatch(/^protection +enforced by +tried +result$/m);
    expect(text.stdout).toMatch(/^settings:$/m);
  });
  test("and for programs, of the same protections", () => {
    const report = JSON.parse(json.stdout);
    expect(Object.keys(report.protections)).toEqual([...PROTECTIONS]);
    expect(report.settings.filter(({ used }: { used: boolean }) => used)).toHaveLength(1);
  });
  test("its exit code is what it says", () => {
    expect(json.exit).toBe(JSON.parse(json.stdout).ok ? 0 : 1);
    expect(text.exit).toBe(json.exit);
  });
  test("leaves nothing behind", () => {
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe("ordinary tools under a policy", () => {
  interface Check {
    readonly name: string;
    readonly result: string;
    readonly detail: string | null;
  }
  const place = freshFolder();
  const temporary = freshFolder();
  afterAll(() => {
    place.remove();
    temporary.remove();
  });
  let checks: readonly Check[];
  let report: { workspace: { root: string; problem: string | null }; ok: boolean };
  beforeAll(() => {
    writeFileSync(
      join(place.path, "policy.toml"),
      'allow_binaries = ["git", "sed"]\nallow_paths = ["src"]\n',
    );
    const run = paldron(["doctor", "--policy=policy.toml", "--json", "--workspace"], {
      cwd: place.path,
      env: { TMPDIR: temporary.path },
    });
    report = JSON.parse(run.stdout);
    checks = JSON.parse(run.stdout).checks;
  });
  test.each(["git commit", "git worktree", "sed in place"])("%s works", (name) => {
    expect(checks.find((check) => check.name === name)).toMatchObject({ result: "works", detail: null });
  });
  test.each(["node, worker threads", "chmod"])("%s is denied, with the reason", (name) => {
    const check = checks.find((each) => each.name === name);
    expect(check?.result).toBe("denied");
    expect(check?.detail).toContain("allow_binaries");
  });
  test("the workspace itself is looked at, and the exit code is not about tools", () => {
    expect(report.workspace).toMatchObject({ root: place.path, problem: null });
    expect(report.ok).toBe(true);
  });
  test("nothing is left behind", () => {
    expect(readdirSync(place.path)).toEqual(["policy.toml"]);
    expect(readdirSync(temporary.path)).toEqual([]);
  });
});

describe("never 2, and nothing on stdout", () => {
  test.each([
    ["a policy that is none", ["doctor", "--policy=bad.toml"], "key `nonsense` is not known"],
    ["a policy that is not there", ["doctor", "--policy=absent.toml"], "not found"],
    ["a workspace that is not there", ["doctor", "--workspace=absent"], "workspace"],
    ["a workspace without a name", ["doctor", "--workspace="], "--workspace needs a folder"],
    ["an operand", ["doctor", "all"], "unexpected argument 'all'"],
    ["an unknown option", ["doctor", "--verbose"], "unknown option '--verbose'"],
  ])("%s", (_, args, message) => {
    const place = freshFolder();
    writeFileSync(join(place.path, "bad.toml"), "nonsense = 1\n");
    const run = paldron(args, { cwd: place.path });
    place.remove();
    expect(run).toMatchObject({ exit: 1, stdout: "" });
    expect(run.stderr).toContain(message);
  });
});
