import { join } from "node:path";
import type { Client } from "../session.ts";
import { json, line, TEXT } from "./settings.ts";

export const copilot: Client = {
  name: "copilot",
  start: ({ copilot }, { home }, hook) => {
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
};
