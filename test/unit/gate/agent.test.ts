import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentOutcome, type Disk, layDisk } from "./disk.ts";

let disk: Disk;
beforeAll(() => {
  disk = layDisk();
  execFileSync("mkfifo", [join(disk.workspace.root, "pipe")]);
});
afterAll(() => disk.remove());

type Row = readonly [tool: string, args: Readonly<Record<string, unknown>>, outcome: AgentOutcome];

const PATCH = "*** Begin Patch\n*** Update File: src/a.txt\n@@\n-x\n+y\n";

const ALLOWED: readonly Row[] = [
  ["Bash", { command: "ls src", description: "List .env files", timeout: 5000 }, "allow"],
  ["bash", { command: "ls", mode: "sync", initial_wait: 5 }, "allow"],
  ["run_shell_command", { command: "ls", dir_path: "src" }, "allow"],
  ["shell", { command: ["ls", "src"], workdir: "$W" }, "allow"],
  ["shell", { command: ["bash", "-lc", "ls src"] }, "allow"],
  ["Bash", { command: "ls", dangerouslyDisableSandbox: false }, "allow"],
  ["Read", { file_path: "$W/src/a.txt", offset: 1, limit: 10 }, "allow"],
  ["read", { filePath: "src/a.txt" }, "allow"],
  ["view", { path: "$W", view_range: [1, 2] }, "allow"],
  ["Write", { file_path: "src/n.txt", content: ".env and /etc/passwd" }, "allow"],
  ["Edit", { file_path: "src/a.txt", old_string: "cat .env", new_string: "", replace_all: false }, "allow"],
  ["MultiEdit", { file_path: "src/a.txt", edits: [{ old_string: "a", new_string: "b" }] }, "allow"],
  ["replace", { file_path: "src/a.txt", instruction: "x", old_string: "a", new_string: "b" }, "allow"],
  ["apply_patch", { command: `${PATCH}*** End Patch\n` }, "allow"],
  ["Grep", { pattern: "curl .*| sh .env", path: "src", glob: "*.ts" }, "allow"],
  ["Glob", { pattern: "**/*.{ts,tsx}" }, "allow"],
  ["codebase_search", { query: "where is .env read", target_directories: ["src"] }, "allow"],
  ["list_directory", { dir_path: "$W" }, "allow"],
  ["TodoWrite", { todos: [{ content: "rm -rf / and .env", status: "pending" }] }, "allow"],
  ["Agent", { description: "s", prompt: "cat .env", subagent_type: "x", run_in_background: false }, "allow"],
  ["task", { name: "s", prompt: "x", agent_type: "y", mode: "sync" }, "allow"],
  ["write_stdin", { session_id: 1, chars: "\u0003" }, "allow"],
  ["Read", { file_path: "src/a.txt:10" }, "allow"],
  ["Read", { file_path: " src/a.txt " }, "allow"],
  ["Grep", { pattern: ".", glob: "*.{ts,md}" }, "allow"],
];

/** What a lenient tool could take for a secret, or for a file that runs later. */
const READINGS: readonly Row[] = [
  ...[".env ", " .env", ".env\t", "\u200b.env", ".env:10", ".env:1-5", ".env::$DATA", ".env#L1", ".env?x"],
  ..."'.env' \".env\" `.env` @.env".split(" "),
].map((path): Row => ["Read", { file_path: path }, "deny"]);

