import type { JsonObject } from "../core/strict-json.ts";
import { bad, folderOf, json, objectOf, objectOrJson, refuseLookAlikes, SILENCE, textOf } from "./fields.ts";
import type { AgentProtocol, BeforeEvent, HookAnswer, HookEvent, HookReply } from "./types.ts";

const FIELDS = [
  "hook_event_name",
  "tool_name",
  "tool_input",
  "command",
  "cwd",
  "file_path",
  "workspace_roots",
];
const QUIET = new Set(
  (
    "sessionStart sessionEnd beforeSubmitPrompt afterFileEdit afterTabFileEdit afterAgentResponse afterAgentThought " +
    "subagentStart subagentStop preCompact stop postToolUseFailure"
  ).split(" "),
);
/** Where what came out of a call stands, by event. */
const OUTPUTS: Readonly<Record<string, string>> = {
  postToolUse: "tool_output",
  afterShellExecution: "output",
  afterMCPExecution: "result_json",
};

/**
 * Cursor, by its documentation; it was not run. `ask` holds for shell and MCP events only, `updated_input` for
 * `preToolUse` only. The payload carries the user's address, which goes nowhere.
 */
export const cursor: AgentProtocol = {
  decode,
  answer,
  clean: (_, { reason }) => json({ additional_context: `paldron: ${reason}` }),
  block: denial,
  rootVariable: "CURSOR_PROJECT_DIR",
};

function decode(payload: JsonObject): HookEvent {
  refuseLookAlikes(payload, FIELDS);
  const event = textOf(payload, "hook_event_name");
  if (QUIET.has(event)) return { kind: "nothing" };
  const field = Object.hasOwn(OUTPUTS, event) ? OUTPUTS[event] : undefined;
  if (field === undefined) return before(payload, event);
  return { kind: "after", event, output: payload[field] ?? "", root: rootOf(payload) };
}

function before(payload: JsonObject, event: string): BeforeEvent {
  const common = { kind: "before", event, folder: folderOf(payload, "cwd"), root: rootOf(payload) } as const;
  const asked = { ...common, rewrites: false, asks: true };
  switch (event) {
    case "preToolUse": {
      const [tool, args] = [textOf(payload, "tool_name"), objectOf(payload, "tool_input")];
      return { ...common, tool, args, rewrites: true, asks: false };
    }
    case "beforeShellExecution":
      return { ...asked, tool: "Shell", args: { command: textOf(payload, "command") } };
    case "beforeMCPExecution": {
      const args = objectOrJson(payload, "tool_input");
      return { ...asked, tool: `MCP:${textOf(payload, "tool_name")}`, args };
    }
    case "beforeReadFile":
    case "beforeTabFileRead":
      return { ...asked, tool: "Read", args: { file_path: textOf(payload, "file_path") }, asks: false };
    default:
      throw bad("its event is not known");
  }
}

function rootOf(payload: JsonObject): string | undefined {
  const roots = payload["workspace_roots"];
  const first: unknown = Array.isArray(roots) ? roots[0] : undefined;
  return typeof first === "string" && first.startsWith("/") ? first : undefined;
}

function shown(permission: "ask" | "deny", reason: string): HookReply {
  const message = `paldron: ${reason}`;
  return json({ permission, user_message: message, agent_message: message });
}

function denial(reason: string): HookReply {
  return { ...shown("deny", reason), exit: 2, stderr: `paldron: ${reason}\n` };
}

function answer(_: BeforeEvent, given: HookAnswer): HookReply {
  if (given.kind === "deny") return denial(given.reason);
  if (given.kind === "ask") return shown("ask", given.reason);
  return given.args === undefined ? SILENCE : json({ permission: "allow", updated_input: given.args });
}
