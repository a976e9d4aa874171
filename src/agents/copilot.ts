import { isJsonObject, type JsonObject } from "../core/strict-json.ts";
import {
  bad,
  folderOf,
  forEvent,
  json,
  objectOrJson,
  refusal,
  refuseLookAlikes,
  SILENCE,
  textOf,
} from "./fields.ts";
import type { AgentProtocol, BeforeEvent, HookAnswer, HookEvent, HookReply } from "./types.ts";

const CAMEL = ["hookName", "toolName", "toolArgs", "toolInput", "toolResult", "cwd", "serverName"];
const PASCAL = ["hook_event_name", "tool_name", "tool_input", "tool_result", "cwd"];
/** Fields that only a call has; sessions, prompts and ends have none of them. */
const OF_CALLS = ["toolName", "toolArgs", "toolInput", "toolResult", "serverName", "tool_name", "tool_input"];
const QUIET = new Set(
  (
    "SessionStart SessionEnd UserPromptSubmit UserPromptSubmitted Stop AgentStop SubagentStart SubagentStop " +
    "ErrorOccurred PostToolUseFailure"
  ).split(" "),
);

/**
 * GitHub Copilot CLI. Measured with 1.0.102: the reason of an exit 2 is not shown, so a denial is JSON and exit 0; any
 * failure of the hook blocks. Events in camelCase carry no name and are told by their fields; those in PascalCase have
 * Claude's fields and want `updatedInput`. A change without a decision counts, and leaves the permission to Copilot.
 */
export const copilot: AgentProtocol = {
  decode,
  answer,
  clean: ({ event }, { output, reason }) =>
    event === "postToolUse"
      ? json({ modifiedResult: output, additionalContext: `paldron: ${reason}` })
      : forEvent(event, { updatedToolOutput: output, additionalContext: `paldron: ${reason}` }),
  block: refusal,
};

function decode(payload: JsonObject): HookEvent {
  const isPascal = "hook_event_name" in payload;
  refuseLookAlikes(payload, isPascal ? PASCAL : CAMEL);
  return isPascal ? decodePascal(payload) : decodeCamel(payload);
}

function decodeCamel(payload: JsonObject): HookEvent {
  if (!OF_CALLS.some((field) => field in payload)) {
    if (typeof payload["sessionId"] === "string") return { kind: "nothing" };
    throw bad("it names no tool");
  }
  const tool = textOf(payload, "toolName");
  if ("toolResult" in payload) return after(payload, "postToolUse", "toolResult");
  // Before a call to an MCP server; the same call was judged as a tool already.
  if ("serverName" in payload) return { kind: "nothing" };
  if (payload["hookName"] === "permissionRequest") {
    return { ...before(payload, "permissionRequest", tool, "toolInput"), rewrites: false };
  }
  if ("hookName" in payload) throw bad("its event is not known");
  return before(payload, "preToolUse", tool, "toolArgs");
}

function decodePascal(payload: JsonObject): HookEvent {
  const event = textOf(payload, "hook_event_name");
  if (QUIET.has(event)) return { kind: "nothing" };
  const tool = textOf(payload, "tool_name");
  if (event === "PostToolUse") return after(payload, event, "tool_result");
  if (event !== "PreToolUse") throw bad("its event is not known");
  return before(payload, event, tool, "tool_input");
}

function before(payload: JsonObject, event: string, tool: string, field: string): BeforeEvent {
  const args = objectOrJson(payload, field);
  return { kind: "before", event, tool, args, folder: folderOf(payload, "cwd"), rewrites: true, asks: true };
}

function after(payload: JsonObject, event: string, field: string): HookEvent {
  const output = payload[field];
  if (!isJsonObject(output)) throw bad(`\`${field}\` is no object`);
  return { kind: "after", event, output };
}

function answer({ event }: BeforeEvent, given: HookAnswer): HookReply {
  if (given.kind === "allow" && given.args === undefined) return SILENCE;
  const reason = given.kind === "allow" ? "" : `paldron: ${given.reason}`;
  // A person is about to be asked anyway.
  if (event === "permissionRequest")
    return given.kind === "deny" ? json({ behavior: "deny", message: reason }) : SILENCE;
  const isCamel = event === "preToolUse";
  const args = given.kind === "deny" ? undefined : given.args;
  const decision: JsonObject = {
    ...(given.kind === "allow" ? {} : { permissionDecision: given.kind, permissionDecisionReason: reason }),
    ...(args === undefined ? {} : { [isCamel ? "modifiedArgs" : "updatedInput"]: args }),
  };
  return isCamel ? json(decision) : forEvent(event, decision);
}
