import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ROOT } from "../meta/sources.ts";
import { freshFolder, PALDRON, paldron, type Ran, shell } from "./paldron.ts";

let place: ReturnType<typeof freshFolder>;
let home: string;
let project: string;
beforeEach(() => {
  place = freshFolder();
  home = join(place.path, "home");
  project = join(place.path, "it's a project");
  mkdirSync(home);
  mkdirSync(project);
});
afterEach(() => place.remove());

/** Nothing but the shell: no client that is installed here is found. */
const EMPTY_PATH = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };

function init(...args: readonly string[]): Ran {
  return paldron(["init", ...args], { cwd: project, env: { HOME: home, ...EMPTY_PATH } });
}

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function tree(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const stat = lstatSync(join(folder, name));
      return [name, stat.isFile() ? `${stat.mode} ${readFileSync(join(folder, name), "utf8")}` : "-"];
    }),
  );
}

const FILES: Readonly<Record<string, readonly [user: string, project: string]>> = {
  claude: [".claude/settings.json", ".claude/settings.json"],
  codex: [".codex/hooks.json", ".codex/hooks.json"],
  gemini: [".gemini/settings.json", ".gemini/settings.json"],
  qwen: [".qwen/settings.json", ".qwen/settings.json"],
  copilot: [".copilot/hooks/paldron.json", ".github/hooks/paldron.json"],
  cursor: [".cursor/hooks.json", ".cursor/hooks.json"],
  opencode: [".config/opencode/plugins/paldron.js", ".opencode/plugins/paldron.js"],
};

describe.each(Object.entries(FILES))("%s", (agent, [user, inProject]) => {
  test.each([
    ["user", user],
    ["project", inProject],
  ])("in the settings of the %s: written, found again, and taken out without a trace", (scope, name) => {
    const root = scope === "user" ? home : project;
    const done = init(agent, `--scope=${scope}`, "--yes");
    expect(done.exit).toBe(0);
    expect(done.stderr).toContain(`paldron: wrote ${join(root, name)}\n`);
    expect(done.stdout).toContain(`--- /dev/null\n+++ ${join(root, name)}\n@@ -0,0 +1,`);
    const before = tree(place.path);
    const text = readFileSync(join(root, name), "utf8");
    expect(text).toContain(JSON.stringify(realpathSync(PALDRON)).slice(1, -1));
    expect(text).toContain(JSON.stringify(process.execPath).slice(1, -1));
    expect(init(agent, `--scope=${scope}`, "--yes")).toMatchObject({
      exit: 0,
      stdout: "nothing to change\n",
    });
    expect(tree(place.path)).toEqual(before);
    const undone = init(agent, `--scope=${scope}`, "--undo", "--yes");
    expect(undone).toMatchObject({ exit: 0, stderr: `paldron: removed ${join(root, name)}\n` });
    expect([readdirSync(home), readdirSync(project)]).toEqual([[], []]);
    expect(init(agent, `--scope=${scope}`, "--undo", "--yes").stdout).toBe("nothing to undo\n");
  });
  test("folders that were there stay", () => {
    mkdirSync(dirname(join(home, user)), { recursive: true });
    expect(init(agent, "--yes").exit).toBe(0);
    expect(init(agent, "--undo", "--yes").exit).toBe(0);
    expect(readdirSync(dirname(join(home, user)))).toEqual([]);
  });
});

