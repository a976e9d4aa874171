import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../meta/sources.ts";
import { editPair, fetchPair, mcpPairs, searchPair, servers } from "../pairs.ts";
import type { Client, Hook } from "../session.ts";
import { json, TEXT } from "./settings.ts";

/** The example, as a person would put it in place; shorter of patience where the hook shall be. */
function plugin(hook: Hook): string {
  const text = readFileSync(join(ROOT, "examples/opencode/paldron.js"), "utf8");
  const command = [hook.program, ...hook.args];
  return text
    .replace(/const COMMAND = .*;/, () => `const COMMAND = ${JSON.stringify(command)};`)
    .replace(/const TIMEOUT_MS = .*;/, `const TIMEOUT_MS = ${hook.timeoutSec * 1000};`);
}

export const opencode: Client = {
  name: "opencode",
  start: ({ opencode, opencodePlugin, node }, place, hook) => {
    const { ws, home } = place;
    const folder = join(home, ".config/opencode");
    // It installs this package into its folder of settings at each start, unless it finds it there.
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(opencodePlugin, "../../.."), join(folder, "node_modules"));
    const { version } = JSON.parse(readFileSync(opencodePlugin, "utf8"));
    return {
      program: opencode,
      args: ["run", "--format", "json", "go"],
      env: {
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      },
      files: {
        [join(folder, "package.json")]: json({ dependencies: { "@opencode-ai/plugin": version } }),
        [join(ws, "opencode.json")]: json({
          autoupdate: false,
          share: "disabled",
          mcp: Object.fromEntries(
            Object.entries(servers(node, place)).map(([name, command]) => [name, { type: "local", command }]),
          ),
          model: "script/script",
          small_model: "script/script",
          provider: {
            script: {
              npm: "@ai-sdk/openai-compatible",
              name: "script",
              options: { baseURL: "http://127.0.0.1:{port}/v1", apiKey: "none" },
              models: {
                script: { name: "script", tool_call: true, limit: { context: 100000, output: 4096 } },
              },
            },
          },
        }),
        ...(hook && { [join(folder, "plugins/paldron.js")]: plugin(hook) }),
      },
    };
  },
  shell: (command) => ({ tool: "bash", input: { command, description: "step" } }),
  read: (filePath) => ({ tool: "read", input: { filePath } }),
  readable: TEXT,
  show: (filePath) => ({ tool: "read", input: { filePath } }),
  write: (filePath, content) => ({ tool: "write", input: { filePath, content } }),
  unknown: [],
  notesTools: "notes_*",
  pairs: (place) => [
    ...mcpPairs((server, tool, note) => ({ tool: `${server}_${tool}`, input: { note } })),
    editPair(
      place,
      (filePath) => ({ tool: "read", input: { filePath } }),
      (filePath, oldString, newString) => ({ tool: "edit", input: { filePath, oldString, newString } }),
    ),
    searchPair(place, (pattern, path) => ({ tool: "grep", input: { pattern, path } })),
    fetchPair((url) => ({ tool: "webfetch", input: { url, format: "text" } })),
  ],
  delegate: (prompt) => [
    { tool: "task", input: { description: "errand", prompt, subagent_type: "general" } },
  ],
};
