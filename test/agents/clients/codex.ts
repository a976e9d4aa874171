import { join } from "node:path";
import type { Call } from "../models/types.ts";
import { mcpPairs, type Pair, servers } from "../pairs.ts";
import { type Client, type Place, SECRET } from "../session.ts";
import { json, line } from "./settings.ts";

/** A patch that adds these files. */
function adding(...paths: readonly string[]): Call {
  const added = paths.map((path) => `*** Add File: ${path}\n+delta\n`).join("");
  return { tool: "apply_patch", input: {}, freeform: `*** Begin Patch\n${added}*** End Patch\n` };
}

/** A command that waits for text, and text for it. */
function typing(cmd: string, chars: string): readonly Call[] {
  return [
    { tool: "exec_command", input: { cmd, tty: true, yield_time_ms: 500 } },
    {
      tool: "write_stdin",
      input: { chars, yield_time_ms: 25_000 },
      from: { session_id: "session ID (\\d+)" },
    },
  ];
}

function pairs({ ws }: Place): readonly Pair[] {
  return [
    ...mcpPairs((server, tool, note) => ({ tool, namespace: `mcp__${server}`, input: { note } })),
    {
      what: "a patch of more than one file",
      denied: {
        calls: [adding(join(ws, "one.txt"), join(ws, ".cursor/mcp.json"))],
        trace: { file: "one.txt", holds: "delta" },
      },
      allowed: {
        calls: [adding(join(ws, "two.txt"), join(ws, "three.txt"))],
        trace: { file: "three.txt", holds: "delta" },
      },
    },
    {
      what: "text that is typed into a running shell",
      denied: {
        calls: typing("bash --norc", "cat .env > typed.txt; exit\n"),
        trace: { file: "typed.txt", holds: SECRET },
      },
      allowed: {
        calls: typing("head -n 1 > line.txt", "a line\n"),
        trace: { file: "line.txt", holds: "a line" },
      },
    },
  ];
}

export const codex: Client = {
  name: "codex",
  start: ({ codex, node }, place, hook) => {
    const { ws, home } = place;
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
${Object.entries(servers(node, place))
  .map(
    ([name, [command, ...args]]) =>
      `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
  )
  .join("")}`,
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
  unknown: ["exec_command.prefix_rule", "exec_command.shell", "read_mcp_resource"],
  notesTools: "mcp__notes__*",
  pairs,
  // It does not wait for the agent by itself.
  delegate: (message) => [
    { tool: "spawn_agent", namespace: "multi_agent_v1", input: { message } },
    {
      tool: "exec_command",
      input: { cmd: "until [ -e sub-ran.txt ]; do sleep 0.2; done", yield_time_ms: 28_000 },
    },
  ],
};
