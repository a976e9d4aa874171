import { PaldronError } from "../core/errors.ts";
import { isJsonObject, type Json, type JsonObject, parseStrictJson } from "../core/strict-json.ts";
import type { HookEvent, HookReply } from "./types.ts";

/** Reading payloads and writing answers, for every protocol alike. */

export function bad(why: string): PaldronError {
  return new PaldronError("request", `the payload cannot be judged: ${why}`);
}

/** Refuses another spelling of a field that counts: the client and Paldron could disagree about which one holds. */
export function refuseLookAlikes(payload: JsonObject, fields: readonly string[]): void {
  const plain = new Map(fields.map((field) => [fold(field), field]));
  for (const key of Object.keys(payload)) {
    const meant = plain.get(fold(key));
    if (meant !== undefined && !fields.includes(key))
      throw bad(`\`${meant}\` stands there in another spelling`);
  }
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

export function textOf(payload: JsonObject, field: string): string {
  const value = payload[field];
  if (typeof value !== "string" || value.trim() === "") throw bad(`\`${field}\` is no text`);
  return value;
}

export function objectOf(payload: JsonObject, field: string): JsonObject {
  const value = payload[field];
  if (!isJsonObject(value)) throw bad(`\`${field}\` is no object`);
  return value;
}

/** An object that some versions of a client send as JSON text. */
export function objectOrJson(payload: JsonObject, field: string): JsonObject {
  const value = payload[field];
  if (typeof value !== "string") return objectOf(payload, field);
  const bytes = new TextEncoder().encode(value);
  const read = parseStrictJson(bytes, { what: `field \`${field}\``, maxBytes: bytes.length });
  if (!isJsonObject(read)) throw bad(`\`${field}\` is no object`);
  return read;
}

/** An absolute folder, or none. */
export function folderOf(payload: JsonObject, field: string): string | undefined {
  const value = payload[field];
  if (value === undefined) return undefined;
  if (typeof value !== "string" || !value.startsWith("/")) throw bad(`\`${field}\` is no absolute path`);
  return value;
}

/** What the events of a protocol with Claude's field names are. */
export interface NamedEvents {
  /** Events without a call to judge. */
  readonly quiet: ReadonlySet<string>;
  readonly before: Readonly<Record<string, { readonly rewrites: boolean; readonly asks: boolean }>>;
  readonly after: string;
}

const NAMED = ["hook_event_name", "tool_name", "tool_input", "tool_response", "cwd"];

/** Reads `{hook_event_name, tool_name, tool_input, tool_response, cwd}`, which most clients share. */
export function decodeNamed(payload: JsonObject, events: NamedEvents): HookEvent {
  refuseLookAlikes(payload, NAMED);
  const event = textOf(payload, "hook_event_name");
  if (events.quiet.has(event)) return { kind: "nothing" };
  const can = Object.hasOwn(events.before, event) ? events.before[event] : undefined;
  if (can !== undefined) {
    const [tool, args] = [textOf(payload, "tool_name"), objectOf(payload, "tool_input")];
    return { kind: "before", event, tool, args, folder: folderOf(payload, "cwd"), ...can };
  }
  if (event !== events.after) throw bad("its event is not known");
  const output = payload["tool_response"];
  if (output === undefined) throw bad("`tool_response` is missing");
  return { kind: "after", event, output };
}

/** No opinion: the client goes on as if there were no hook. */
export const SILENCE: HookReply = { exit: 0, stdout: "", stderr: "" };

/** The block that most clients understand: exit code 2, a reason on stderr, nothing on stdout. */
export function refusal(reason: string): HookReply {
  return { exit: 2, stdout: "", stderr: `paldron: ${reason}\n` };
}

export function json(value: Readonly<Record<string, Json>>): HookReply {
  return { exit: 0, stdout: `${JSON.stringify(value)}\n`, stderr: "" };
}

export function forEvent(event: string, more: JsonObject): HookReply {
  return json({ hookSpecificOutput: { hookEventName: event, ...more } });
}