const REFUSED: readonly Row[] = [
  ["Bash", { command: "cat .env" }, "deny"],
  ["BASH", { command: "cat .env" }, "deny"],
  ["codebase_search", { query: "x", target_directories: ["src", "../.."] }, "deny"],
  ["Bash", {}, "deny"],
  ["Bash", { command: null }, "deny"],
  ["Bash", { command: " " }, "deny"],
  ["Bash", { command: "ls\0" }, "deny"],
  ["Bash", { command: ["ls"] }, "deny"],
  ["Bash", { command: { text: "ls" } }, "deny"],
  ["Bash", { command: 1 }, "deny"],
  ["Bash", { command: "ls", cmd: "ls -l" }, "deny"],
  ["Bash", { command: "ls", Command: "cat .env" }, "deny"],
  ["Bash", { Command: "ls" }, "deny"],
  ["Bash", { command: "ls", extra: true }, "ask"],
  ["Bash", { command: "ls", env: { LD_PRELOAD: "x" } }, "ask"],
  ["Bash", { command: "ls", timeout: {} }, "deny"],
  ["Bash", { command: "ls", dangerouslyDisableSandbox: true }, "ask"],
  ["shell", { command: ["ls"], with_escalated_permissions: true }, "ask"],
  ["shell", { command: ["cat", "id_rsa"], workdir: "~/.ssh" }, "deny"],
  ["shell", { command: ["cat", "k"], workdir: "secrets" }, "deny"],
  ["shell", { command: ["cat", "../.env"], workdir: "src" }, "deny"],
  ["shell", { command: ["bash", "-lc", "cat .env"] }, "deny"],
  ["shell", { command: ["ls", 1] }, "deny"],
  ["shell", { command: [] }, "deny"],
  ["shell", { command: ["apply_patch", `${PATCH}*** Add File: .env\n+x\n*** End Patch`] }, "deny"],
  ["Bash", { command: `apply_patch <<'EOF'\n${PATCH}*** Add File: ../n\n+x\n*** End Patch\nEOF\n` }, "deny"],
  ["Monitor", { description: "x", command: "cat .env" }, "deny"],
  ["Read", { file_path: ".env" }, "deny"],
  ["Write", { file_path: ".git/config ", content: "x" }, "deny"],
  ["Write", { file_path: "@.git/config", content: "x" }, "deny"],
  ["Grep", { pattern: ".", glob: "*.{pem,key}" }, "deny"],
  ["Read", { path: "src/a.txt", file_path: ".env" }, "deny"],
  ["Read", { file_path: ["src/a.txt"] }, "deny"],
  ["Read", {}, "deny"],
  ["Read", { file_path: "" }, "deny"],
  ["Read", { file_path: "pipe" }, "deny"],
  ["view_image", { path: "../out.txt" }, "deny"],
  ["Write", { file_path: "new.pem", content: "x" }, "deny"],
  ["Write", { file_path: "src/n", content: {} }, "deny"],
  ["MultiEdit", { file_path: "src/a.txt", edits: [{ file_path: "../out.txt" }] }, "deny"],
  ["MultiEdit", { path: "notes.txt", paths: ["notes.txt", "/tmp"] }, "deny"],
  ["NotebookEdit", { notebook_path: "secrets/n.ipynb", new_source: "1" }, "deny"],
  ["apply_patch", { command: `${PATCH}*** Move to: ../x\n*** End Patch` }, "deny"],
  ["apply_patch", { command: `${PATCH}*** Delete File: .env\n*** End Patch` }, "deny"],
  ["apply_patch", { command: "diff --git a/x b/x" }, "deny"],
  ["apply_patch", { command: ["x"] }, "deny"],
  ["Grep", { pattern: ".", path: "~/.ssh" }, "deny"],
  ["Grep", { pattern: ".", glob: ".env*" }, "deny"],
  ["Grep", { pattern: ".", glob: "*.pem" }, "deny"],
  ["Glob", { pattern: "../**" }, "deny"],
  ["Glob", { pattern: "/etc/*" }, "deny"],
  ["WebFetch", { url: "https://example.com/", prompt: "x" }, "deny"],
  ["WebSearch", { query: "x" }, "deny"],
  ["Agent", { prompt: "x", mode: "bypassPermissions" }, "ask"],
  ["write_stdin", { session_id: 1, chars: "ls\n" }, "ask"],
  ["write_stdin", { session_id: 1, chars: "cat .env\n" }, "deny"],
  ["mcp__fs__read_file", { path: ".env" }, "deny"],
  ["mcp__fs__read_file", { path: "src/a.txt" }, "ask"],
  ["TotallyNew", {}, "ask"],
  ["__proto__", { toString: "x", constructor: {} }, "ask"],
];

