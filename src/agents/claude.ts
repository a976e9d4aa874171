import type { JsonObject } from "../core/strict-json.ts";
import { decodeNamed, forEvent, type NamedEvents, refusal, SILENCE, textOf } from "./fields.ts";
import type { AgentProtocol, BeforeEvent, HookAnswer, HookEvent, HookReply } from "./types.ts";

const EVENTS: NamedEvents = {
  quiet: new Set(
    (
      "SessionStart SessionEnd UserPromptSubmit UserPromptExpansion Stop StopFailure SubagentStart SubagentStop " +
      "Notification PreCompact PostCompact PostToolBatch PostToolUseFailure PermissionDenied Setup TaskCreated " +
      "TaskCompleted TeammateIdle InstructionsLoaded CwdChanged FileChanged"
    ).split(" "),
  ),
  before: {
    PreToolUse: { rewrites: true, asks: true },
    // A person is about to be asked anyway.
    PermissionRequest: { rewrites: false, asks: true },
    // The shell of a skill can be stopped, not changed.
    PreSkillShellCommand: { rewrites: false, asks: false },
  },
  after: "PostToolUse",
};

/**
 * Claude Code. Measured with 2.1.332: exit 2 blocks whatever stands on stdout; `updatedInput` without a decision
 * changes the call and leaves the permission to Claude, so that no prompt is skipped; the object replaces the input.
 */
export const claude: AgentProtocol = {
  decode,
  answer,
  clean: ({ event }, { output, reason }) =>
    forEvent(event, { updatedToolOutput: output, additionalContext: `paldron: ${reason}` }),
  block: refusal,
  rootVariable: "CLAUDE_PROJECT_DIR",
};

function decode(payload: JsonObject): HookEvent {
  if (payload["hook_event_name"] !== "ConfigChange") return decodeNamed(payload, EVENTS);
  return { kind: "settings", source: textOf(payload, "source") };
}

function answer({ event }: BeforeEvent, given: HookAnswer): HookReply {
  if (given.kind === "deny") {
    if (event !== "PermissionRequest") return refusal(given.reason);
    return forEvent(event, { decision: { behavior: "deny", message: `paldron: ${given.reason}` } });
  }
  if (event === "PermissionRequest") return SILENCE;
  const changed: JsonObject = given.args === undefined ? {} : { updatedInput: given.args };
  if (given.kind === "allow") return given.args === undefined ? SILENCE : forEvent(event, changed);
  const reason = `paldron: ${given.reason}`;
  return forEvent(event, { permissionDecision: "ask", permissionDecisionReason: reason, ...changed });
}
