import { join } from "node:path";
import type { Call } from "../models/types.ts";
import { editPair, fetchPair, mcpPairs, notebookPair, searchPair, servers } from "../pairs.ts";
import type { Client } from "../session.ts";
import { json, line, mcpServers, TEXT } from "./settings.ts";

const read = (path: string): Call => ({ tool: "read_file", input: { file_path: path } });
/** A tool that the model has to search for is called through another one. */
const deferred = (name: string, args: object): Call => ({
  tool: "tool_call",
  input: { name, arguments: args },
});

export const qwen: Client = {
  name: "qwen",
  start: ({ qwen, node }, place, hook) => {
    const { ws, home } = place;
    const entry = hook && [
      {
        matcher: "*",
        hooks: [{ type: "command", name: "gate", command: line(hook), timeout: hook.timeoutSec * 1000 }],
      },
    ];
    return {
      program: qwen,
      args: [
        ...["--approval-mode", "yolo", "--auth-type", "openai", "-m", "script"],
        ...["--openai-api-key", "none", "--openai-base-url", "http://127.0.0.1:{port}/v1"],
        ...["--output-format", "stream-json", "go"],
      ],
      env: {},
      files: {
        [join(home, ".qwen/settings.json")]: json({
          security: { auth: { selectedType: "openai" } },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
          general: { disableAutoUpdate: true, enableAutoUpdate: false },
          mcpServers: mcpServers(servers(node, place)),
          ...(entry && { hooks: { PreToolUse: entry, PostToolUse: entry } }),
        }),
        [join(ws, ".qwen/settings.json")]: "{}",
      },
    };
  },
  shell: (command) => ({
    tool: "run_shell_command",
    input: { command, description: "step", is_background: false },
  }),
  read,
  readable: TEXT,
  show: read,
  write: (path, content) => ({ tool: "write_file", input: { file_path: path, content } }),
  unknown: ["tool_call"],
  notesTools: "mcp__notes__*",
  pairs: (place) => [
    ...mcpPairs((server, tool, note) => deferred(`mcp__${server}__${tool}`, { note })),
    editPair(place, read, (file_path, old_string, new_string) => ({
      tool: "edit",
      input: { file_path, old_string, new_string },
    })),
    notebookPair(place, read, (notebook_path) => ({
      tool: "notebook_edit",
      input: { notebook_path, cell_id: "c1", new_source: "edited" },
    })),
    searchPair(place, (pattern, path) => ({ tool: "grep_search", input: { pattern, path } })),
    fetchPair((url) => deferred("web_fetch", { url, prompt: "what is there" })),
  ],
  delegate: (prompt) => [
    {
      tool: "agent",
      input: { description: "errand", prompt, subagent_type: "general-purpose", run_in_background: false },
    },
  ],
};