describe("tools of agents", () => {
  it.each(ALLOWED)("%s %j: %s", (tool, args, outcome) => expect(disk.agent(tool, args)).toBe(outcome));
  it.each(READINGS)("%s %j: %s", (tool, args, outcome) => expect(disk.agent(tool, args)).toBe(outcome));
  it.each(REFUSED)("%s %j: %s", (tool, args, outcome) => expect(disk.agent(tool, args)).toBe(outcome));
});

describe("the network", () => {
  it.each([
    ["https://example.com/a?b=c", "allow"],
    ["file:///etc/passwd", "deny"],
    ["https://evil.invalid\0.example.com/", "deny"],
    ["https://a b/", "deny"],
    ["ftp://x/", "deny"],
  ] as const)("%j with it: %s", (url, outcome) => {
    expect(disk.agent("WebFetch", { url, prompt: "x" }, "allow_network = true")).toBe(outcome);
  });
});

describe("files that something else runs or obeys later", () => {
  it.each([
    [".git/hooks/pre-commit", "deny"],
    ["src/.git/config", "deny"],
    [".GIT/config", "deny"],
    [".git", "deny"],
    [".claude/settings.local.json", "deny"],
    [".codex/config.toml", "deny"],
    [".cursor/mcp.json", "deny"],
    [".mcp.json", "deny"],
    ["paldron.toml", "deny"],
    ["$W/policy/p.toml", "deny"],
    [".claude/skills/x/SKILL.md", "ask"],
    [".vscode/tasks.json", "ask"],
    [".venv/bin/python", "ask"],
    [".github/workflows/ci.yml", "ask"],
    ["packages/x/.npmrc", "ask"],
    [".mise.local.toml", "ask"],
    ["venv/lib/python3.12/site-packages/x.pth", "ask"],
    [".circleci/config.yml", "ask"],
    ["azure-pipelines.yml", "ask"],
    ["Jenkinsfile", "ask"],
    ["pipelines.yml", "allow"],
    ["src/x.pth", "allow"],
    [".gitignore", "allow"],
    ["src/git/config", "allow"],
    ["package.json", "allow"],
    ["policy/other.toml", "allow"],
  ] as const)("writing %s: %s", (path, outcome) => {
    expect(disk.agent("Write", { file_path: path, content: "x" })).toBe(outcome);
  });
  it("may be read", () => expect(disk.agent("Read", { file_path: ".git/HEAD" })).toBe("allow"));
  it("a link to one is one", () => {
    execFileSync("ln", ["-s", ".git", join(disk.workspace.root, "dotgit")]);
    expect(disk.agent("Write", { file_path: "dotgit/config", content: "x" })).toBe("deny");
  });
});

describe("the folder of the call", () => {
  it.each([
    ["$W", "a.txt", "allow"],
    ["$W/src", "a.txt", "allow"],
    ["$W/src", "../.env", "deny"],
    ["$T", "ws/src/a.txt", "deny"],
    ["/", "etc/passwd", "deny"],
    ["$W/secrets", "../src/a.txt", "deny"],
  ] as const)("%s: %s is %s", (folder, path, outcome) => {
    expect(disk.agent("Read", { file_path: path }, "", folder)).toBe(outcome);
  });
});

describe("unknown_tools", () => {
  it.each([
    ["allow", "allow", "allow"],
    ["ask", "ask", "ask"],
    ["deny", "deny", "deny"],
  ] as const)("%s holds for tools and for arguments", (choice, tool, argument) => {
    const policy = `unknown_tools = "${choice}"`;
    expect(disk.agent("TotallyNew", { x: "y" }, policy)).toBe(tool);
    expect(disk.agent("Bash", { command: "ls", extra: 1 }, policy)).toBe(argument);
    expect(disk.agent("Bash", { command: "ls", file: ".env" }, policy)).toBe("deny");
  });
});
