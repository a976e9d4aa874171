import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { ROOT } from "../meta/sources.ts";
import { paldron, shell } from "./paldron.ts";

const VERSION = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;

describe("help is an answer", () => {
  test.each([["--help"], ["-h"], ["help"]])("paldron %s", (word) => {
    const run = paldron([word]);
    expect(run).toMatchObject({ exit: 0, stderr: "" });
    for (const name of Object.keys(COMMANDS)) expect(run.stdout).toContain(`paldron ${name}`);
  });
  test.each(Object.keys(COMMANDS))("paldron %s --help", (name) => {
    const run = paldron([name, "--help"]);
    expect(run).toMatchObject({ exit: 0, stderr: "" });
    expect(run.stdout).toContain(`usage:\n  paldron ${name}`);
    expect(paldron([name, "-h"]).stdout).toBe(run.stdout);
    expect(paldron(["help", name]).stdout).toBe(run.stdout);
  });
});

test("no arguments: the usage, on stderr, exit 1", () => {
  const run = paldron([]);
  expect(run).toMatchObject({ exit: 1, stdout: "" });
  expect(run.stderr).toContain("usage:\n  paldron check");
});

test.each([["version"], ["--version"], ["-v"]])("paldron %s", (word) => {
  expect(paldron([word])).toEqual({ exit: 0, stdout: `paldron ${VERSION}\n`, stderr: "" });
});

describe("mistakes are exit 1, one line, nothing on stdout", () => {
  test.each([
    [[""], "unknown command '' (see paldron --help)"],
    [["chekc"], "unknown command 'chekc' (did you mean 'check'?)"],
    [["CHECK"], "unknown command 'CHECK' (did you mean 'check'?)"],
    [["--polciy"], "name a command first, then its options: '--polciy'"],
    [["version", "x"], "unexpected argument 'x' (usage: paldron version)"],
    [["version", "--policy", "p"], "unknown option '--policy'"],
    [["check", "--polciy", "p", "--", "t", "{}"], "unknown option '--polciy' (did you mean '--policy'?)"],
    [["check", "--policy"], "--policy needs a file"],
    [["check", "--policy="], "--policy needs a file"],
    [["completion"], "usage: paldron completion bash|zsh|fish"],
    [["completion", "csh"], "usage: paldron completion bash|zsh|fish"],
    [["\u001b[31m\n"], "unknown command '\\u{1b}[31m\\n' (see paldron --help)"],
  ])("%j", (args, message) => {
    expect(paldron(args)).toEqual({ exit: 1, stdout: "", stderr: `paldron: ${message}\n` });
  });
});

test.each(["bash", "zsh", "fish"])("completion %s", (name) => {
  const run = paldron(["completion", name]);
  expect(run).toMatchObject({ exit: 0, stderr: "" });
  expect(run.stdout).toContain("completion");
});

describe("where the answer goes", () => {
  test("a full disk is an error", () => {
    expect(shell('"$@" >/dev/full', ["version"])).toMatchObject({
      exit: 1,
      stderr: "paldron: output could not be written (ENOSPC)\n",
    });
  });
  test("a reader that is gone is not", () => {
    const run = shell('{ "$@"; echo "exit $?" >&2; } | true', ["completion", "bash"]);
    expect(run).toMatchObject({ exit: 0, stderr: "exit 0\n" });
  });
  test("a closed stdout does not change the answer", () => {
    expect(shell('"$@" >&-', ["version"])).toMatchObject({ exit: 0, stderr: "" });
  });
  test("a full stderr does not change the exit code", () => {
    expect(shell('"$@" 2>/dev/full', ["chekc"])).toMatchObject({ exit: 1, stdout: "" });
  });
});

test("PALDRON_DEBUG=1 shows the stack, nothing else does", () => {
  expect(paldron(["chekc"]).stderr).not.toContain("    at ");
  expect(paldron(["chekc"], { env: { PALDRON_DEBUG: "1" } }).stderr).toContain("    at ");
});

test("an argument that is not UTF-8 is shown with its bytes", () => {
  expect(shell(`"$@" "$(printf 'ch\\377k')"`, [])).toMatchObject({
    exit: 1,
    stderr: "paldron: unknown command 'ch\\xffk' (see paldron --help)\n",
  });
});
