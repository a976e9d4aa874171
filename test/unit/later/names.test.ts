import { expect, test } from "vitest";
import { isLaterTopName, laterFile, laterPatterns } from "../../../src/later/names.ts";

test.each([
  [".claude/settings.json", "deny"],
  [".CLAUDE/Settings.json", "deny"],
  ["packages/a/.claude/hooks/x.sh", "deny"],
  [".claude", "deny"],
  [".claude/worktrees/x/src/a.ts", undefined],
  [".claude/worktrees/x/.claude/settings.json", "deny"],
  [".mcp.json", "deny"],
  ["sub/.mcp.json", "deny"],
  [".vscode/tasks.json", "deny"],
  [".vscode/extensions.json", undefined],
  [".idea/runConfigurations/x.xml", "deny"],
  [".idea/vcs.xml", undefined],
  [".annalist/log", "deny"],
  [".bashrc", "deny"],
  ["docker/.bashrc", "report"],
  [".envrc", "deny"],
  ["a.code-workspace", "deny"],
  [".github/copilot/settings.json", "deny"],
  [".github/hooks/x.json", "deny"],
  [".github/workflows/x.yml", "report"],
  [".github/CODEOWNERS", undefined],
  [".husky/pre-commit", "report"],
  ["package.json", "report"],
  ["sub/package.json", undefined],
  [".tool-versions", "report"],
  ["paldron.toml", "report"],
  ["AGENTS.md", "report"],
  ["eslint.config.js", "report"],
  [".babelrc.cjs", "report"],
  ["sub/eslint.config.js", undefined],
  ["node_modules/x/.vscode/tasks.json", undefined],
  [".git/.vscode/tasks.json", undefined],
  [".helix/languages.toml", "deny"],
  ["sub/.amp/settings.json", "deny"],
  [".clinerules/hooks/PreToolUse", "deny"],
  [".clinerules/style.md", "report"],
  [".agents/skills/a/SKILL.md", "report"],
  [".githooks/pre-commit", "report"],
  [".github/copilot-instructions.md", "report"],
  [".pdbrc", "deny"],
  ["sub/.irbrc", "report"],
  ["nodemon.json", "report"],
  [".Rprofile", "report"],
  ["tasks.py", "report"],
  ["sub/tasks.py", undefined],
  ["src/main.ts", undefined],
  ["src/claude/settings.json", undefined],
  [".bashrc/x", undefined],
])("%s: %s", (path, level) => expect(laterFile(path)?.level).toBe(level));

test("every name that counts below the workspace is looked for by the walk", () => {
  const { deep, alone } = laterPatterns();
  for (const path of [".claude", ".vscode", ".github"]) expect(deep).toContain(path);
  for (const name of [".mcp.json", ".envrc", "HEAD", ".git"]) expect(alone).toContain(name);
  for (const name of ["package.json", "MAKEFILE", ".tool-versions", "eslint.config.mjs", ".eslintrc.js"])
    expect([name, isLaterTopName(name)]).toEqual([name, true]);
  for (const name of [".mcp.json", ".claude", "README.md", "app.config.json", "config.js"])
    expect([name, isLaterTopName(name)]).toEqual([name, false]);
  expect(alone).not.toContain("package.json");
});
