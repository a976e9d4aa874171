import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshFolder, paldron, shell } from "./paldron.ts";

let folder: ReturnType<typeof freshFolder>;
let cwd: string;
const put = (name: string, text: string): void => writeFileSync(join(folder.path, name), text);

beforeAll(() => {
  folder = freshFolder();
  cwd = join(folder.path, "ws");
  mkdirSync(join(cwd, "src"), { recursive: true });
  put("ws/src/a.ts", "x\n");
  put(
    "p.toml",
    'extends = ["git"]\ndeny_globs = ["dist/", "*.ts"]\nallow_binaries = ["git", "cat"]\n[[rule]]\nid = "mine"\ncommand = ["git", "push", "--force"]\ndecision = "ask"\n',
  );
  put("clean.toml", 'deny_globs = ["*.ts"]\n');
});
afterAll(() => folder.remove());

const explain = (...args: string[]) => paldron(["explain", "--json", "--policy=../p.toml", ...args], { cwd });

describe("explain", () => {
  test("names the effect and the rule of a deny", () => {
    const run = explain("--", "Bash", '{"command": "cd src && cat a.ts; git log"}');
    expect(run.exit).toBe(2);
    expect(JSON.parse(run.stdout)).toMatchObject({
      request: { kind: "tool", tool: "Bash" },
      policy: ["../p.toml"],
      decision: "deny",
      rule: "deny_globs[1]",
      effect: { kind: "read", what: "a.ts" },
      texts: [{ complete: true, problems: [] }],
      changes: ["`deny_globs` without its entry `*.ts`: nothing outweighs it"],
    });
  });
  test("names the rules that match, and the context of a command", () => {
    const trace = JSON.parse(explain("--", "git", "push").stdout);
    expect(trace).toMatchObject({
      decision: "ask",
      rule: "git:push",
      effect: { kind: "command", what: "git push" },
    });
    expect(trace.rules).toMatchObject([{ id: "git:push", decision: "ask", path: "preset git" }]);
    const nested = JSON.parse(explain("--as=command", "--", "git", "-c", "alias.x=!git push -f", "x").stdout);
    expect(nested.rules.map((rule: { id: string }) => rule.id)).toEqual(["git:push", "git:force-push"]);
    expect(JSON.stringify(nested.texts)).toContain('"context":["via git alias.x"]');
    // A folder of that name defines nothing: `x` may be any command of git.
    const folder = JSON.parse(explain("--as=command", "--", "git", "-C", "alias.x=log", "x").stdout);
    expect(folder.rules.map((rule: { id: string }) => rule.id)).toContain("git:push");
  });
  test("takes the forms of check and exec, by looks or by --as", () => {
    expect(JSON.parse(explain("--", "Read", '{"file_path": "x"}').stdout).request.kind).toBe("tool");
    expect(JSON.parse(explain("--", "cat", "src").stdout).request.kind).toBe("exec");
    expect(JSON.parse(explain("--as=tool", "--", "cat").stdout).request.kind).toBe("tool");
    const script = 'printf \'{"tool": "Write", "args": {"file_path": "dist/x", "content": ""}}\' | "$@"';
    const run = shell(script, ["explain", "--stdin", "--json", "--policy=../p.toml"], { cwd });
    expect(run.exit).toBe(2);
    expect(JSON.parse(run.stdout)).toMatchObject({
      rule: "deny_globs[0]",
      effect: { kind: "write", what: "dist/x" },
    });
  });
  test("says it in text, and an allow too", () => {
    const denied = paldron(["explain", "--policy=../p.toml", "--", "cat", ".env"], { cwd });
    expect(denied).toMatchObject({ exit: 2, stderr: "" });
    expect(denied.stdout).toMatch(/^rule +builtin:secrets\[0\]$/m);
    expect(denied.stdout).toMatch(/^effect +read: \.env$/m);
    const allowed = paldron(["explain", "--", "true"], { cwd });
    expect(allowed.exit).toBe(0);
    expect(allowed.stdout).toMatch(/^because +nothing is against it$/m);
  });
  test.each([[[]], [["--as=tool", "--", "a", "{}", "x"]], [["--as=x", "--", "a"]], [["--stdin", "--", "a"]]])(
    "%j is a mistake",
    (args) => {
      expect(paldron(["explain", ...args], { cwd })).toMatchObject({ exit: 1, stdout: "" });
    },
  );
});

