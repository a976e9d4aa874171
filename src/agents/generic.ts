import type { JsonObject } from "../core/strict-json.ts";
import { bad, folderOf, json, objectOf, refuseLookAlikes, SILENCE, textOf } from "./fields.ts";
import type { AgentProtocol, HookEvent, HookReply } from "./types.ts";

const OWN = { tool: "tool", args: "args", output: "output" };
const OTHER = { tool: "tool_name", args: "tool_input", output: "tool_response" };

/** Paldron's own protocol (docs/agents/generic.md), for agents that have none of the others. */
export const generic: AgentProtocol = {
  decode,
  answer: (_, given) => {
    if (given.kind === "deny") return refused("deny", given.reason, undefined);
    if (given.kind === "ask") return refused("ask", given.reason, given.args);
    return given.args === undefined ? SILENCE : json({ decision: "allow", args: given.args });
  },
  clean: (_, { output, reason }) => json({ decision: "allow", reason: `paldron: ${reason}`, output }),
  block: (reason) => refused("deny", reason, undefined),
};

function decode(payload: JsonObject): HookEvent {
  const isOwn = "tool" in payload || "args" in payload;
  if (isOwn && ("tool_name" in payload || "tool_input" in payload)) throw bad("it names two tools");
  const names = isOwn ? OWN : OTHER;
  refuseLookAlikes(payload, [...Object.values(names), "cwd"]);
  const tool = textOf(payload, names.tool);
  const output = payload[names.output];
  if (output !== undefined) return { kind: "after", event: "after", output };
  const [args, folder] = [objectOf(payload, names.args), folderOf(payload, "cwd")];
  return { kind: "before", event: "before", tool, args, folder, rewrites: true, asks: true };
}

function refused(decision: "ask" | "deny", reason: string, args: JsonObject | undefined): HookReply {
  const message = `paldron: ${reason}`;
  const changed: JsonObject = args === undefined ? {} : { args };
  return { ...json({ decision, reason: message, ...changed }), exit: 2, stderr: `${message}\n` };
}
