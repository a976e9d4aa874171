import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyInit, type InitOptions, placesOf, planInit } from "../../../src/app/init.ts";
import { trustDropped, trustRecorded } from "../../../src/app/init-trust.ts";
import { ownProgram } from "../../../src/host/own-program.ts";

let top: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "paldron-init-")));
  for (const name of ["home", "project", "system/etc"]) mkdirSync(join(top, name), { recursive: true });
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function run(agent: string, more: Partial<InitOptions> = {}): string {
  const places = placesOf({ HOME: join(top, "home") }, join(top, "project"), join(top, "system"));
  const plan = planInit({ agent, scope: "managed", undo: false, policy: undefined, places, ...more });
  applyInit(plan);
  return plan.changes.map(({ file }) => file.path).join();
}

const MANAGED: Readonly<Record<string, string>> = {
  claude: "etc/claude-code/managed-settings.json",
  codex: "etc/codex/requirements.toml",
  gemini: "etc/gemini-cli/settings.json",
  qwen: "etc/qwen-code/settings.json",
  copilot: "etc/github-copilot/policy.d/paldron.json",
  cursor: "etc/cursor/hooks.json",
};

describe.each(Object.entries(MANAGED))("%s for the whole machine", (agent, name) => {
  test("everybody can read it, whatever the umask, and it goes without a trace", () => {
    const path = join(top, "system", name);
    const mask = process.umask(0o077);
    try {
      expect(run(agent)).toBe(path);
    } finally {
      process.umask(mask);
    }
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o755);
    expect(run(agent)).toBe("");
    expect(run(agent, { undo: true })).toBe(path);
    expect(readdirSync(join(top, "system/etc"))).toEqual([]);
  });
});

describe("codex's requirements", () => {
  const path = (): string => join(top, "system", MANAGED["codex"] ?? "");
  const put = (text: string): void => {
    mkdirSync(dirname(path()), { recursive: true });
    writeFileSync(path(), text);
  };
  const command = (): string => {
    const { node, program } = ownProgram();
    return `${node} ${program} hook --agent=codex`;
  };
  test("say what Codex wants to hear", () => {
    run("codex");
    expect(parseToml(readFileSync(path(), "utf8"))).toMatchObject({
      features: { hooks: true },
      hooks: {
        managed_dir: dirname(path()),
        PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command: command(), timeout: 20 }] }],
      },
    });
  });
  test.each([
    ["other keys, comments, no last line break", '# ours\r\nallowed = ["x"] # y'],
    ["a table of hooks with a folder", '[features]\nhooks = true\n[hooks]\nmanaged_dir = "/x"\n'],
    ["a foreign hook", '[hooks]\nmanaged_dir = "/x"\n[[hooks.PreToolUse]]\nmatcher = "a"\n'],
    ["an empty file", ""],
  ])("beside %s", (_, text) => {
    put(text);
    run("codex");
    const now = parseToml(readFileSync(path(), "utf8"));
    expect(now).toMatchObject({ features: { hooks: true } });
    expect((now as { hooks: { PreToolUse: unknown[] } }).hooks.PreToolUse.at(-1)).toMatchObject({
      hooks: [{ command: command() }],
    });
    expect(run("codex")).toBe("");
    run("codex", { undo: true });
    expect(readFileSync(path(), "utf8")).toBe(text);
  });
  test.each([
    [
      "a feature that is off",
      "[features]\nhooks = false\n",
      /a table in it cannot be added to; add by hand: \[features\]/,
    ],
    ["hooks in one line", "hooks = {}\n", /a table in it cannot be added to/],
    ["broken", "a = \n", /not valid TOML/],
  ])("not beside %s", (_, text, message) => {
    put(text);
    expect(() => run("codex")).toThrow(message);
    expect(readFileSync(path(), "utf8")).toBe(text);
  });
  test("a policy that is registered stays", () => {
    run("codex", { policy: "/a b/p.toml" });
    const text = readFileSync(path(), "utf8");
    expect(text).toContain("'--policy=/a b/p.toml'");
    expect(run("codex")).toBe("");
  });
});

describe("the trust that Codex asks for", () => {
  const hook = (key: string, hash: string) => ({ key, hash, trust: "untrusted", command: undefined });
  const config = (text: string | undefined) =>
    ({ path: "/c.toml", real: "/c.toml", text, missing: [], shared: false }) as const;
  const own = [
    hook("/h/hooks.json:pre_tool_use:0:0", "sha256:1"),
    hook("/h/hooks.json:post_tool_use:0:0", "sha256:2"),
  ];
  test.each([[""], ["model = 'x' # c\n"], ['[projects."/p"]\ntrust_level = "trusted"'], ["a = 1\r\n"]])(
    "is put behind %j and goes again",
    (text) => {
      const done = trustRecorded(config(text), own);
      expect(parseToml(done)).toMatchObject({
        hooks: { state: { "/h/hooks.json:pre_tool_use:0:0": { trusted_hash: "sha256:1" } } },
      });
      expect(trustRecorded(config(done), own)).toBe(done);
      expect(trustDropped(config(done), "/h/hooks.json")).toBe(text);
    },
  );
  test("of another file stays", () => {
    const both = trustRecorded(config(trustRecorded(config("a = 1\n"), own)), [
      hook("/p/hooks.json:x:0:0", "sha256:3"),
    ]);
    const left = trustDropped(config(both), "/h/hooks.json");
    expect(parseToml(left ?? "")).toEqual({
      a: 1,
      hooks: { state: { "/p/hooks.json:x:0:0": { trusted_hash: "sha256:3" } } },
    });
  });
  test("recorded elsewhere in the file is not said twice", () => {
    const text = '[hooks.state."/h/hooks.json:pre_tool_use:0:0"]\ntrusted_hash = "sha256:0"\n';
    expect(() => trustRecorded(config(text), own)).toThrow(/cannot be added to/);
  });
  test("a new hash takes the place of the old one", () => {
    const done = trustRecorded(config("a = 1\n"), own);
    const again = trustRecorded(config(done), [hook("/h/hooks.json:pre_tool_use:0:0", "sha256:9")]);
    expect(again).toContain("sha256:9");
    expect(again).not.toContain("sha256:1");
  });
});

test("a file that is changed between the question and the answer is not written", () => {
  const path = join(top, "home/.claude/settings.json");
  mkdirSync(dirname(path));
  writeFileSync(path, "{}");
  const places = placesOf({ HOME: join(top, "home") }, join(top, "project"), "");
  const plan = planInit({ agent: "claude", scope: "user", undo: false, policy: undefined, places });
  writeFileSync(path, '{"a": 1}');
  expect(() => applyInit(plan)).toThrow(/changed meanwhile/);
  expect(readFileSync(path, "utf8")).toBe('{"a": 1}');
  expect(existsSync(join(top, "home/.codex"))).toBe(false);
});

test("the plugin of the examples is the one that is written", async () => {
  const { pluginCommand } = await import("../../../src/agents/install/opencode-plugin.ts");
  const text = readFileSync(new URL("../../../examples/opencode/paldron.js", import.meta.url), "utf8");
  expect(pluginCommand(text)).toEqual(["paldron", "hook", "--agent", "opencode"]);
});
