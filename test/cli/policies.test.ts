import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshFolder, paldron } from "./paldron.ts";

let folder: ReturnType<typeof freshFolder>;
let cwd: string;
const put = (name: string, text: string): void => writeFileSync(join(folder.path, name), text);

beforeAll(() => {
  folder = freshFolder();
  cwd = join(folder.path, "ws");
  mkdirSync(join(cwd, "src"), { recursive: true });
  put("user.toml", 'deny_globs = ["mine"]\nallow_binaries = ["cat", "ls"]\n');
  put(
    "ws/project.toml",
    'deny_globs = ["theirs"]\nsecret_exceptions = [".env"]\nallow_binaries = ["cat", "rm"]\n',
  );
  put("base.toml", '[[rule]]\ntool = "bad*"\ndecision = "deny"\nreason = "base"\n');
  put("extends.toml", 'extends = ["git", "./base.toml"]\n');
  put("extends-project.toml", 'extends = ["ws/project.toml"]\ndeny_globs = ["mine"]\n');
  put("a.toml", 'timeout_sec = 1\nextends = ["b.toml"]\n');
  put("b.toml", 'extends = ["./a.toml"]\n');
  put("wrong.toml", 'extends = ["gti"]\n');
  put("missing.toml", 'extends = ["./no.toml"]\n');
  put("cases.toml", '[[rule]]\ncommand = ["git", "push"]\ndecision = "ask"\nmatch = ["git pull"]\n');
  symlinkSync("../user.toml", join(cwd, "link.toml"));
});
afterAll(() => folder.remove());

const check = (policy: string, args: readonly string[], env: Record<string, string> = {}) =>
  paldron(["check", `--policy=${policy}`, "--", ...args], { cwd, env });
const file = (name: string): readonly string[] => ["t", JSON.stringify({ path: name })];

describe("extends", () => {
  test("a preset and a file, relative to the policy", () => {
    expect(check("../extends.toml", ["badtool"]).stderr).toBe("paldron: deny: badtool (base)\n");
    expect(check("../extends.toml", ["Bash", '{"command": "git push"}']).stderr).toBe(
      "paldron: deny: git push (pushing reaches other people) needs approval\n",
    );
    expect(check("../extends.toml", ["Bash", '{"command": "git status"}']).exit).toBe(0);
  });
  test.each([
    ["../a.toml", "b.toml:1: key `extends` has an entry `./a.toml` that leads back to itself"],
    [
      "../wrong.toml",
      "../wrong.toml:1: key `extends` has an entry `gti` that is no preset; did you mean `git`?",
    ],
    ["../missing.toml", "no.toml` not found"],
    ["../cases.toml", "../cases.toml:4: rule `rule[0]` does not match `git pull`"],
  ])("%s is a mistake", (policy, message) => {
    const run = check(policy, ["t"]);
    expect(run.exit).toBe(1);
    expect(run.stderr).toContain(message);
    expect(paldron(["exec", `--policy=${policy}`, "--", "true"], { cwd })).toMatchObject({ exit: 1 });
  });
});

describe("a policy in the workspace", () => {
  const user = { PALDRON_POLICY: "../user.toml" };
  test("alone is the policy", () => {
    expect(check("project.toml", file(".env")).exit).toBe(0);
    expect(check("project.toml", file("theirs")).exit).toBe(2);
  });
  test("only tightens one outside, whichever option names it", () => {
    for (const [policy, env] of [
      ["project.toml", user],
      ["../user.toml", { PALDRON_POLICY: "project.toml" }],
    ] as const) {
      expect(check(policy, file("mine"), env).exit).toBe(2);
      expect(check(policy, file("theirs"), env).exit).toBe(2);
      expect(check(policy, file(".env"), env).exit).toBe(2);
      expect(check(policy, file("src/a"), env).exit).toBe(0);
      for (const [program, exit] of [
        ["cat", 0],
        ["ls", 2],
        ["rm", 2],
      ] as const)
        expect(check(policy, ["Bash", JSON.stringify({ command: `${program} x` })], env).exit).toBe(exit);
    }
  });
  test("a link in the workspace to one outside is in the workspace", () => {
    expect(check("link.toml", file("theirs"), { PALDRON_POLICY: "project.toml" }).exit).toBe(0);
    expect(check("link.toml", file("theirs"), { PALDRON_POLICY: "../base.toml" }).exit).toBe(0);
    expect(check("link.toml", ["badtool"], { PALDRON_POLICY: "../base.toml" }).exit).toBe(2);
  });
  test("extended by one outside tightens it", () => {
    expect(check("../extends-project.toml", file("theirs")).exit).toBe(2);
    expect(check("../extends-project.toml", file(".env")).exit).toBe(2);
    expect(check("../extends-project.toml", file("src/a")).exit).toBe(0);
  });
  test("one outside named by --policy replaces another outside", () => {
    expect(check("../extends.toml", file("mine"), user).exit).toBe(0);
  });
});
