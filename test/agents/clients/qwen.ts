import { join } from "node:path";
import type { Client } from "../session.ts";
import { json, line, TEXT } from "./settings.ts";

export const qwen: Client = {
  name: "qwen",
  start: ({ qwen }, { ws, home }, hook) => {
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
  read: (path) => ({ tool: "read_file", input: { file_path: path } }),
  readable: TEXT,
  show: (path) => ({ tool: "read_file", input: { file_path: path } }),
  write: (path, content) => ({ tool: "write_file", input: { file_path: path, content } }),
};
