import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Scope } from "../../src/agents/install/places.ts";
import { runDoctorAgents } from "../../src/app/doctor-agents.ts";
import type { AgentReport } from "../../src/app/doctor-agents-types.ts";
import { applyInit, placesOf, planInit } from "../../src/app/init.ts";
import { agentsText } from "../../src/cli/agents-render.ts";
import { ownProgram } from "../../src/host/own-program.ts";
import { freshFolder, paldron } from "./paldron.ts";

let place: ReturnType<typeof freshFolder>;
let home: string;
let project: string;
beforeEach(() => {
  place = freshFolder();
  home = join(place.path, "home");
  project = join(place.path, "project");
  for (const name of ["home", "project", "bin", "system/etc"])
    mkdirSync(join(place.path, name), { recursive: true });
});
afterEach(() => place.remove());

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function client(name: string, script: string): void {
  chmodSync(put(join(place.path, "bin", name), `#!/bin/sh\n${script}\n`), 0o755);
}

const places = () =>
  placesOf({ HOME: home, PATH: `${place.path}/bin:/usr/bin:/bin` }, project, join(place.path, "system"));

function init(agent: string, scope: Scope = "user", policy?: string): string {
  const plan = planInit({ agent, scope, undo: false, policy, places: places() });
  applyInit(plan);
  return plan.changes[0]?.file.path ?? "";
}

async function doctor(agent: string): Promise<AgentReport> {
  const report = (await runDoctorAgents(places())).agents.find((one) => one.agent === agent);
  if (report === undefined) throw new Error(`${agent} was not found`);
  return report;
}

async function faults(agent: string): Promise<readonly string[]> {
  const report = await doctor(agent);
  expect(report.result).toBe("not firing");
  return report.faults.map(({ code, where, what }) => `${code} ${where.replace(place.path, "")} ${what}`);
}

function edit(path: string, change: (text: string) => string): void {
  const text = readFileSync(path, "utf8");
  const now = change(text);
  expect(now).not.toBe(text);
  writeFileSync(path, now);
}

const CLAUDE = 'echo "2.1.332 (Claude Code)"';
const settings = "/home/.claude/settings.json";

describe.each(["claude", "gemini", "qwen", "copilot", "opencode"])("%s", (agent) => {
  test("not registered, then working", async () => {
    client(agent, CLAUDE);
    expect(await doctor(agent)).toMatchObject({ result: "not registered", faults: [], hooks: [] });
    init(agent);
    const report = await doctor(agent);
    expect(report).toMatchObject({ result: "working", faults: [], remarks: [] });
    expect(report.hooks.every(({ works }) => works)).toBe(true);
  });
  test("doubled by the user's and the project's settings", async () => {
    client(agent, CLAUDE);
    init(agent);
    init(agent, "project");
    const report = await doctor(agent);
    expect(report.result).toBe("doubled");
    expect(report.remarks[0]).toContain(`paldron init ${agent} --scope=project --undo`);
  });
  test("a broken policy blocks, and is told", async () => {
    client(agent, CLAUDE);
    const policy = put(join(project, "p.toml"), "");
    init(agent, "user", policy);
    expect((await doctor(agent)).result).toBe("working");
    writeFileSync(policy, "allow_paths = 3\n");
    expect((await faults(agent)).every((line) => line.startsWith("broken "))).toBe(true);
  });
});

test("cursor: working, and its four events are tried", async () => {
  client("cursor-agent", "exit 1");
  init("cursor");
  const report = await doctor("cursor");
  expect(report).toMatchObject({ result: "working", client: { version: undefined } });
  expect(report.hooks).toHaveLength(4);
});

