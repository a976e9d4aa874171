import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HookPlace, layHookPlace, outcomeOf } from "./recorded.ts";

let place: HookPlace;
beforeAll(() => {
  place = layHookPlace();
});
afterAll(() => place.remove());

const pre = (tool_name: string, tool_input: unknown) => ({
  hook_event_name: "PreToolUse",
  tool_name,
  tool_input,
  cwd: "/tmp/probe/ws",
});
const run = async (payload: unknown, policy?: string, agent = "claude") =>
  outcomeOf(agent, await place.hook(agent, payload, policy));
const reason = async (payload: unknown, policy?: string) =>
  (await place.hook("claude", payload, policy)).stderr;

/** The command that the hook puts in the place of one. */
async function wrapped(command: string, policy?: string): Promise<string> {
  const { stdout } = await place.hook("claude", pre("Bash", { command }), policy);
  return JSON.parse(stdout).hookSpecificOutput.updatedInput.command;
}

describe("a wrapped command", () => {
  it("keeps the other arguments", async () => {
    const { stdout } = await place.hook(
      "claude",
      pre("Bash", { command: "ls", timeout: 5, description: "d" }),
    );
    const { updatedInput } = JSON.parse(stdout).hookSpecificOutput;
    expect(updatedInput).toEqual({
      command: expect.stringContaining(" -- bash -c 'ls'"),
      timeout: 5,
      description: "d",
    });
  });
  it("names node, the program, the policy and the workspace by absolute paths", async () => {
    const own = "'\\/[^']+\\/node' '\\/[^']+\\/bin\\/paldron' 'exec' '--exit=child'";
    expect(await wrapped("ls", "")).toMatch(
      new RegExp(`^${own} '--policy=/[^']+/p\\.toml' '--workspace=${place.root}' -- bash -c 'ls'$`),
    );
  });
  it("is not wrapped twice, and is judged by what is in it", async () => {
    expect(await run(pre("Bash", { command: await wrapped("ls") }))).toBe("silent");
    const secret = (await wrapped("ls")).replace("'ls'", "'cat .env'");
    expect(await run(pre("Bash", { command: secret }))).toBe("block");
  });
  it.each([
    ["another policy", (text: string) => text.replace("p.toml", "q.toml")],
    ["another workspace", (text: string) => text.replace("'--workspace=", "'--workspace=/")],
    ["one option more", (text: string) => text.replace("'exec'", "'exec' '--format=json'")],
    ["an assignment before it", (text: string) => `PALDRON_POLICY=x ${text}`],
    ["something behind it", (text: string) => `${text}; cat a.txt`],
    ["another quoting", (text: string) => text.replace("'exec'", "exec")],
    ["another program", (text: string) => text.replace("/bin/paldron", "/x/paldron")],
  ])("with %s it is refused", async (_, change) => {
    expect(await run(pre("Bash", { command: change(await wrapped("ls", "")) }), "")).toBe("block");
  });
});

describe("calls of Paldron by an agent", () => {
  it.each([
    "paldron exec -- ls",
    "paldron exec --policy=x -- ls",
    "PALDRON_POLICY=x paldron check -- t",
    "paldron check --policy=x -- t",
    "./paldron --version",
    "/usr/bin/paldron hook --agent claude",
    "env paldron init claude",
    "node /opt/x/bin/paldron exec -- ls",
    "paldron-launcher",
    "sh -c 'paldron exec -- ls'",
  ])("%s is refused", async (command) => expect(await run(pre("Bash", { command }))).toBe("block"));
  it.each(["echo paldron", "cat docs/paldron.md", "git log --grep paldron", "mkdir paldron"])(
    "%s is none",
    async (command) => expect(await run(pre("Bash", { command }))).toBe("rewrite"),
  );
});

describe("nothing is left waiting for text that nobody judges", () => {
  it.each([
    "bash",
    "bash --norc",
    "sh -i",
    "env bash",
    "ls && zsh",
    "exec bash -l",
    "python3",
    "python3 -q",
    "node",
    "sqlite3 a.db",
    "redis-cli",
    "python3 -i x.py",
    "gdb ./a",
  ])("%s", async (command) => expect(await run(pre("Bash", { command }))).toBe("block"));
  it.each([
    "bash -c ls",
    "echo ls | bash",
    "bash <<'EOF'\nls\nEOF",
    "python3 <<'EOF'\nprint(1)\nEOF",
    "python3 -c 'print(1)'",
    "cat a.txt | python3",
    "python3 < a.txt",
    "python3 --version",
    "python3 x.py",
    "node --test",
    "sqlite3 a.db 'select 1'",
    "redis-cli ping",
    "sqlite3 a.db < a.txt",
    "sqlite3 a.db <<'EOF'\nselect 1;\nEOF",
    "psql --version",
    "which python3",
  ])("%s is given something", async (command) => {
    expect(await run(pre("Bash", { command }))).toBe("rewrite");
  });
});

