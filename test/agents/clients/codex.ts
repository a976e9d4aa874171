import { join } from "node:path";
import type { Client } from "../session.ts";
import { json, line } from "./settings.ts";

export const codex: Client = {
  name: "codex",
  start: ({ codex }, { ws, home }, hook) => {
    const folder = join(home, ".codex");
    const entry = hook && [{ hooks: [{ type: "command", command: line(hook), timeout: hook.timeoutSec }] }];
    return {
      program: codex,
      // Without a person nobody trusts the hook; `paldron doctor --agents` looks after that in earnest.
      args: [
        "exec",
        "--json",
        "--skip-git-repo-check",
        "--dangerously-bypass-hook-trust",
        "-m",
        "gpt-5.5",
        "go",
      ],
      env: { CODEX_HOME: folder },
      files: {
        ...(entry && {
          [join(folder, "hooks.json")]: json({ hooks: { PreToolUse: entry, PostToolUse: entry } }),
        }),
        [join(folder, "config.toml")]: `
model_provider = "script"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.script]
name = "script"
base_url = "http://127.0.0.1:{port}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[projects."${ws}"]
trust_level = "trusted"
`,
      },
    };
  },
  shell: (cmd) => ({ tool: "exec_command", input: { cmd } }),
  // The only tool that reads takes pictures.
  read: (path) => ({ tool: "view_image", input: { path } }),
  readable: { file: "a.png", shows: "data:image/png", secret: "key.pem", leaks: "data:image/png" },
  show: (path) => ({ tool: "exec_command", input: { cmd: `cat ${path}` } }),
  write: (path, text) => ({
    tool: "apply_patch",
    input: {},
    freeform: `*** Begin Patch\n*** Add File: ${path}\n+${text.trimEnd()}\n*** End Patch\n`,
  }),
};
