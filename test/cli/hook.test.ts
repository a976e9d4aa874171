import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AGENTS } from "../../src/cli/commands.ts";
import { freshFolder, PALDRON, paldron, type Ran, shell } from "./paldron.ts";

let folder: ReturnType<typeof freshFolder>;
let cwd: string;
beforeAll(() => {
  folder = freshFolder();
  cwd = join(folder.path, "ws");
  mkdirSync(join(cwd, "src"), { recursive: true });
  writeFileSync(join(cwd, ".env"), "API_KEY=SECRET-CANARY-123\n");
  writeFileSync(join(cwd, "a.txt"), "alpha\n");
});
afterAll(() => folder.remove());

const hook = (agent: string, payload: unknown, ...options: string[]): Ran =>
  paldron(["hook", `--agent=${agent}`, ...options], { cwd, input: JSON.stringify(payload) });
const named = (event: string, tool: string, input: unknown) => ({
  hook_event_name: event,
  tool_name: tool,
  tool_input: input,
  cwd,
});
/** A call of reading a file, as each client sends it. */
const reading = (agent: string, path: string): unknown => {
  switch (agent) {
    case "gemini":
      return named("BeforeTool", "read_file", { file_path: path });
    case "copilot":
      return { sessionId: "s", timestamp: 1, cwd, toolName: "view", toolArgs: { path } };
    case "cursor":
      return { hook_event_name: "beforeReadFile", file_path: path, content: "", workspace_roots: [cwd] };
    case "opencode":
      return {
        hook: "tool.execute.before",
        input: { tool: "read", sessionID: "s", callID: "c" },
        output: { args: { filePath: path } },
        directory: cwd,
        worktree: cwd,
      };
    case "codex":
      return named("PreToolUse", "view_image", { path });
    case "generic":
      return { tool: "read", args: { path }, cwd };
    default:
      return named("PreToolUse", agent === "qwen" ? "read_file" : "Read", { file_path: path });
  }
};

describe("exit code and output of every client", () => {
  test.each(AGENTS)("%s: allow is silence", (agent) => {
    expect(hook(agent, reading(agent, join(cwd, "a.txt")))).toEqual({ exit: 0, stdout: "", stderr: "" });
  });
  test.each(AGENTS)("%s: deny", (agent) => {
    const path = join(cwd, ".env");
    const run = hook(agent, reading(agent, path));
    const said = `paldron: ${path} (secret)`;
    if (agent === "copilot") {
      const decision = { permissionDecision: "deny", permissionDecisionReason: said };
      expect({ ...run, stdout: JSON.parse(run.stdout) }).toEqual({ exit: 0, stdout: decision, stderr: "" });
    } else {
      expect(run).toMatchObject({ exit: 2, stderr: `${said}\n` });
      if (agent !== "cursor" && agent !== "generic") expect(run.stdout).toBe("");
    }
  });
  test.each(AGENTS)("%s: a policy that is broken blocks", (agent) => {
    const run = hook(agent, reading(agent, join(cwd, "a.txt")), "--policy=none.toml");
    const said = "paldron: the call could not be judged: policy `none.toml` not found";
    if (agent === "copilot") {
      const decision = { permissionDecision: "deny", permissionDecisionReason: said };
      expect({ ...run, stdout: JSON.parse(run.stdout) }).toEqual({ exit: 0, stdout: decision, stderr: "" });
    } else {
      expect(run).toMatchObject({ exit: 2, stderr: `${said}\n` });
    }
  });
  test.each(AGENTS)("%s: an empty payload blocks", (agent) => {
    const run = paldron(["hook", "--agent", agent], { cwd });
    expect(run).toMatchObject({ exit: 2 });
    expect(run.stderr).not.toBe("");
  });
});

describe("a rewritten command", () => {
  const command = (text: string): string => {
    const run = hook("claude", named("PreToolUse", "Bash", { command: text }));
    return JSON.parse(run.stdout).hookSpecificOutput.updatedInput.command;
  };
  test("runs confined, with its own exit status", () => {
    const read = "process.stdout.write(require('fs').readFileSync(['.e', 'nv'].join('')))";
    const text = `cat a.txt; node -e "${read}" 2>/dev/null || echo "it's hidden"; exit 3`;
    const run = shell(command(text), [], { cwd });
    expect(run).toMatchObject({ exit: 3, stdout: "alpha\nit's hidden\n" });
  });
  test("a person's yes holds where the policy asks, and only there", () => {
    const approved = command("true").replace("'exec'", "'exec' '--approved'");
    expect(shell(approved, [], { cwd })).toMatchObject({ exit: 0 });
    expect(shell(approved.replace("'true'", "'cat .env'"), [], { cwd })).toMatchObject({ exit: 126 });
  });
});

describe("where the workspace is", () => {
  test("the folder that Claude was opened for, wherever its shell stands", () => {
    const payload = named("PreToolUse", "Read", { file_path: join(cwd, "a.txt") });
    const input = JSON.stringify({ ...payload, cwd: join(cwd, "src") });
    const run = (env: Record<string, string>): Ran =>
      paldron(["hook", "--agent=claude"], { cwd: join(cwd, "src"), env, input });
    expect(run({ CLAUDE_PROJECT_DIR: cwd })).toMatchObject({ exit: 0 });
    expect(run({})).toMatchObject({ exit: 2 });
    expect(run({ CLAUDE_PROJECT_DIR: join(cwd, "none") })).toMatchObject({ exit: 2 });
  });
});

describe("what is no verdict", () => {
  test.each([
    [["hook"]],
    [["hook", "--agent=clode"]],
    [["hook", "--agent"]],
    [["hook", "--agent=claude", "x"]],
    [["hook", "--agent=claude", "--polcy=x"]],
  ])("a mistake on the command line: %j", (args) => {
    expect(paldron(args, { cwd })).toMatchObject({ exit: 1, stdout: "" });
  });
});

describe("an answer that is lost is no silence", () => {
  const payload = JSON.stringify(named("PreToolUse", "Bash", { command: "ls" }));
  test.each(["/dev/full", "/dev/null"])("stdout is %s", (place) => {
    const run = paldronTo(place, payload);
    expect(run.exit).toBe(place === "/dev/full" ? 2 : 0);
  });
});

function paldronTo(place: string, payload: string): Ran {
  return shell(
    `printf %s '${payload.replaceAll("'", "'\\''")}' | "$@" >${place}`,
    ["hook", "--agent=claude"],
    { cwd },
  );
}

test.each([
  ["a socket", () => undefined],
  ["a pipe", heldPipe],
])("a client that never closes its end, %s, is told no, before its own time is over", async (_, open) => {
  const held = open();
  const child = spawn(PALDRON, ["hook", "--agent=codex"], { cwd, stdio: [held ?? "pipe", "pipe", "pipe"] });
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  if (held === undefined) child.stdin?.write('{"hook_event_name":');
  else writeSync(held, '{"hook_event_name":');
  const exit = await new Promise((resolve) => child.on("close", resolve));
  child.stdin?.destroy();
  if (held !== undefined) closeSync(held);
  expect({ exit, stderr }).toEqual({
    exit: 2,
    stderr: "paldron: the call could not be judged: standard input did not end within 10000 ms\n",
  });
});

/** A pipe with both of its ends. */
function heldPipe(): number {
  const path = join(folder.path, "pipe");
  spawnSync("mkfifo", [path]);
  return openSync(path, "r+");
}
