import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentTool } from "../../../src/tools/agent-tools.ts";
import { type HookPlace, layHookPlace, outcomeOf, RECORDED } from "./recorded.ts";

let place: HookPlace;
beforeAll(() => {
  place = layHookPlace();
});
afterAll(() => place.remove());

/** What becomes of the payloads of each file, in order. */
const OUTCOMES: Readonly<Record<string, string>> = {
  "claude-Agent": "silent silent rewrite silent silent silent",
  "claude-Bash": "silent silent block clean silent silent silent",
  "claude-BashBackground": "rewrite silent",
  "claude-Edit": "silent silent",
  "claude-Monitor": "rewrite silent",
  "claude-NotebookEdit": "silent silent silent silent",
  "claude-Read": "block clean",
  "claude-ReadRelative": "block clean",
  "claude-Skill": "silent silent silent",
  "claude-Task": "silent silent rewrite silent silent silent",
  "claude-WebFetch": "block silent",
  "claude-WebSearch": "block silent",
  "claude-Write": "silent silent",
  "claude-mcp": "ask silent",
  "codex-apply_patch-through-shell": "rewrite",
  "codex-apply_patch": "silent silent",
  "codex-codemode-apply_patch": "silent silent",
  "codex-codemode-exec": "block silent",
  "codex-codemode-write_stdin": "block",
  "codex-exec_command": "silent silent block silent silent",
  "codex-mcp": "block silent",
  "codex-spawn_agent": "silent silent silent rewrite rewrite silent silent",
  "codex-view_image": "block",
  "codex-write_stdin": "block",
  "copilot-bash-from-claude-settings": "rewrite",
  "copilot-bash-pascal": "block block clean",
  "copilot-bash": "silent silent block block clean silent silent",
  "copilot-create": "silent silent silent",
  "copilot-edit-pascal": "silent silent silent",
  "copilot-edit": "silent silent silent",
  "copilot-glob": "silent silent",
  "copilot-grep": "silent clean",
  "copilot-mcp": "ask silent silent silent",
  "copilot-task": "silent silent rewrite silent silent silent",
  "copilot-view-pascal": "block clean",
  "copilot-view": "block clean",
  "copilot-write_bash": "block block silent",
  "gemini-glob": "silent silent",
  "gemini-grep_search": "silent silent",
  "gemini-invoke_agent": "silent rewrite silent silent",
  "gemini-list_directory": "silent silent",
  "gemini-mcp": "block silent",
  "gemini-read_file": "silent silent",
  "gemini-replace": "silent silent",
  "gemini-run_shell_command": "silent silent rewrite silent silent silent",
  "gemini-web_fetch": "block silent",
  "gemini-write_file": "silent silent",
  "opencode-bash": "block silent",
  "opencode-edit": "silent silent silent silent",
  "opencode-mcp": "block silent",
  "opencode-read-plain": "silent silent",
  "opencode-read": "block",
  "opencode-task": "silent rewrite silent silent",
  "opencode-write": "silent silent",
  "qwen-edit": "silent silent",
  "qwen-read_file": "block",
  "qwen-run_shell_command": "block",
  "qwen-write_file": "silent",
};

const outcomes = async (agent: string, payloads: readonly unknown[]): Promise<string> => {
  const found: string[] = [];
  for (const payload of payloads) found.push(outcomeOf(agent, await place.hook(agent, payload)));
  return found.join(" ");
};

describe("recorded payloads", () => {
  it("there are some of every client that was run", () => {
    expect(new Set(RECORDED.map(({ agent }) => agent))).toEqual(
      new Set(["claude", "codex", "copilot", "gemini", "opencode", "qwen"]),
    );
  });
  it.each(RECORDED)("$file", async ({ file, agent, payloads }) => {
    expect(await outcomes(agent, payloads)).toBe(OUTCOMES[file]);
  });
});

/** The arguments of a payload, where its protocol has them. */
function argumentsOf(payload: Record<string, unknown>): Record<string, unknown> | undefined {
  const output = payload["output"] as Record<string, unknown> | undefined;
  const found = payload["tool_input"] ?? payload["toolArgs"] ?? output?.["args"];
  return found as Record<string, unknown> | undefined;
}

function toolOf(payload: Record<string, unknown>): string {
  const input = payload["input"] as Record<string, unknown> | undefined;
  return String(payload["tool_name"] ?? payload["toolName"] ?? input?.["tool"]);
}

/** What is forbidden for an argument, by what it is. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  read: "/tmp/probe/ws/.env",
  write: "/tmp/probe/ws/.git/hooks/pre-commit",
  search: "/etc",
  command: "cat .env",
  patch: "*** Begin Patch\n*** Delete File: .env\n*** End Patch\n",
  url: "file:///etc/passwd",
};
const BEFORE = new Set([
  "PreToolUse",
  "PreSkillShellCommand",
  "BeforeTool",
  "tool.execute.before",
  undefined,
]);

describe("every field that matters is judged", () => {
  const cases = RECORDED.flatMap(({ file, agent, payloads }) =>
    payloads.flatMap((payload) => {
      const event = payload["hook_event_name"] ?? payload["hook"] ?? payload["hookName"];
      const args = argumentsOf(payload);
      if (args === undefined || !BEFORE.has(event as string | undefined) || "toolResult" in payload)
        return [];
      return Object.keys(args).flatMap((key) => {
        const value = FORBIDDEN[agentTool(toolOf(payload))?.args?.[key] ?? ""];
        return value === undefined ? [] : [{ file, agent, payload, key, value }];
      });
    }),
  );
  it("there are some of each kind", () => expect(cases.length).toBeGreaterThan(30));
  it.each(cases)("$file: $key", async ({ agent, payload, key, value }) => {
    const changed = structuredClone(payload);
    const args = argumentsOf(changed);
    if (args !== undefined) args[key] = value;
    expect(outcomeOf(agent, await place.hook(agent, changed))).toBe("block");
  });
  it.each(cases)("$file: the folder, with $key", async ({ agent, payload }) => {
    const changed = structuredClone(payload) as Record<string, unknown>;
    const field = agent === "opencode" ? "directory" : "cwd";
    changed[field] = "/etc";
    expect(outcomeOf(agent, await place.hook(agent, changed))).toBe("block");
  });
});
