import { decodeNamed, forEvent, type NamedEvents, refusal, SILENCE } from "./fields.ts";
import type { AgentProtocol, BeforeEvent, HookAnswer, HookReply } from "./types.ts";

const EVENTS: NamedEvents = {
  quiet: new Set(
    "SessionStart SessionEnd UserPromptSubmit Stop SubagentStart SubagentStop PreCompact PostCompact".split(
      " ",
    ),
  ),
  before: {
    PreToolUse: { rewrites: true, asks: false },
    // A person is about to be asked anyway.
    PermissionRequest: { rewrites: false, asks: true },
  },
  after: "PostToolUse",
};

/**
 * Codex CLI. Measured with 0.171.0: one unknown field, an empty reason or `ask` lets the command run, so a denial is
 * exit 2 with text on stderr and nothing on stdout; `updatedInput` counts only together with `allow`, which by itself
 * approves nothing. What a hook says after a call goes to the model.
 */
export const codex: AgentProtocol = {
  decode: (payload) => decodeNamed(payload, EVENTS),
  answer,
  clean: (_, { reason, text }) => refusal(`${reason}; the output without them:\n${text}`),
  block: refusal,
};

function answer({ event }: BeforeEvent, given: HookAnswer): HookReply {
  if (event === "PermissionRequest") {
    if (given.kind !== "deny") return SILENCE;
    return forEvent(event, { decision: { behavior: "deny", message: `paldron: ${given.reason}` } });
  }
  if (given.kind !== "allow") return refusal(given.reason);
  if (given.args === undefined) return SILENCE;
  return forEvent(event, { permissionDecision: "allow", updatedInput: given.args });
}
