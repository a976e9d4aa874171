import { isJsonObject, type Json, type JsonObject } from "../../core/strict-json.ts";
import { randomToken } from "../../host/random-token.ts";
import type { MessageId } from "./wire.ts";

/** Questions that may wait for an answer. */
const MOST = 32;
const KEY = "paldron";
/** Where a client of the newest revision says with each request what it can do. */
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** A call that waits for a person. */
interface Waiting {
  readonly id: MessageId;
  readonly body: JsonObject;
  /** The client has its answer, and makes the call again, or never does. */
  readonly isAnswered: boolean;
}

/** What people are asked through a client about calls of another server's tools. */
export class Questions {
  readonly #waiting = new Map<string, Waiting>();
  /** What the client said of itself when it connected. */
  #declared: Json | undefined;

  /** Learns what the client can do. */
  meet(params: Json | undefined): void {
    this.#declared = isJsonObject(params) ? params["capabilities"] : undefined;
  }

  /**
   * The question about a call, to be sent to the client: a message of its own, or for the newest revision the answer
   * to the call, which is then made again. Undefined where it cannot be asked.
   */
  about(id: MessageId, body: JsonObject, message: string): JsonObject | undefined {
    const perRequest = capabilitiesIn(body);
    if (!canAsk(perRequest ?? this.#declared) || !this.#hasRoom()) return undefined;
    const token = `paldron-${randomToken()}`;
    this.#waiting.set(token, { id, body, isAnswered: perRequest !== undefined });
    const params = { message, requestedSchema: SCHEMA };
    if (perRequest === undefined) return { jsonrpc: "2.0", id: token, method: "elicitation/create", params };
    const inputRequests = { [KEY]: { method: "elicitation/create", params } };
    const result = { resultType: "input_required", inputRequests, requestState: token };
    return { jsonrpc: "2.0", id, result };
  }

  /** The answer to a question that was a message; undefined where this is none. */
  answered(id: MessageId, body: JsonObject): { readonly call: Waiting; readonly isYes: boolean } | undefined {
    const call = typeof id === "string" ? this.#take(id) : undefined;
    return call && { call, isYes: isYes(body["result"]) };
  }

  /**
   * A call that is made again with the answer; undefined where this is none. What is carried out is the call that was
   * asked about, whatever the new one says.
   */
  repeated(id: MessageId, body: JsonObject): { readonly call: Waiting; readonly isYes: boolean } | undefined {
    const { params } = body;
    const state = isJsonObject(params) ? params["requestState"] : undefined;
    const call = typeof state === "string" ? this.#take(state) : undefined;
    if (call === undefined || !isJsonObject(params)) return undefined;
    const responses = params["inputResponses"];
    const answer = isJsonObject(responses) ? responses[KEY] : undefined;
    return { call: { ...call, id, body: { ...call.body, id } }, isYes: isYes(answer) };
  }

  /** Forgets the question about a call; false where there is none. */
  cancelled(id: Json | undefined): boolean {
    for (const [token, call] of this.#waiting) {
      if (call.id === id && !call.isAnswered) return this.#waiting.delete(token);
    }
    return false;
  }

  /** A question that nobody came back to makes room for a new one; a call that waits for its answer does not. */
  #hasRoom(): boolean {
    if (this.#waiting.size < MOST) return true;
    for (const [token, call] of this.#waiting) if (call.isAnswered) return this.#waiting.delete(token);
    return false;
  }

  #take(token: string): Waiting | undefined {
    const call = this.#waiting.get(token);
    this.#waiting.delete(token);
    return call;
  }
}

const SCHEMA = {
  type: "object",
  properties: { allow: { type: "boolean", title: "Allow this call once", default: false } },
  required: ["allow"],
};

function capabilitiesIn({ params }: JsonObject): Json | undefined {
  const meta = isJsonObject(params) ? params["_meta"] : undefined;
  return isJsonObject(meta) ? meta[CAPABILITIES] : undefined;
}

function canAsk(capabilities: Json | undefined): boolean {
  const elicitation = isJsonObject(capabilities) ? capabilities["elicitation"] : undefined;
  if (!isJsonObject(elicitation)) return false;
  return elicitation["form"] !== undefined || elicitation["url"] === undefined;
}

function isYes(answer: Json | undefined): boolean {
  if (!isJsonObject(answer) || answer["action"] !== "accept") return false;
  const { content } = answer;
  return isJsonObject(content) && content["allow"] === true;
}
