import { join } from "node:path";
import { editPair, mcpPairs, searchPair, servers } from "../pairs.ts";
import type { Client } from "../session.ts";
import { json, line, mcpServers, TEXT } from "./settings.ts";

export const gemini: Client = {
  name: "gemini",
  start: ({ gemini, node }, place, hook) => {
    const { ws, home } = place;
    const entry = hook && {
      type: "command",
      command: line(hook),
      timeout: hook.timeoutSec * 1000,
    };
    const hooks = entry && {
      BeforeTool: [{ matcher: "*", hooks: [{ ...entry, name: "before" }] }],
      AfterTool: [{ matcher: "*", hooks: [{ ...entry, name: "after" }] }],
    };
    return {
      program: gemini,
      args: ["-m", "gemini-2.5-pro", "--approval-mode", "yolo", "--output-format", "stream-json", "-p", "go"],
      env: {
        GEMINI_API_KEY: "none",
        GOOGLE_GEMINI_BASE_URL: "http://127.0.0.1:{port}",
        GEMINI_CLI_TRUST_WORKSPACE: "true",
      },
      files: {
        [join(home, ".gemini/settings.json")]: json({
          security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
          general: { disableAutoUpdate: true, enableAutoUpdate: false },
          mcpServers: mcpServers(servers(node, place)),
          ...(hooks && { hooks }),
        }),
        [join(ws, ".gemini/settings.json")]: "{}",
      },
    };
  },
  shell: (command) => ({ tool: "run_shell_command", input: { command, description: "step" } }),
  read: (path) => ({ tool: "read_file", input: { file_path: path } }),
  readable: TEXT,
  show: (path) => ({ tool: "read_file", input: { file_path: path } }),
  write: (path, content) => ({ tool: "write_file", input: { file_path: path, content } }),
  unknown: [],
  notesTools: "mcp_notes_*",
  pairs: (place) => [
    ...mcpPairs((server, tool, note) => ({ tool: `mcp_${server}_${tool}`, input: { note } })),
    editPair(
      place,
      (file_path) => ({ tool: "read_file", input: { file_path } }),
      (file_path, old_string, new_string) => ({
        tool: "replace",
        input: { file_path, instruction: "step", old_string, new_string },
      }),
    ),
    searchPair(place, (pattern, dir_path) => ({ tool: "grep_search", input: { pattern, dir_path } })),
  ],
  delegate: (prompt) => [{ tool: "invoke_agent", input: { agent_name: "generalist", prompt } }],
};