describe("the command that is registered", () => {
  test.each(["codex", "gemini", "qwen", "cursor"])(
    "%s: a shell starts the hook with it, policy and all",
    (agent) => {
      const policy = put(join(project, 'a "b" $(c)', "p.toml"), 'deny_globs = ["x"]\n');
      expect(init(agent, "--policy", policy, "--yes").exit).toBe(0);
      const text = readFileSync(join(home, FILES[agent]?.[0] ?? ""), "utf8");
      const command = /"command": (".*")/.exec(text)?.[1] ?? "";
      const run = spawnSync("/bin/sh", ["-c", JSON.parse(command)], {
        cwd: project,
        input: "{",
        encoding: "utf8",
      });
      expect(run.status).toBe(2);
      expect(run.stderr).toMatch(/^paldron: the call could not be judged: the payload/);
    },
  );
  test("a policy that is registered is kept, and another one takes its place", () => {
    const [one, two] = ["one", "two"].map((name) => put(join(project, `${name}.toml`), ""));
    const text = (): string => readFileSync(join(home, ".claude/settings.json"), "utf8");
    expect(init("claude", `--policy=${one}`, "--yes").exit).toBe(0);
    expect(text()).toContain("one.toml");
    expect(init("claude", "--yes").stdout).toBe("nothing to change\n");
    expect(init("claude", `--policy=${two}`, "--yes").exit).toBe(0);
    expect(text()).not.toContain("one.toml");
    expect(text()).toContain("two.toml");
  });
  test("a broken policy is never registered", () => {
    put(join(project, "p.toml"), "allow_paths = 3\n");
    expect(init("claude", "--policy=p.toml", "--yes")).toMatchObject({ exit: 1, stdout: "" });
    expect(init("claude", "--policy=none.toml", "--yes")).toMatchObject({ exit: 1, stdout: "" });
    expect(readdirSync(home)).toEqual([]);
  });
  test("generic: what to call", () => {
    const run = init("generic");
    expect(run).toMatchObject({ exit: 0, stderr: "" });
    const asked = shell(`${run.stdout.trim()} <<'END'\n{"tool": "read", "args": {"path": ".env"}}\nEND`, [], {
      cwd: project,
    });
    expect(asked).toMatchObject({
      exit: 2,
      stdout: '{"decision":"deny","reason":"paldron: .env (secret)"}\n',
    });
  });
});

describe("consent", () => {
  const SETTINGS = '{\n  "env": { "MY_API_KEY": "hunter2hunter2" }\n}\n';
  let path: string;
  beforeEach(() => {
    path = put(join(home, ".claude/settings.json"), SETTINGS);
  });
  test("without a terminal and --yes nothing is written; the difference is shown without secrets", () => {
    const run = init("claude");
    expect(run.exit).toBe(2);
    expect(run.stderr).toContain("needs approval: nothing was written");
    expect(run.stdout).toContain('+  "hooks": {\n');
    expect(run.stdout).not.toContain("hunter2");
    expect(readFileSync(path, "utf8")).toBe(SETTINGS);
  });
  test("--dry-run shows it and is no question", () => {
    expect(init("claude", "--dry-run").exit).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(SETTINGS);
  });
  test.each([
    ["y\r", 0],
    ["n\r", 2],
    ["\r", 2],
  ])("a person who answers %j at the terminal", (answer, exit) => {
    const steps = [
      ["expect", "write this? [y/N]"],
      ["send", answer],
    ];
    const line = [
      join(ROOT, "test/fixtures/terminal.py"),
      JSON.stringify({ steps }),
      PALDRON,
      "init",
      "claude",
    ];
    const env = { ...EMPTY_PATH, HOME: home };
    const run = spawnSync("python3", line, { cwd: project, encoding: "utf8", env });
    expect(run.stderr).toBe("");
    expect(JSON.parse(run.stdout).end).toBe(`exit ${exit}`);
    expect(readFileSync(path, "utf8") === SETTINGS).toBe(exit !== 0);
  });
});

describe("files that are not as they should be stay as they are", () => {
  test.each([
    ["broken", '{"hooks": {'],
    ["a key twice", '{"a": 1, "a": 2}'],
    ["wrong types", '{"hooks": {"PreToolUse": "x"}}'],
    ["not UTF-8", Buffer.from([0x7b, 0xff, 0x7d])],
    ["huge", `{"a": "${"x".repeat(5 * 1024 * 1024)}"}`],
  ])("%s", (_, text) => {
    const path = join(home, ".claude/settings.json");
    mkdirSync(dirname(path));
    writeFileSync(path, text);
    for (const more of [[], ["--undo"]]) {
      const run = init("claude", "--yes", ...more);
      if (more.length === 0 || !String(text).includes('"PreToolUse"')) {
        expect(run).toMatchObject({ exit: 1, stdout: "" });
        expect(run.stderr).toContain("nothing was changed");
      }
      expect(readFileSync(path).equals(Buffer.from(text))).toBe(true);
      expect(readdirSync(dirname(path))).toEqual(["settings.json"]);
    }
  });
  test("a folder, a pipe", () => {
    mkdirSync(join(home, ".claude/settings.json"), { recursive: true });
    expect(init("claude", "--yes")).toMatchObject({ exit: 1, stdout: "" });
    mkdirSync(join(home, ".gemini"));
    expect(spawnSync("mkfifo", [join(home, ".gemini/settings.json")]).status).toBe(0);
    expect(init("gemini", "--yes")).toMatchObject({ exit: 1, stdout: "" });
  });
  test("another plugin of the same name", () => {
    const path = put(join(home, FILES["opencode"]?.[0] ?? ""), "export const X = 1;\n");
    expect(init("opencode", "--yes")).toMatchObject({ exit: 1, stdout: "" });
    expect(init("opencode", "--undo", "--yes").stdout).toBe("nothing to undo\n");
    expect(readFileSync(path, "utf8")).toBe("export const X = 1;\n");
  });
});