describe("test", () => {
  const good =
    '[[case]]\ncommand = "git push"\ndecision = "ask"\nrule = "git:push"\n\n[[case]]\nargv = ["git", "log"]\ndecision = "allow"\n';
  const run = (text: string, name = "cases.toml", ...args: string[]) => {
    put(name, text);
    return paldron(["test", "--policy=../p.toml", ...args, `../${name}`], { cwd });
  };
  test("every case as it must be", () => {
    const { exit, stdout, stderr } = run(good);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toMatch(/^ok +\.\.\/cases\.toml:1 +git push +ask +git:push$/m);
    expect(stdout).toMatch(/^2 of 2 as they must be$/m);
  });
  test("a miss is exit 1, in a table and as JSON", () => {
    const lines =
      '{"tool": "Read", "args": {"file_path": "dist/x"}, "decision": "allow", "name": "reading"}\n\n{"command": "git push", "decision": "ask", "rule": "mine"}\n';
    const table = run(lines, "cases.jsonl");
    expect(table.exit).toBe(1);
    expect(table.stdout).toMatch(
      /^MISS +\.\.\/cases\.jsonl:1 +reading +deny, not allow +deny_globs\[0\] +dist\/x \(policy deny_glob\)$/m,
    );
    const json = JSON.parse(run(lines, "cases.jsonl", "--json").stdout);
    expect(json).toMatchObject({
      passed: 0,
      missed: 2,
      cases: [
        { ok: false, line: 1 },
        { ok: false, line: 3, want: "ask by mine" },
      ],
    });
  });
  test.each([
    ["", "holds no case"],
    ["[[cases]]", "key `cases` is not known"],
    ['[[case]]\ncommand = "x"', "key `decision` must be"],
    ['[[case]]\ncommand = "x"\nargv = ["x"]\ndecision = "deny"', "a case needs one of"],
    [
      '\n[[case]]\ncomand = "x"\ndecision = "deny"',
      "cases.toml:2: key `comand` is not known; did you mean `command`?",
    ],
    ["[[case]", "not valid TOML"],
  ])("%j is a mistake", (text, message) => {
    const { exit, stdout, stderr } = run(text);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toContain(message);
  });
  test.each([
    ["", "holds no case"],
    ['{"command": "x", "command": "y", "decision": "deny"}', "cases.jsonl:1:"],
    ['{"command": "x", "decision": "deny"}\n[]', "cases.jsonl:2: a case must be one JSON object"],
  ])("%j as JSON Lines is a mistake", (text, message) => {
    const { exit, stderr } = run(text, "cases.jsonl");
    expect(exit).toBe(1);
    expect(stderr).toContain(message);
  });
  test("a file that is not there, and none at all", () => {
    expect(paldron(["test", "../none.toml"], { cwd })).toMatchObject({ exit: 1 });
    expect(paldron(["test"], { cwd })).toMatchObject({ exit: 1 });
  });
});

describe("policy", () => {
  test("show says where each value comes from", () => {
    const { exit, stdout } = paldron(["policy", "show", "--policy=../p.toml"], { cwd });
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^ {2}"dist\/", +# \.\.\/p\.toml:2$/m);
    expect(stdout).toMatch(/^timeout_sec = 30 # default$/m);
    expect(stdout).toMatch(/^\[\[rule\]\] # preset git:3$/m);
    put("ws/project.toml", "timeout_sec = 5\nallow_paths = ['src']\n");
    const env = { PALDRON_POLICY: "../p.toml" };
    const both = JSON.parse(
      paldron(["policy", "show", "--json", "--policy=project.toml"], { cwd, env }).stdout,
    );
    expect(both.keys.timeout_sec).toEqual({ value: 5, origin: "project.toml:1" });
    expect(both.keys.deny_globs[1]).toEqual({ value: "*.ts", origin: "../p.toml:2" });
    expect(both.also_allow_paths).toEqual([["src"]]);
  });
  test("what show prints is a policy that says the same", () => {
    put("again.toml", paldron(["policy", "show", "--policy=../clean.toml"], { cwd }).stdout);
    const run = paldron(["check", "--policy=../again.toml", "--", "t", '{"path": "src/a.ts"}'], { cwd });
    expect(run).toMatchObject({ exit: 2 });
  });
  test("lint finds what is in vain", () => {
    put("ws/.env.example", "");
    put(
      "lint.toml",
      `allow_binaries = ["git", "no-such-program"]
deny_globs = ["src/", "nothing-here"]
secret_exceptions = ["src/x.pem"]
[[rule]]
command = ["git", "push"]
decision = "deny"
[[rule]]
id = "late"
command = ["git", ["push"], "origin"]
decision = "ask"
[[rule]]
command = ["npm"]
decision = "ask"
`,
    );
    const { exit, stdout } = paldron(["policy", "lint", "--policy=../lint.toml"], { cwd });
    expect(exit).toBe(1);
    for (const line of [
      /^warning +rule late \(.*lint\.toml:7\) +decides nothing: rule rule\[0\] \(.*:4\) covers it and says deny$/m,
      /^warning +rule rule\[2\] .*decides nothing: allow_binaries does not list `npm`$/m,
      /^warning +secret_exceptions\[0\] +`src\/x\.pem` is denied by deny_globs\[0\] \(`src\/`\)$/m,
      /^note +allow_binaries\[1\] +`no-such-program` is not found$/m,
      /^note +deny_globs\[1\] +`nothing-here` matches nothing in the workspace$/m,
    ])
      expect(stdout).toMatch(line);
    expect(paldron(["policy", "lint", "--policy=../clean.toml"], { cwd })).toMatchObject({
      exit: 0,
      stdout: "nothing found\n",
    });
  });
  test.each([[[]], [["shw"]], [["show", "x"]]])("%j is a mistake", (args) => {
    expect(paldron(["policy", ...args], { cwd })).toMatchObject({ exit: 1, stdout: "" });
  });
});
