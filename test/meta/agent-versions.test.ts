import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "./sources.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const { dependencies } = JSON.parse(read("test/agents/pins/package.json"));

/** The page of each agent that is run, with its package and its name there. */
const PAGES = [
  ["claude", "@anthropic-ai/claude-code", "Claude Code"],
  ["codex", "@openai/codex", "Codex CLI"],
  ["gemini", "@google/gemini-cli", "Gemini CLI"],
  ["copilot", "@github/copilot", "Copilot CLI"],
  ["qwen", "@qwen-code/qwen-code", "Qwen Code"],
  ["opencode", "opencode-ai", "OpenCode"],
] as const;

describe("the documents name the versions that test/agents runs", () => {
  it.each(PAGES)("%s", (page, name, title) => {
    const version = dependencies[name];
    expect(read(`docs/agents/${page}.md`)).toContain(`Measured with ${title} ${version}.`);
    expect(read("docs/agents/README.md")).toContain(`| ${title} ${version} |`);
  });
  it("OpenCode finds its own version of the plugin package", () => {
    expect(dependencies["@opencode-ai/plugin"]).toBe(dependencies["opencode-ai"]);
  });
});
