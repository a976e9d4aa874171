import { spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../meta/sources.ts";
import { freshFolder, PALDRON, paldron } from "./paldron.ts";

const POLICY = `require_os_isolation = false
[[rule]]
command = ["touch"]
decision = "ask"
reason = "touch\\u001b[31m is for people"
`;

let folder: { path: string; remove: () => void };
beforeAll(() => {
  folder = freshFolder();
  writeFileSync(join(folder.path, "policy.toml"), POLICY);
});
afterAll(() => folder.remove());

const COMMAND = ["exec", "--policy", "policy.toml", "--", "touch", "made"];

/** A person who types; returns what the terminal showed, and whether the command ran. */
function asked(steps: readonly (readonly string[])[]): { shown: string; end: string; ran: boolean } {
  const scenario = JSON.stringify({ steps });
  const line = [join(ROOT, "test/fixtures/terminal.py"), scenario, PALDRON, ...COMMAND];
  const run = spawnSync("python3", line, { cwd: folder.path, encoding: "utf8" });
  if (run.status !== 0) throw new Error(run.stderr);
  const ran = existsSync(join(folder.path, "made"));
  rmSync(join(folder.path, "made"), { force: true });
  return { ...JSON.parse(run.stdout), ran };
}

test.each(["y\r", "YES\r", "a\r"])("a person who answers %j lets it run", (answer) => {
  const { shown, end, ran } = asked([
    ["expect", "[y/N/a]"],
    ["send", answer],
  ]);
  expect([end, ran]).toEqual(["exit 0", true]);
  expect(shown).toContain('command: "touch" "made"');
  // What a policy says cannot drive the terminal.
  expect(shown).toContain("is for people");
  expect(shown).not.toContain("\x1b[31m");
});

test.each(["\r", "n\r", "yy\r", "\x04"])("one who answers %j does not", (answer) => {
  const { shown, end, ran } = asked([
    ["expect", "[y/N/a]"],
    ["send", answer],
  ]);
  expect([end, ran]).toEqual(["exit 2", false]);
  expect(shown).toContain("needs approval");
});

test("what was typed before the question is no answer", () => {
  const steps = [
    ["send", "y\r"],
    ["expect", "[y/N/a]"],
    ["send", "\r"],
  ];
  expect(asked(steps).ran).toBe(false);
});

test("Ctrl-C is no answer", () => {
  expect(
    asked([
      ["expect", "[y/N/a]"],
      ["send", "\x03"],
    ]).ran,
  ).toBe(false);
});

test("without a terminal it needs approval and does not run", () => {
  const { exit, stderr } = paldron(COMMAND, { cwd: folder.path, input: "y\n" });
  expect(exit).toBe(2);
  expect(stderr).toMatch(/needs approval\n$/);
  expect(existsSync(join(folder.path, "made"))).toBe(false);
});
