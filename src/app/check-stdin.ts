import type { Decision } from "../core/decision.ts";
import { PaldronError } from "../core/errors.ts";
import type { Workspace } from "../core/request.ts";
import { isJsonObject, type JsonObject, parseStrictJson } from "../core/strict-json.ts";
import { type CallEffect, callEffects } from "../gate/call-effects.ts";
import type { Policy, PolicySource } from "../policy/types.ts";
import { judgeAgentCall, MAX_REQUEST_BYTES } from "./agent-call.ts";

export interface RunCheckStdinOptions {
  /** One JSON document: `{tool, args, cwd?}` or `{tool_name, tool_input, cwd?}`. */
  readonly bytes: Uint8Array;
  readonly policy: Policy;
  readonly source: PolicySource;
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A tool call as an agent made it. */
export interface AgentCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly folder: string | undefined;
}

interface Judged {
  readonly decision: Decision;
  /** What the call would do; worked out when it is asked for. */
  readonly effects: () => Promise<readonly CallEffect[]>;
}

/** Judges the tool call of an agent that was read from standard input; runs nothing. */
export async function runCheckStdin({ bytes, ...options }: RunCheckStdinOptions): Promise<Judged> {
  const call = decodeCall(bytes);
  const decision = await judgeAgentCall({ ...call, ...options, confined: false });
  const { tool, args, folder } = call;
  const cwd = folder ?? options.workspace.cwd;
  const home = options.env["HOME"];
  return {
    decision,
    effects: async () => {
      const { shellEffects } = await import("../gate/shell-effects.ts");
      return callEffects(tool, args, (text) =>
        shellEffects(text, home === undefined ? { cwd } : { cwd, home }),
      );
    },
  };
}

/** The keys of both forms, without case and separators: another spelling of one could be meant. */
const MEANT = new Map([
  ["tool", "tool"],
  ["args", "args"],
  ["cwd", "cwd"],
  ["toolname", "tool_name"],
  ["toolinput", "tool_input"],
  ["toolargs", "args"],
]);

/** Reads a call, strictly: what could be meant in two ways is no call. */
export function decodeCall(bytes: Uint8Array): AgentCall {
  const value = parseStrictJson(bytes, { what: "request", maxBytes: MAX_REQUEST_BYTES });
  if (!isJsonObject(value)) throw bad("it must be one object");
  for (const key of Object.keys(value)) {
    const meant = MEANT.get(key.toLowerCase().replace(/[\s_-]/g, ""));
    if (meant !== undefined && meant !== key)
      throw bad(`\`${key}\` is no key of it (did you mean \`${meant}\`?)`);
  }
  const own = "tool" in value || "args" in value;
  if (own && ("tool_name" in value || "tool_input" in value)) throw bad("it names two tools");
  const tool = value[own ? "tool" : "tool_name"];
  const args = value[own ? "args" : "tool_input"] ?? (own ? {} : undefined);
  const folder = value["cwd"];
  if (typeof tool !== "string" || tool.trim() === "") throw bad("the tool's name must be a string");
  if (!isJsonObject(args)) throw bad("the arguments must be one object");
  if (folder !== undefined && (typeof folder !== "string" || !folder.startsWith("/"))) {
    throw bad("`cwd` must be an absolute path");
  }
  return { tool, args, folder };
}

function bad(why: string): PaldronError {
  return new PaldronError("request", `bad request: ${why}`);
}
