import { decodeNamed, forEvent, json, type NamedEvents, refusal, SILENCE } from "./fields.ts";
import type { AgentProtocol, BeforeEvent, HookAnswer, HookReply } from "./types.ts";

const EVENTS: NamedEvents = {
  quiet: new Set(
    (
      "SessionStart SessionEnd UserPromptSubmit Stop SubagentStart SubagentStop Notification PreCompact " +
      "PostToolUseFailure"
    ).split(" "),
  ),
  before: {
    PreToolUse: { rewrites: false, asks: true },
    // A person is about to be asked anyway.
    PermissionRequest: { rewrites: false, asks: true },
  },
  after: "PostToolUse",
};

/**
 * Qwen Code. Measured with 0.24.4: exit 2 with text on stderr blocks, without text it does not; `ask` in Claude's shape
 * is refused without a person; a changed input is not used, so nothing runs confined. After a call an exit 2 is not heeded;
 * `continue: false` puts its reason in the place of the output, and the model goes on.
 */
export const qwen: AgentProtocol = {
  decode: (payload) => decodeNamed(payload, EVENTS),
  answer,
  clean: (_, { reason, text }) =>
    json({ continue: false, stopReason: `paldron: ${reason}; the output without them:\n${text}` }),
  block: refusal,
  rootVariable: "QWEN_PROJECT_DIR",
};

function answer({ event }: BeforeEvent, given: HookAnswer): HookReply {
  if (given.kind === "allow") return SILENCE;
  if (given.kind === "deny") return refusal(given.reason);
  if (event === "PermissionRequest") return SILENCE;
  return forEvent(event, { permissionDecision: "ask", permissionDecisionReason: `paldron: ${given.reason}` });
}
