import { PaldronError } from "../../core/errors.ts";
import { isJsonObject, type Json, type JsonObject, parseStrictJson } from "../../core/strict-json.ts";

/** Longest message in either direction. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

export type MessageId = string | number;

/** Codes of JSON-RPC 2.0. */
export const ERRORS = {
  parse: -32700,
  request: -32600,
  params: -32602,
  internal: -32603,
  server: -32000,
} as const;

/** One message of the protocol, understood to its last key. */
export type Message =
  | { readonly kind: "request"; readonly id: MessageId; readonly method: string; readonly body: JsonObject }
  | { readonly kind: "notification"; readonly method: string; readonly body: JsonObject }
  | { readonly kind: "response"; readonly id: MessageId; readonly body: JsonObject };

const REQUEST_KEYS = ["jsonrpc", "id", "method", "params"];
const RESPONSE_KEYS = ["jsonrpc", "id", "result", "error"];

/**
 * Reads one line. What two readers could understand differently is refused: a key twice or in another spelling, more
 * than one message, numbers that are not exact. Undefined for a blank line.
 * @throws PaldronError `request`
 */
export function readMessage(line: Uint8Array | undefined): Message | undefined {
  if (line === undefined)
    throw new PaldronError("request", `a message is longer than ${MAX_MESSAGE_BYTES} bytes`);
  if (line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09)) return undefined;
  const body = parseStrictJson(line, { what: "message", maxBytes: MAX_MESSAGE_BYTES });
  if (Array.isArray(body)) throw bad("batches are not taken");
  if (!isJsonObject(body) || body["jsonrpc"] !== "2.0") throw bad("it is no JSON-RPC 2.0");
  const { id, method } = body;
  if (method === undefined) return response(body, id);
  if (typeof method !== "string") throw bad("`method` is no text");
  onlyKeys(body, REQUEST_KEYS);
  const { params } = body;
  if (params !== undefined && !isJsonObject(params)) throw bad("`params` is no object");
  if (id === undefined) return { kind: "notification", method, body };
  if (!isId(id)) throw bad("`id` is neither text nor an exact number");
  return { kind: "request", id, method, body };
}

function response(body: JsonObject, id: Json | undefined): Message {
  onlyKeys(body, RESPONSE_KEYS);
  if ((body["result"] === undefined) === (body["error"] === undefined))
    throw bad("a response has either `result` or `error`");
  // A response to nobody; the other side could not read a message.
  if (id === null || id === undefined) throw bad("a response names no request");
  if (!isId(id)) throw bad("`id` is neither text nor an exact number");
  return { kind: "response", id, body };
}

function isId(id: Json): id is MessageId {
  return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id));
}

function onlyKeys(body: JsonObject, keys: readonly string[]): void {
  for (const key of Object.keys(body))
    if (!keys.includes(key)) throw bad("it has a key that is not of JSON-RPC");
}

function bad(why: string): PaldronError {
  return new PaldronError("request", `the message cannot be read: ${why}`);
}

/** A message as one line. Whatever is sent on is written anew, so that it is what was judged. */
export function lineOf(message: JsonObject): string {
  return `${JSON.stringify(message)}\n`;
}

export function errorLine(id: MessageId | null, code: number, message: string): string {
  return lineOf({ jsonrpc: "2.0", id, error: { code, message } });
}