describe("claude: what keeps a hook from working", () => {
  beforeEach(() => {
    client("claude", CLAUDE);
    init("claude");
  });
  const path = (): string => join(place.path, settings);

  test.each([
    ["the project", "project/.claude/settings.json"],
    ["the project's local settings", "project/.claude/settings.local.json"],
  ])("disabled by %s, unless the machine's own hooks are there", async (_, name) => {
    put(join(place.path, name), '{ // off\n"disableAllHooks": true}');
    expect(await faults("claude")).toContain(
      `disabled /${name} PreToolUse: \`disableAllHooks\` switches it off`,
    );
    init("claude", "managed");
    const report = await doctor("claude");
    expect(report).toMatchObject({ result: "working", faults: [] });
    expect(report.remarks.join()).toContain("`disableAllHooks` switches it off");
  });
  test("only the machine's hooks are allowed", async () => {
    put(join(place.path, "system/etc/claude-code/managed-settings.json"), '{"allowManagedHooksOnly": true}');
    expect((await faults("claude"))[0]).toContain("`allowManagedHooksOnly` switches it off");
  });
  test("a matcher that does not take everything", async () => {
    edit(path(), (text) => text.replace('"matcher": "*"', '"matcher": "Bash|Write"'));
    expect(await faults("claude")).toEqual([
      `matcher ${settings} PreToolUse: the matcher does not take every tool`,
    ]);
  });
  test("an event that is missing", async () => {
    edit(path(), (text) => text.replace('"ConfigChange"', '"Stop"'));
    expect(await faults("claude")).toEqual([`event-missing ${settings} ConfigChange is not registered`]);
  });
  test("a client that is too old", async () => {
    client("claude", 'echo "2.1.197 (Claude Code)"');
    expect((await faults("claude"))[0]).toMatch(
      /^client-too-old \/bin\/claude version 2\.1\.197 does not know/,
    );
  });
  test.each(["async", "once", "if", "env", "shell"])("`%s`", async (key) => {
    edit(path(), (text) => text.replace('"timeout": 20,', `"timeout": 20, "${key}": "x",`));
    expect(await faults("claude")).toEqual([
      `conditional ${settings} PreToolUse: \`${key}\` changes when or how it runs`,
    ]);
  });
  test("a program that is gone", async () => {
    edit(path(), (text) => text.replaceAll("/bin/paldron", "/none/paldron"));
    expect((await faults("claude"))[0]).toMatch(/^not-found .*\/none\/paldron is not there/);
  });
  test("a time limit that is too short", async () => {
    edit(path(), (text) => text.replaceAll('"timeout": 20', '"timeout": 0.001'));
    expect(await faults("claude")).toContain(
      `timeout ${settings} PreToolUse: no answer within its time limit`,
    );
  });
  test("the protocol of another agent", async () => {
    edit(path(), (text) => text.replaceAll("--agent=claude", "--agent=qwen"));
    expect((await faults("claude"))[0]).toContain("answers in the protocol of another agent");
  });
  test("settings that cannot be read", async () => {
    put(join(project, ".claude/settings.local.json"), '{"a": ');
    expect(await faults("claude")).toEqual([
      "settings /project/.claude/settings.local.json " +
        `${join(project, ".claude/settings.local.json")}:1: not valid JSON`,
    ]);
  });
  test("a variable that loads code into the hook", async () => {
    put(join(project, ".claude/settings.json"), '{"env": {"NODE_OPTIONS": "--require ./x.cjs"}}');
    expect((await faults("claude"))[0]).toContain("`env.NODE_OPTIONS` changes how the hook itself runs");
  });
  test("without onFailure it works, with a remark", async () => {
    edit(path(), (text) => text.replaceAll('"onFailure": "block"', '"onFailure": "allow"'));
    const report = await doctor("claude");
    expect(report.result).toBe("working");
    expect(report.remarks[0]).toContain("without `onFailure` a call goes on where the hook fails");
  });
});

