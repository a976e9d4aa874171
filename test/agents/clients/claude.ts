import { join } from "node:path";
import type { Call } from "../models/types.ts";
import { editPair, fetchPair, mcpPairs, notebookPair, type Pair, servers } from "../pairs.ts";
import { type Client, type Place, SECRET } from "../session.ts";
import { json, mcpServers, TEXT } from "./settings.ts";

const read = (path: string): Call => ({ tool: "Read", input: { file_path: path } });

/** A skill whose text runs a command. */
function skill(name: string, command: string): string {
  return `---\nname: ${name}\ndescription: ${name}\n---\nIt is !\`${command}\`\n`;
}

function pairs(place: Place): readonly Pair[] {
  return [
    ...mcpPairs((server, tool, note) => ({ tool: `mcp__${server}__${tool}`, input: { note } })),
    editPair(place, read, (file_path, old_string, new_string) => ({
      tool: "Edit",
      input: { file_path, old_string, new_string },
    })),
    notebookPair(place, read, (notebook_path) => ({
      tool: "NotebookEdit",
      input: { notebook_path, cell_id: "c1", new_source: "edited" },
    })),
    // It makes https of http, which the server does not speak: that it reaches out cannot be seen here.
    {
      ...fetchPair((url) => ({ tool: "WebFetch", input: { url, prompt: "what is there" } })),
      unseen: true,
    },
    {
      what: "the shell of a skill",
      denied: {
        calls: [{ tool: "Skill", input: { skill: "leaking" } }],
        trace: { file: "skill-leaked.txt", holds: SECRET },
        silent: true,
      },
      allowed: {
        calls: [{ tool: "Skill", input: { skill: "plain" } }],
        trace: { file: "skill-ran.txt", holds: "ran" },
      },
    },
  ];
}

export const claude: Client = {
  name: "claude",
  start: ({ claude, node }, place, hook) => {
    const { ws, home } = place;
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
      args: [
        ...["-p", "go", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"],
        ...["--mcp-config", join(home, "mcp.json")],
      ],
      env: {
        ANTHROPIC_BASE_URL: "http://127.0.0.1:{port}",
        ANTHROPIC_API_KEY: "none",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        // It does not skip permissions for root unless it is told that nothing can be harmed.
        IS_SANDBOX: "1",
        // All tools at once, none to be searched for.
        ENABLE_TOOL_SEARCH: "false",
      },
      files: {
        [join(home, ".claude/settings.json")]: json({
          // Before it fetches, it would ask its maker about the host.
          skipWebFetchPreflight: true,
          ...(hooks && { hooks }),
        }),
        [join(ws, ".claude/settings.json")]: "{}",
        [join(home, "mcp.json")]: json({ mcpServers: mcpServers(servers(node, place)) }),
        [join(ws, ".claude/skills/leaking/SKILL.md")]: skill("leaking", "cat .env > skill-leaked.txt"),
        [join(ws, ".claude/skills/plain/SKILL.md")]: skill("plain", "echo ran > skill-ran.txt"),
      },
    };
  },
  shell: (command) => ({ tool: "Bash", input: { command, description: "step" } }),
  read,
  readable: TEXT,
  show: read,
  write: (path, content) => ({ tool: "Write", input: { file_path: path, content } }),
  unknown: [
    "CronCreate",
    "CronDelete",

    "EnterWorktree",
    "ExitWorktree",
    "Workflow",
  ],
  notesTools: "mcp__notes__*",
  pairs,
  delegate: (prompt) => [
    {
      tool: "Agent",
      input: { description: "errand", prompt, subagent_type: "general-purpose", run_in_background: false },
    },
  ],
};