describe("links", () => {
  test("within the home they are followed, and it is said", () => {
    const real = put(join(home, "dotfiles/claude.json"), "{}\n");
    mkdirSync(join(home, ".claude"));
    symlinkSync(real, join(home, ".claude/settings.json"));
    const run = init("claude", "--yes");
    expect(run.stderr).toContain(`${join(home, ".claude/settings.json")} is ${real}`);
    expect(run.exit).toBe(0);
    expect(lstatSync(join(home, ".claude/settings.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, "utf8")).toContain("PreToolUse");
    expect(init("claude", "--undo", "--yes").exit).toBe(0);
    expect(readFileSync(real, "utf8")).toBe("{}\n");
  });
  test.each([
    ["the file", ".claude/settings.json"],
    ["its folder", ".claude"],
  ])("out of the project they are not: %s", (_, name) => {
    const outside = put(join(home, "victim/settings.json"), "{}\n");
    if (name === ".claude") symlinkSync(dirname(outside), join(project, name));
    else {
      mkdirSync(join(project, ".claude"));
      symlinkSync(outside, join(project, name));
    }
    const run = init("claude", "--scope=project", "--yes");
    expect(run).toMatchObject({ exit: 1, stdout: "" });
    expect(run.stderr).toContain("a link out of");
    expect(readFileSync(outside, "utf8")).toBe("{}\n");
  });
  test("one that leads nowhere is no place to write", () => {
    mkdirSync(join(project, ".claude"));
    symlinkSync(join(home, "made"), join(project, ".claude/settings.json"));
    expect(init("claude", "--scope=project", "--yes")).toMatchObject({ exit: 1, stdout: "" });
    symlinkSync(join(home, "made"), join(project, ".gemini"));
    expect(init("gemini", "--scope=project", "--yes")).toMatchObject({ exit: 1, stdout: "" });
    expect(existsSync(join(home, "made"))).toBe(false);
  });
});

test("the mode of a file stays", () => {
  const path = put(join(home, ".claude/settings.json"), "{}");
  chmodSync(path, 0o640);
  expect(init("claude", "--yes").exit).toBe(0);
  expect(statSync(path).mode & 0o7777).toBe(0o640);
});

test("settings that switch hooks off are named", () => {
  put(join(home, ".claude/settings.json"), '{"disableAllHooks": true}');
  expect(init("claude", "--yes").stderr).toContain("disableAllHooks is on: no hook runs");
});

test("the folder that a variable names", () => {
  const folder = join(place.path, "other");
  mkdirSync(folder);
  const run = paldron(["init", "claude", "--yes"], {
    cwd: project,
    env: { HOME: home, ...EMPTY_PATH, CLAUDE_CONFIG_DIR: folder },
  });
  expect(run.exit).toBe(0);
  expect(readdirSync(folder)).toEqual(["settings.json"]);
});

test.each([
  [[], "usage: paldron init AGENT [options]"],
  [["cluade"], "unknown agent 'cluade' (did you mean 'claude'?)"],
  [["claude", "codex"], "usage: paldron init AGENT [options]"],
  [["claude", "--managed", "--scope=user"], "--managed and --scope exclude each other"],
  [["claude", "--undo", "--policy=x"], "--undo needs no --policy"],
  [["opencode", "--managed"], "opencode has no settings for the whole machine that paldron can write"],
  [["claude", "--scope=all"], "--scope must be user or project, not 'all'"],
])("a mistake is exit 1: %j", (args, message) => {
  const run = init(...args);
  expect(run).toMatchObject({ exit: 1, stdout: "" });
  expect(run.stderr).toContain(`paldron: ${message}`);
  expect(readdirSync(home)).toEqual([]);
});