describe("nothing but this Paldron is ever started", () => {
  const canary = (): string => join(place.path, "ran");
  beforeEach(() => client("gemini", CLAUDE));
  const evil = (name: string): string => {
    const path = put(join(project, name), `#!/bin/sh\ntouch ${canary()}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const register = (handler: Readonly<Record<string, unknown>>): void => {
    const hooks = { BeforeTool: [{ hooks: [{ type: "command", ...handler }] }] };
    put(join(home, ".gemini/settings.json"), JSON.stringify({ hooks }));
  };
  const own = () => ownProgram();
  const rows: readonly [string, () => Readonly<Record<string, unknown>>, string][] = [
    [
      "another program of that name",
      () => ({ command: `${own().node} ${evil("x/paldron")} hook --agent=gemini` }),
      "other-installation",
    ],
    [
      "another interpreter",
      () => ({ command: `${evil("node")} ${own().program} hook --agent=gemini` }),
      "other-installation",
    ],
    [
      "a name that is looked up",
      () => ({ command: `${evil("paldron") && "./paldron"} hook --agent=gemini` }),
      "relative",
    ],
    ["a bare name", () => ({ command: "paldron hook --agent gemini" }), "relative"],
    ["node by its name", () => ({ command: `node ${own().program} hook --agent=gemini` }), "relative"],
    [
      "a command behind it",
      () => ({ command: `${own().node} ${own().program} hook --agent=gemini; ${evil("e")}` }),
      "not-recognized",
    ],
    [
      "a command in it",
      () => ({ command: `${own().node} ${own().program} hook --agent=gemini --policy=$(${evil("e")})` }),
      "not-recognized",
    ],
    ["a command before it", () => ({ command: `${evil("e")} && paldron hook` }), "not-recognized"],
    [
      "a variable before it",
      () => ({
        command: `NODE_OPTIONS=--require=${evil("e")} ${own().node} ${own().program} hook --agent=gemini`,
      }),
      "not-recognized",
    ],
    [
      "two commands in one hook",
      () => ({ command: `${own().node} ${own().program} hook --agent=gemini`, bash: evil("e") }),
      "not-recognized",
    ],
    [
      "a policy by a relative path",
      () => ({ command: `${own().node} ${own().program} hook --agent=gemini --policy=p.toml` }),
      "relative",
    ],
  ];
  test.each(rows)("%s", async (_, handler, code) => {
    register(handler());
    const report = await doctor("gemini");
    expect(report.result).toBe("not firing");
    expect(report.faults.map((fault) => fault.code)).toContain(code);
    expect(existsSync(canary())).toBe(false);
  });
  test("the hook of another program is counted", async () => {
    register({ command: evil("e") });
    const report = await doctor("gemini");
    expect(report).toMatchObject({ result: "not registered", remarks: ["1 hook of others, not tried"] });
    expect(existsSync(canary())).toBe(false);
  });
  test("through a link it is this one", async () => {
    symlinkSync(own().program, join(home, "paldron"));
    register({ command: `${own().node} ${home}/paldron hook --agent gemini` });
    expect((await doctor("gemini")).result).toBe("working");
  });
  test("a client that lies in the project is not the user's", async () => {
    const there = placesOf({ HOME: home, PATH: `${project}/bin` }, project, join(place.path, "system"));
    chmodSync(put(join(project, "bin/claude"), `#!/bin/sh\ntouch ${canary()}\n`), 0o755);
    await runDoctorAgents(there);
    expect(existsSync(canary())).toBe(false);
  });
});

describe("gemini, qwen, copilot: switched off", () => {
  test.each([
    ["gemini", "project/.gemini/settings.json", { hooksConfig: { enabled: false } }, true],
    ["gemini", "project/.gemini/settings.json", { hooksConfig: { disabled: ["paldron"] } }, false],
    ["qwen", "project/.qwen/settings.json", { disableAllHooks: true }, true],
    ["copilot", "project/.github/copilot/settings.json", { disableAllHooks: true }, true],
    ["copilot", "project/.claude/settings.json", { disableAllHooks: true }, true],
  ])("%s by %s %j", async (agent, name, value, managedHelps) => {
    client(agent, CLAUDE);
    init(agent);
    put(join(place.path, name), JSON.stringify(value));
    expect((await faults(agent))[0]).toContain(`disabled /${name}`);
    init(agent, "managed");
    const report = await doctor(agent);
    expect(report.result).toBe(managedHelps ? "working" : "not firing");
  });
  test("copilot runs the project's hooks for Claude Code, too", async () => {
    client("copilot", CLAUDE);
    init("copilot");
    init("claude", "project");
    expect(await doctor("copilot")).toMatchObject({ result: "doubled" });
  });
});

