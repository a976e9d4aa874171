import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshFolder, paldron, shell } from "./paldron.ts";

let folder: ReturnType<typeof freshFolder>;
let cwd: string;
beforeAll(() => {
  folder = freshFolder();
  cwd = join(folder.path, "ws");
  mkdirSync(join(cwd, "src"), { recursive: true });
  writeFileSync(join(folder.path, "deny.toml"), 'deny_globs = ["src/**"]\n');
});
afterAll(() => folder.remove());

const ARGS = '{"p": "src/a.txt"}';

describe("the decision", () => {
  test("allow is one line on stdout", () => {
    expect(paldron(["check", "--", "mytool", ARGS], { cwd })).toEqual({
      exit: 0,
      stdout: "paldron: allow mytool\n",
      stderr: "",
    });
  });
  test("deny is one line on stderr", () => {
    expect(paldron(["check", "--policy=../deny.toml", "--", "mytool", ARGS], { cwd })).toEqual({
      exit: 2,
      stdout: "",
      stderr: "paldron: deny: src/a.txt (policy deny_glob)\n",
    });
  });
  test("without arguments the tool has none", () => {
    expect(paldron(["check", "--", "mytool"], { cwd })).toMatchObject({ exit: 0 });
    expect(paldron(["check", "--", "read_file"], { cwd })).toMatchObject({ exit: 2 });
  });
});

describe("--json", () => {
  test("allow", () => {
    const run = paldron(["check", "--json", "--", "mytool", ARGS], { cwd });
    expect(run).toMatchObject({ exit: 0, stderr: "" });
    expect(Object.keys(JSON.parse(run.stdout))).toEqual(["decision", "rule", "code", "reason", "what"]);
    expect(JSON.parse(run.stdout)).toMatchObject({ decision: "allow" });
  });
  test("deny, which is said on stderr too", () => {
    const run = paldron(["check", "--json", "--policy", "../deny.toml", "--", "mytool", ARGS], { cwd });
    expect(run).toMatchObject({ exit: 2, stderr: "paldron: deny: src/a.txt (policy deny_glob)\n" });
    expect(JSON.parse(run.stdout)).toMatchObject({
      decision: "deny",
      rule: "deny_globs[0]",
      reason: "policy deny_glob",
      what: "src/a.txt",
    });
  });
  test("hostile text is spelled out", () => {
    const args = JSON.stringify({ p: "/x/\u001b[31m\u202e" });
    const run = paldron(["check", "--json", "--", "mytool", args], { cwd });
    expect(run.exit).toBe(2);
    expect(JSON.parse(run.stdout).what).toBe("/x/\\u{1b}[31m\\u{202e}");
    expect(run.stdout + run.stderr).not.toMatch(/[^\P{C}\n]/u);
  });
});

describe("which policy", () => {
  const env = { PALDRON_POLICY: "../deny.toml" };
  test("the environment's", () =>
    expect(paldron(["check", "--", "t", ARGS], { cwd, env })).toMatchObject({ exit: 2 }));
  test("the option wins", () => {
    writeFileSync(join(folder.path, "empty.toml"), "");
    expect(paldron(["check", "--policy=../empty.toml", "--", "t", ARGS], { cwd, env })).toMatchObject({
      exit: 0,
    });
  });
  test("an empty name is a mistake", () => {
    expect(paldron(["check", "--", "t", ARGS], { cwd, env: { PALDRON_POLICY: "" } })).toMatchObject({
      exit: 1,
      stderr: "paldron: PALDRON_POLICY is set but empty\n",
    });
  });
  test("a missing file is broken", () => {
    expect(paldron(["check", "--policy=none.toml", "--", "t", ARGS], { cwd })).toMatchObject({
      exit: 1,
      stdout: "",
    });
  });
});

describe("--workspace", () => {
  const args = (): string[] => [
    "check",
    "--workspace",
    cwd,
    "--",
    "read_file",
    JSON.stringify({ path: join(cwd, "src/a") }),
  ];
  test("judges in the folder that is named", () =>
    expect(paldron(args(), { cwd: folder.path })).toMatchObject({ exit: 0 }));
  test("and not elsewhere", () => {
    const elsewhere = join(cwd, "src");
    expect(paldron(["check", "--", ...args().slice(-2)], { cwd: elsewhere })).toMatchObject({ exit: 0 });
    const outside = JSON.stringify({ path: join(folder.path, "deny.toml") });
    expect(paldron(["check", "--workspace", cwd, "--", "read_file", outside], { cwd })).toMatchObject({
      exit: 2,
    });
  });
  test("must be a folder", () => {
    expect(paldron(["check", "--workspace=none", "--", "t"], { cwd })).toMatchObject({ exit: 1, stdout: "" });
  });
});

describe("mistakes are broken", () => {
  test.each([
    [["check"]],
    [["check", "--", "t", "{"]],
    [["check", "--", "t", "[]"]],
    [["check", "--", "t", "{}", "x"]],
  ])("%j", (args) => expect(paldron(args, { cwd })).toMatchObject({ exit: 1, stdout: "" }));
  test("a full disk under an allow", () => {
    expect(shell('"$@" >/dev/full', ["check", "--", "t"], { cwd })).toMatchObject({ exit: 1 });
  });
});
