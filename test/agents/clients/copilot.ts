import { join } from "node:path";
import { editPair, mcpPairs, searchPair, servers } from "../pairs.ts";
import type { Client } from "../session.ts";
import { json, line, mcpServers, TEXT } from "./settings.ts";

export const copilot: Client = {
  name: "copilot",
  start: ({ copilot, node }, place, hook) => {
    const { home } = place;
    const entry = hook && [{ type: "command", bash: line(hook), timeoutSec: hook.timeoutSec }];
    return {
      program: copilot,
      args: ["-p", "go", "--allow-all"],
      env: {
        COPILOT_PROVIDER_BASE_URL: "http://127.0.0.1:{port}/v1",
        COPILOT_PROVIDER_API_KEY: "none",
        COPILOT_MODEL: "script",
        COPILOT_OFFLINE: "true",
        COPILOT_AUTO_UPDATE: "false",
      },
      files: {
        [join(home, ".copilot/mcp-config.json")]: json({
          mcpServers: mcpServers(servers(node, place), { type: "local", tools: ["*"] }),
        }),
        ...(entry && {
          [join(home, ".copilot/hooks/gate.json")]: json({
            version: 1,
            hooks: { preToolUse: entry, postToolUse: entry },
          }),
        }),
      },
    };
  },
  shell: (command) => ({
    tool: "bash",
    input: { command, description: "step", mode: "sync", initial_wait: 30 },
  }),
  read: (path) => ({ tool: "view", input: { path } }),
  readable: TEXT,
  show: (path) => ({ tool: "view", input: { path } }),
  write: (path, file_text) => ({ tool: "create", input: { path, file_text } }),
  unknown: ["fetch_copilot_cli_documentation", "session_store_sql", "sql"],
  notesTools: "notes-*",
  pairs: (place) => [
    ...mcpPairs((server, tool, note) => ({ tool: `${server}-${tool}`, input: { note } })),
    editPair(
      place,
      (path) => ({ tool: "view", input: { path } }),
      (path, old_str, new_str) => ({ tool: "edit", input: { path, old_str, new_str } }),
    ),
    searchPair(place, (pattern, path) => ({
      tool: "grep",
      input: { pattern, paths: path, output_mode: "content" },
    })),
  ],
  delegate: (prompt) => [
    {
      tool: "task",
      input: { name: "errand", description: "errand", prompt, agent_type: "general-purpose", mode: "sync" },
    },
  ],
};
