import { PaldronError } from "../../core/errors.ts";
import { printable } from "../../core/printable.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/strict-json.ts";
import { cleanOutput } from "../hook-output.ts";
import { hookReason } from "../hook-reason.ts";
import { type Desk, redactorOf } from "./desk.ts";
import { judgeProxied, type ProxiedCall, proxiedCall } from "./proxy-call.ts";
import { Questions } from "./questions.ts";
import { ERRORS, errorLine, lineOf, type Message, type MessageId, readMessage } from "./wire.ts";

/** Requests that may wait for an answer, in either direction. */
const MOST_OPEN = 1000;
const MOST_COMPLAINTS = 20;

export interface ProxyOptions {
  readonly desk: Desk;
  /** What rules call the server: its tools are `mcp__NAME__TOOL`. */
  readonly name: string;
  readonly toClient: (line: string) => Promise<void>;
  readonly toServer: (line: string) => Promise<void>;
  readonly say: (message: string) => void;
}

type Request = Extract<Message, { kind: "request" }>;

/**
 * What passes between a client and a server. Each message is read strictly and written anew, so that what the other
 * side gets is what was judged; an answer passes only to a question that is open.
 */
export class ProxySession {
  readonly #options: ProxyOptions;
  readonly #questions = new Questions();
  /** Requests of the client that the server has, and the other way round. */
  readonly #asked = new Set<MessageId>();
  readonly #askedBack = new Set<MessageId>();
  #complaints = 0;

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  async fromClient(line: Uint8Array | undefined): Promise<void> {
    const { toClient, toServer } = this.#options;
    let message: Message | undefined;
    try {
      message = readMessage(line);
    } catch (error) {
      await toClient(errorLine(null, ERRORS.parse, messageOf(error)));
      return;
    }
    if (message === undefined) return;
    if (message.kind === "request") return await this.#request(message);
    if (message.kind === "response") return await this.#answer(message.id, message.body);
    // A call without an id has no answer, and must not be carried out unjudged.
    if (/^(?:tools|resources)\//i.test(message.method)) return;
    const { params } = message.body;
    const cancelled = message.method === "notifications/cancelled" && isJsonObject(params);
    if (cancelled) {
      if (this.#questions.cancelled(params["requestId"])) return;
      forget(this.#asked, params["requestId"]);
    }
    await toServer(lineOf(message.body));
  }

  async fromServer(line: Uint8Array | undefined): Promise<void> {
    let message: Message | undefined;
    try {
      message = readMessage(line);
    } catch (error) {
      return this.#complain(`a message of the server is left out: ${messageOf(error)}`);
    }
    if (message === undefined) return;
    const { kind, body } = message;
    if (kind === "response" && !this.#asked.delete(message.id))
      return this.#complain("an answer of the server is left out: nobody asked");
    if (kind === "request") {
      if (this.#askedBack.has(message.id) || this.#askedBack.size >= MOST_OPEN)
        return this.#complain("a request of the server is left out: its id is in use");
      this.#askedBack.add(message.id);
    }
    if (
      kind === "notification" &&
      message.method === "notifications/cancelled" &&
      isJsonObject(body["params"])
    )
      forget(this.#askedBack, body["params"]["requestId"]);
    await this.#options.toClient(lineOf(this.#cleaned(body)));
  }

  /** Answers what the server will not answer any more. */
  async serverGone(how: string): Promise<void> {
    for (const id of this.#asked)
      await this.#options.toClient(errorLine(id, ERRORS.server, `the server ${how}`));
    this.#asked.clear();
  }

  async #request(request: Request): Promise<void> {
    const { id, method, body } = request;
    const { toClient, name } = this.#options;
    if (this.#asked.has(id) || this.#asked.size >= MOST_OPEN) {
      await toClient(errorLine(id, ERRORS.request, "the id is in use"));
      return;
    }
    if (method === "initialize") this.#questions.meet(body["params"]);
    let call: ProxiedCall | undefined;
    try {
      call = proxiedCall(name, method, body["params"]);
    } catch (error) {
      await toClient(errorLine(id, ERRORS.params, messageOf(error)));
      return;
    }
    if (call === undefined) return await this.#forward(id, body);
    const repeated = this.#questions.repeated(id, body);
    if (repeated === undefined) return await this.#judge(request, call);
    if (repeated.isYes) return await this.#forward(id, repeated.call.body);
    await this.#deny(repeated.call.body, id, "the approval was not given");
  }

  async #judge({ id, body, method }: Request, call: ProxiedCall): Promise<void> {
    const { desk, toClient } = this.#options;
    const decision = await judgeProxied(desk, call);
    if (decision.decision === "allow") return await this.#forward(id, body);
    const reason = hookReason(decision, { ...desk, text: undefined });
    if (decision.decision === "deny") return await this.#deny(body, id, reason);
    const about = printable(JSON.stringify(call.args), 600);
    const text = redactorOf(desk).clean(`Paldron: ${call.tool} needs approval (${reason}). ${about}`);
    const question = this.#questions.about(id, body, text);
    if (question !== undefined) return await toClient(lineOf(question));
    await this.#deny(
      body,
      id,
      `${reason} needs approval, and this client cannot ask for it here (${method})`,
    );
  }

  async #forward(id: MessageId, body: JsonObject): Promise<void> {
    this.#asked.add(id);
    await this.#options.toServer(lineOf(body));
  }

  /** An answer to a question of the server, or to one of Paldron's own. */
  async #answer(id: MessageId, body: JsonObject): Promise<void> {
    if (this.#askedBack.delete(id)) return await this.#options.toServer(lineOf(body));
    const own = this.#questions.answered(id, body);
    if (own === undefined) return;
    const { call, isYes } = own;
    // Its id may have been used again while a person thought about it.
    if (isYes && !this.#asked.has(call.id)) return await this.#forward(call.id, call.body);
    await this.#deny(call.body, call.id, "the approval was not given");
  }

  /** A tool's answer where the model is to read it, otherwise an error. */
  async #deny(body: JsonObject, id: MessageId, reason: string): Promise<void> {
    const text = `denied by paldron: ${reason}`;
    const { toClient } = this.#options;
    if (body["method"] !== "tools/call") return await toClient(errorLine(id, ERRORS.params, text));
    const result = { content: [{ type: "text", text }], isError: true, ...resultType(body["params"]) };
    await toClient(lineOf({ jsonrpc: "2.0", id, result }));
  }

  #cleaned(body: JsonObject): JsonObject {
    const { desk } = this.#options;
    const { result, error, params } = body;
    const found = cleanOutput([result ?? null, error ?? null, params ?? null], desk);
    if (found === undefined || !Array.isArray(found.output)) return body;
    this.#complain(found.reason.replace("this tool", `the server ${this.#options.name}`));
    const [cleanResult, cleanError, cleanParams] = found.output as readonly Json[];
    return {
      ...body,
      ...(result !== undefined && { result: cleanResult ?? null }),
      ...(error !== undefined && { error: cleanError ?? null }),
      ...(params !== undefined && { params: cleanParams ?? null }),
    };
  }

  #complain(message: string): void {
    this.#complaints += 1;
    if (this.#complaints <= MOST_COMPLAINTS) this.#options.say(message);
  }
}

/** What is cancelled is not answered any more. */
function forget(open: Set<MessageId>, id: Json | undefined): void {
  if (typeof id === "string" || typeof id === "number") open.delete(id);
}

/** The newest revision wants each result to say that it is one. */
function resultType(params: Json | undefined): JsonObject {
  const meta = isJsonObject(params) ? params["_meta"] : undefined;
  const isNew = isJsonObject(meta) && "io.modelcontextprotocol/protocolVersion" in meta;
  return isNew ? { resultType: "complete" } : {};
}

function messageOf(error: unknown): string {
  return error instanceof PaldronError ? error.message : "internal error";
}