describe("files that run or are obeyed later", () => {
  it.each([
    "echo x > .git/hooks/pre-commit",
    "cd .git/hooks && echo x > pre-commit",
    "mkdir -p .claude; cat > .claude/settings.json <<'EOF'\n{}\nEOF",
    "cp a.txt .mcp.json",
    "tee .codex/config.toml < a.txt",
  ])("%s", async (command) => expect(await run(pre("Bash", { command }))).toBe("block"));
  it.each([
    "git commit -m x",
    "git status",
    "cat .git/HEAD",
    "touch .gitignore",
    "python3 -m venv .venv",
    "ls 2>/dev/null",
  ])("%s is ordinary", async (command) => expect(await run(pre("Bash", { command }))).toBe("rewrite"));
});

describe("a client that cannot confine", () => {
  const qwen = (command: string) => run(pre("run_shell_command", { command }), undefined, "qwen");
  it("is asked about what nothing bounds", async () => {
    expect(await qwen("ls src")).toBe("silent");
    expect(await qwen('python3 -c "import os; os.system(input())"')).toBe("ask");
    expect(await qwen("cat .env")).toBe("block");
  });
  it("the shell of a skill is stopped instead", async () => {
    const skill = (command: string) => ({
      ...pre("Bash", { command }),
      hook_event_name: "PreSkillShellCommand",
    });
    expect(await run(skill("date +%Y"))).toBe("silent");
    expect(await run(skill('python3 -c "import os; os.system(input())"'))).toBe("block");
  });
});

describe("settings", () => {
  const change = (source: string) => ({ hook_event_name: "ConfigChange", source, file_path: "/x" });
  it("of the project do not change while the gate runs", async () => {
    expect(await run(change("project_settings"))).toBe("block");
    expect(await run(change("local_settings"))).toBe("block");
    expect(await run(change("user_settings"))).toBe("silent");
  });
});

describe("what is broken is blocked", () => {
  it.each([
    ["no payload", ""],
    ["no JSON", "x"],
    ["a list", "[]"],
    ["no event", "{}"],
    ["an unknown event", '{"hook_event_name":"PreToolUseX"}'],
    ["a key twice", '{"hook_event_name":"Stop","hook_event_name":"Stop"}'],
  ])("%s", async (_, text) => {
    for (const agent of ["claude", "codex", "gemini", "qwen", "copilot", "cursor", "opencode", "generic"]) {
      expect([agent, await run(text, undefined, agent)]).toEqual([agent, "block"]);
    }
  });
  it("a bad policy", async () => {
    expect(await reason(pre("Bash", { command: "ls" }), "bogus = 1")).toMatch(/^paldron: .*bogus/);
    expect(await run(pre("Bash", { command: "ls" }), "bogus = 1")).toBe("block");
  });
  it("an event that needs no policy is quiet all the same", async () => {
    expect(await run({ hook_event_name: "Stop" }, "bogus = 1")).toBe("silent");
  });
});

describe("reasons", () => {
  it("name what is plain", async () => {
    expect(await reason(pre("Read", { file_path: ".env" }))).toBe("paldron: .env (secret)\n");
  });
  it.each(["cat '/etc/hunter2 hunter2'", "$(hunter2hunter2", "hunter2hunter2 > ../x; echo 'unfinished"])(
    "do not repeat %s",
    async (command) => {
      const text = await reason(pre("Bash", { command }));
      expect(text).toMatch(/^paldron: .+\n$/);
      expect(text).not.toContain("hunter2");
    },
  );
  it("do not show a secret's value, even as a name", async () => {
    writeFileSync(join(place.root, ".env"), "API_KEY=SECRET-CANARY-123\n");
    const text = await reason(pre("Read", { file_path: "../SECRET-CANARY-123" }));
    expect(text).toContain("(outside workspace)");
    expect(text).not.toContain("CANARY");
  });
});
