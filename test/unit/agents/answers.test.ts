import { describe, expect, it } from "vitest";
import { PROTOCOLS } from "../../../src/agents/protocols.ts";
import type { BeforeEvent, HookAnswer, HookReply } from "../../../src/agents/types.ts";
import { AGENTS } from "../../../src/cli/commands.ts";

const ARGS = { command: "x" };
const BEFORE: Readonly<Record<string, string>> = {
  claude: "PreToolUse",
  codex: "PreToolUse",
  gemini: "BeforeTool",
  qwen: "PreToolUse",
  copilot: "preToolUse",
  cursor: "preToolUse",
  opencode: "tool.execute.before",
  generic: "before",
};
const eventOf = (event: string): BeforeEvent => ({
  kind: "before",
  event,
  tool: "t",
  args: {},
  folder: undefined,
  rewrites: true,
  asks: true,
});
function protocolOf(agent: string) {
  const protocol = PROTOCOLS[agent];
  if (protocol === undefined) throw new Error(agent);
  return protocol;
}
const answer = (agent: string, given: HookAnswer, event = BEFORE[agent] ?? "") =>
  protocolOf(agent).answer(eventOf(event), given);
const said = (value: unknown): HookReply => ({ exit: 0, stdout: `${JSON.stringify(value)}\n`, stderr: "" });
const specific = (hookEventName: string, more: object) =>
  said({ hookSpecificOutput: { hookEventName, ...more } });
const refused: HookReply = { exit: 2, stdout: "", stderr: "paldron: why\n" };

it("the command line knows every protocol", () => expect(Object.keys(PROTOCOLS)).toEqual([...AGENTS]));

describe("allow", () => {
  it.each(AGENTS)("%s: silence", (agent) => {
    expect(answer(agent, { kind: "allow", args: undefined })).toEqual({ exit: 0, stdout: "", stderr: "" });
  });
  it.each([
    ["claude", specific("PreToolUse", { updatedInput: ARGS })],
    ["codex", specific("PreToolUse", { permissionDecision: "allow", updatedInput: ARGS })],
    [
      "gemini",
      said({ decision: "allow", hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: ARGS } }),
    ],
    ["copilot", said({ modifiedArgs: ARGS })],
    ["cursor", said({ permission: "allow", updated_input: ARGS })],
    ["opencode", said({ args: ARGS })],
    ["generic", said({ decision: "allow", args: ARGS })],
  ])("%s: with other arguments", (agent, reply) => {
    expect(answer(agent, { kind: "allow", args: ARGS })).toEqual(reply);
  });
  it("copilot's PascalCase event wants another field", () => {
    expect(answer("copilot", { kind: "allow", args: ARGS }, "PreToolUse")).toEqual(
      specific("PreToolUse", { updatedInput: ARGS }),
    );
  });
});

const SHOWN = { user_message: "paldron: why", agent_message: "paldron: why" };
const CURSOR_DENIAL = { ...said({ permission: "deny", ...SHOWN }), exit: 2, stderr: refused.stderr };
const OWN_DENIAL = {
  ...said({ decision: "deny", reason: "paldron: why" }),
  exit: 2,
  stderr: refused.stderr,
};

describe("deny", () => {
  it.each([
    ["claude", refused],
    ["codex", refused],
    ["gemini", refused],
    ["qwen", refused],
    ["copilot", said({ permissionDecision: "deny", permissionDecisionReason: "paldron: why" })],
    ["cursor", CURSOR_DENIAL],
    ["opencode", refused],
    ["generic", OWN_DENIAL],
  ])("%s", (agent, reply) => expect(answer(agent, { kind: "deny", reason: "why" })).toEqual(reply));
  it.each(["claude", "codex"])("%s: a permission request", (agent) => {
    const event = "PermissionRequest";
    expect(answer(agent, { kind: "deny", reason: "why" }, event)).toEqual(
      specific(event, { decision: { behavior: "deny", message: "paldron: why" } }),
    );
    expect(answer(agent, { kind: "ask", reason: "why", args: undefined }, event).stdout).toBe("");
  });
});

describe("what could not be judged is a block, with the reason", () => {
  it.each([
    ["claude", refused],
    ["codex", refused],
    ["gemini", refused],
    ["qwen", refused],
    ["copilot", refused],
    ["cursor", CURSOR_DENIAL],
    ["opencode", refused],
    ["generic", OWN_DENIAL],
  ])("%s", (agent, reply) => expect(protocolOf(agent).block("why")).toEqual(reply));
});

describe("ask", () => {
  const asked = { permissionDecision: "ask", permissionDecisionReason: "paldron: why" };
  it.each([
    ["claude", specific("PreToolUse", { ...asked, updatedInput: ARGS })],
    ["qwen", specific("PreToolUse", asked)],
    ["copilot", said({ ...asked, modifiedArgs: ARGS })],
    ["cursor", said({ permission: "ask", ...SHOWN })],
    [
      "generic",
      { ...said({ decision: "ask", reason: "paldron: why", args: ARGS }), exit: 2, stderr: refused.stderr },
    ],
  ])("%s", (agent, reply) =>
    expect(answer(agent, { kind: "ask", reason: "why", args: ARGS })).toEqual(reply),
  );
  it.each(["codex", "gemini", "opencode"])("%s cannot: never anything but a block", (agent) => {
    expect(answer(agent, { kind: "ask", reason: "why", args: ARGS })).toEqual(refused);
  });
});

describe("secrets in output", () => {
  const clean = (agent: string, event: string) =>
    protocolOf(agent).clean(
      { kind: "after", event, output: "" },
      { output: { a: "O" }, text: "T", reason: "why" },
    );
  const shown = { exit: 2, stdout: "", stderr: "paldron: why; the output without them:\nT\n" };
  it.each([
    [
      "claude",
      "PostToolUse",
      specific("PostToolUse", { updatedToolOutput: { a: "O" }, additionalContext: "paldron: why" }),
    ],
    ["codex", "PostToolUse", shown],
    ["gemini", "AfterTool", said({ decision: "deny", reason: "paldron: why; the output without them:\nT" })],
    [
      "qwen",
      "PostToolUse",
      said({ continue: false, stopReason: "paldron: why; the output without them:\nT" }),
    ],
    ["copilot", "postToolUse", said({ modifiedResult: { a: "O" }, additionalContext: "paldron: why" })],
    ["cursor", "afterShellExecution", said({ additional_context: "paldron: why" })],
    ["opencode", "tool.execute.after", said({ output: "T" })],
    ["generic", "after", said({ decision: "allow", reason: "paldron: why", output: { a: "O" } })],
  ])("%s", (agent, event, reply) => expect(clean(agent, event)).toEqual(reply));
});
