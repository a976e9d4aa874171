import { describe, expect, it } from "vitest";
import { agentTool } from "../../../src/tools/agent-tools.ts";

/** Tools that run something, touch files or reach out, as the clients' own programs name them. */
const TOUCHING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude: {
    shell: "Bash Monitor",
    typed: "PowerShell REPL",
    read: "Read LSP SendUserFile",
    write: "Write Edit NotebookEdit",
    search: "Glob Grep",
    network: "WebFetch WebSearch Artifact",
    agent: "Agent Task SendMessage",
  },
  codex: {
    shell: "Bash shell exec_command local_shell shell_command",
    typed: "write_stdin js_repl",
    read: "view_image",
    patch: "apply_patch",
    network: "web_search",
    agent: "spawn_agent send_input followup_task multi_agent_v1spawn_agent multi_agent_v1send_input",
  },
  gemini: {
    shell: "run_shell_command",
    read: "read_file read_many_files",
    write: "write_file replace",
    search: "grep_search glob list_directory",
    network: "web_fetch google_web_search",
    agent: "invoke_agent",
  },
  copilot: {
    shell: "bash",
    typed: "write_bash powershell write_powershell",
    read: "view",
    write: "create edit str_replace_editor",
    patch: "apply_patch",
    search: "grep glob rg",
    network: "web_fetch web_search",
    agent: "task write_agent",
  },
  opencode: {
    shell: "bash",
    read: "read lsp",
    write: "write edit",
    patch: "apply_patch",
    search: "grep glob list",
    network: "webfetch websearch",
    agent: "task",
  },
  qwen: {
    shell: "run_shell_command monitor",
    read: "read_file lsp display_image",
    write: "write_file edit notebook_edit",
    search: "grep_search glob list_directory",
    network: "web_fetch web_search artifact",
    agent: "agent send_message",
  },
};

describe("the tools of agents", () => {
  const cases = Object.entries(TOUCHING).flatMap(([agent, kinds]) =>
    Object.entries(kinds).flatMap(([kind, names]) => names.split(" ").map((name) => [agent, name, kind])),
  );
  it.each(cases)("%s: %s is a tool of kind %s", (_, name, kind) => {
    expect(agentTool(name ?? "")?.kind).toBe(kind);
  });
  it.each([
    // Memory is obeyed later; the others start what no hook sees, or loosen what the client holds.
    "save_memory",
    "Workflow",
    "CronCreate",
    "RemoteTrigger",
    "EnterWorktree",
    "request_permissions",
    "sql",
    "mcp__server__tool",
    "constructor",
    "__proto__",
  ])("%s is not known, so that the policy says what becomes of it", (name) => {
    expect(agentTool(name)).toBeUndefined();
  });
});