describe("codex", () => {
  /** Answers as its server does. */
  function server(trust: string): void {
    const file = join(home, ".codex/hooks.json");
    const lines = `import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") console.log(JSON.stringify({ id, result: {} }));
  if (method !== "hooks/list") return;
  const command = JSON.parse(readFileSync(${JSON.stringify(file)})).hooks.PreToolUse[0].hooks[0].command;
  const hooks = [{ key: ${JSON.stringify(`${file}:pre_tool_use:0:0`)}, command, currentHash: "sha256:1", trustStatus: ${JSON.stringify(trust)} }];
  console.log(JSON.stringify({ id, result: { data: [{ hooks: ${trust === "hidden" ? "[]" : "hooks"} }] } }));
});`;
    client("codex", `exec '${process.execPath}' '${put(join(place.path, "server.mjs"), lines)}'`);
  }
  test.each([
    ["trusted", undefined],
    ["untrusted", "codex does not trust it, and skips it without a word"],
    ["modified", "codex does not trust it, and skips it without a word"],
    ["hidden", "codex does not see it: the project may not be trusted"],
  ])("%s", async (trust, what) => {
    init("codex");
    server(trust);
    if (what === undefined) expect((await doctor("codex")).result).toBe("working");
    else expect(await faults("codex")).toEqual([`untrusted /home/.codex/hooks.json PreToolUse: ${what}`]);
  });
  test("one that cannot be asked", async () => {
    init("codex");
    client("codex", "exit 1");
    expect((await faults("codex"))[0]).toContain("codex did not tell whether it trusts it");
  });
  test("the machine's own need no trust, and no feature", async () => {
    init("codex", "managed");
    server("untrusted");
    put(join(home, ".codex/hooks.json"), '{"hooks": {"PreToolUse": [{"hooks": [{"command": "x"}]}]}}');
    put(join(home, ".codex/config.toml"), "[features]\nhooks = false\n");
    expect(await doctor("codex")).toMatchObject({
      result: "working",
      remarks: ["1 hook of others, not tried"],
    });
  });
  test("the feature is off", async () => {
    init("codex");
    server("trusted");
    put(join(home, ".codex/config.toml"), "[features]\nhooks = false\n");
    expect((await faults("codex"))[0]).toContain("`features.hooks = false` switches it off");
  });
});

test("opencode: a plugin that was changed is not taken for ours", async () => {
  client("opencode", CLAUDE);
  edit(init("opencode"), (text) => `${text}process.exit();\n`);
  expect((await faults("opencode"))[0]).toContain("not-recognized");
});

describe("the command", () => {
  const run = (...args: readonly string[]) =>
    paldron(["doctor", "--agents", ...args], {
      cwd: project,
      env: { HOME: home, PATH: `${place.path}/bin` },
    });
  const shebang = (): void => symlinkSync(process.execPath, join(place.path, "bin/node"));
  beforeEach(shebang);
  test("a table for people, an object for programs, and an exit code", () => {
    client("claude", CLAUDE.replace("echo", "/bin/echo"));
    const before = run();
    expect(before).toMatchObject({ exit: 1, stderr: "" });
    expect(before.stdout).toMatch(/^claude +2\.1\.332 +not registered$/m);
    expect(before.stdout).toContain("register it with `paldron init claude`");
    const env = { HOME: home, PATH: `${place.path}/bin` };
    expect(paldron(["init", "claude", "--yes"], { cwd: project, env }).exit).toBe(0);
    const after = run("--json");
    expect(after).toMatchObject({ exit: 0, stderr: "" });
    expect(JSON.parse(after.stdout)).toMatchObject({
      ok: true,
      agents: [
        { agent: "claude", client: { version: "2.1.332" }, result: "working", faults: [], remarks: [] },
      ],
    });
  });
  test("without any agent nothing was shown to work", async () => {
    const report = await runDoctorAgents(places());
    expect(report).toEqual({ agents: [], ok: false });
    expect(agentsText(report)).toBe("no coding agent was found\n");
  });
  test("takes no policy", () => {
    expect(run("--policy=x")).toMatchObject({ exit: 1, stdout: "" });
  });
});
