import type { Decision } from "../../core/decision.ts";
import { PaldronError } from "../../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/strict-json.ts";
import { judgeAgentCall } from "../agent-call.ts";
import type { Desk } from "./desk.ts";

/** What a request through the proxy is judged as. */
export interface ProxiedCall {
  readonly tool: string;
  readonly args: JsonObject;
}

const JUDGED = ["tools/call", "resources/read", "resources/subscribe"];

/** Everything that a call may say; another key, or another spelling of one, might mean one of these to a server. */
const CALL_KEYS = ["name", "arguments", "_meta", "task", "inputResponses", "requestState"];
const RESOURCE_KEYS = ["uri", "_meta", "inputResponses", "requestState"];

/**
 * What there is to judge about a request: a call of a tool, or the reading of a file. Undefined where there is
 * nothing.
 * @throws PaldronError `request` for one that is not understood.
 */
export function proxiedCall(
  server: string,
  method: string,
  params: Json | undefined,
): ProxiedCall | undefined {
  const plain = method.toLowerCase().replace(/[^a-z]/g, "");
  if (JUDGED.some((known) => method !== known && plain === known.replace("/", "")))
    throw bad("`method` stands there in another spelling");
  if (method === "tools/call") {
    const given = objectWith(params, CALL_KEYS);
    const { name, arguments: args = {} } = given;
    if (typeof name !== "string" || name === "") throw bad("the tool has no name");
    if (!isJsonObject(args)) throw bad("`arguments` is no object");
    return { tool: `mcp__${server}__${name}`, args };
  }
  if (method !== "resources/read" && method !== "resources/subscribe") return undefined;
  const { uri } = objectWith(params, RESOURCE_KEYS);
  if (typeof uri !== "string") throw bad("`uri` is no text");
  return /^\s*file:/i.test(uri) ? { tool: "read_file", args: { path: uri.trim() } } : undefined;
}

function objectWith(params: Json | undefined, keys: readonly string[]): JsonObject {
  if (!isJsonObject(params)) throw bad("`params` is no object");
  if (Object.keys(params).some((key) => !keys.includes(key)))
    throw bad("`params` has a key that is not known");
  return params;
}

function bad(why: string): PaldronError {
  return new PaldronError("request", `the call cannot be judged: ${why}`);
}

/** Judged as a hook judges the call of another server's tool. */
export function judgeProxied(desk: Desk, { tool, args }: ProxiedCall): Promise<Decision> {
  return judgeAgentCall({ ...desk, tool, args, folder: undefined, confined: false });
}
