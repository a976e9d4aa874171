import { decodeNamed, json, type NamedEvents, refusal, SILENCE } from "./fields.ts";
import type { AgentProtocol, BeforeEvent, HookAnswer, HookReply } from "./types.ts";

const EVENTS: NamedEvents = {
  quiet: new Set(
    (
      "SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection Notification " +
      "PreCompress"
    ).split(" "),
  ),
  before: { BeforeTool: { rewrites: true, asks: false } },
  after: "AfterTool",
};

/**
 * Gemini CLI. Measured with 0.61.0: JSON on stdout counts more than exit 2, so a denial prints none; `ask` hangs
 * without a person; what a hook allows is still asked about; `tool_input` is merged into the call's arguments.
 */
export const gemini: AgentProtocol = {
  decode: (payload) => decodeNamed(payload, EVENTS),
  answer,
  clean: (_, { reason, text }) =>
    json({ decision: "deny", reason: `paldron: ${reason}; the output without them:\n${text}` }),
  block: refusal,
  rootVariable: "GEMINI_PROJECT_DIR",
};

function answer({ event }: BeforeEvent, given: HookAnswer): HookReply {
  if (given.kind !== "allow") return refusal(given.reason);
  if (given.args === undefined) return SILENCE;
  return json({ decision: "allow", hookSpecificOutput: { hookEventName: event, tool_input: given.args } });
}
