import { join } from "node:path";
import type { Client } from "../session.ts";
import { json, TEXT } from "./settings.ts";

export const claude: Client = {
  name: "claude",
  start: ({ claude }, { ws, home }, hook) => {
    const entry = hook && {
      type: "command",
      command: hook.program,
      args: hook.args,
      timeout: hook.timeoutSec,
    };
    const hooks = entry && {
      PreToolUse: [{ matcher: "*", hooks: [{ ...entry, onFailure: "block" }] }],
      PostToolUse: [{ matcher: "*", hooks: [entry] }],
    };
    return {
      program: claude,
      args: ["-p", "go", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"],
      env: {
        ANTHROPIC_BASE_URL: "http://127.0.0.1:{port}",
        ANTHROPIC_API_KEY: "none",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        // It does not skip permissions for root unless it is told that nothing can be harmed.
        IS_SANDBOX: "1",
      },
      files: {
        [join(home, ".claude/settings.json")]: json(hooks ? { hooks } : {}),
        [join(ws, ".claude/settings.json")]: "{}",
      },
    };
  },
  shell: (command) => ({ tool: "Bash", input: { command, description: "step" } }),
  read: (path) => ({ tool: "Read", input: { file_path: path } }),
  readable: TEXT,
  show: (path) => ({ tool: "Read", input: { file_path: path } }),
  write: (path, content) => ({ tool: "Write", input: { file_path: path, content } }),
};
