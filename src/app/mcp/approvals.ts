import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Decision } from "../../core/decision.ts";
import type { JsonObject } from "../../core/strict-json.ts";
import { sha256Hex } from "../../host/digest.ts";
import { randomToken } from "../../host/random-token.ts";
import { hookReason } from "../hook-reason.ts";
import { type Answer, type Desk, failed, redactorOf } from "./desk.ts";

const KEY = "approve";
const MOST_OPEN = 1000;

/** What a person has been asked about: this call and no other, once. */
interface Asked {
  readonly call: string;
  readonly token: string;
}

export interface ApprovalInput {
  readonly server: Server;
  readonly context: ServerContext;
  readonly decision: Decision;
  readonly about: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly desk: Desk;
}

export type Approval =
  | { readonly kind: "yes" }
  | { readonly kind: "no"; readonly answer: Answer }
  | { readonly kind: "ask"; readonly result: InputRequiredResult };

/**
 * Asks a person through the client about calls that need approval. The answer comes back with the call made again, so
 * what was asked travels along, sealed: an answer to one call is none to another, and counts once.
 */
export class Approvals {
  readonly #codec = createRequestStateCodec<Asked>({ key: `${randomToken()}${randomToken()}` });
  /** Questions that wait for their answer. */
  readonly #open = new Set<string>();

  readonly verify = (state: string, context: ServerContext): Promise<Asked> =>
    this.#codec.verify(state, context);

  async of(input: ApprovalInput): Promise<Approval> {
    const { server, context, decision, about, name, args, desk } = input;
    const reason = hookReason(decision, { ...desk, text: undefined });
    const call = sha256Hex(new TextEncoder().encode(JSON.stringify([name, args, about])));
    const asked = context.mcpReq.requestState<Asked>();
    if (asked !== undefined && asked.call === call && this.#open.delete(asked.token)) {
      const answer = inputResponse(context.mcpReq.inputResponses, KEY);
      const isYes =
        answer.kind === "elicit" && answer.action === "accept" && answer.content?.["allow"] === true;
      return isYes ? { kind: "yes" } : no(`${reason} needs approval, and it was not given`);
    }
    if (!canAsk(server, context))
      return no(`${reason} needs approval, and this client cannot ask for it here`);
    const token = randomToken();
    this.#open.add(token);
    // The oldest that nobody came back to.
    for (const old of this.#open) if (this.#open.size > MOST_OPEN) this.#open.delete(old);
    const requestState = await this.#codec.mint({ call, token });
    const message = redactorOf(desk).clean(`Paldron: ${reason} needs approval. ${about}`);
    return { kind: "ask", result: question(message, requestState) };
  }
}

function question(message: string, requestState: string): InputRequiredResult {
  const requestedSchema = {
    type: "object" as const,
    properties: { allow: { type: "boolean" as const, title: "Allow this call once", default: false } },
    required: ["allow"],
  };
  return inputRequired({
    requestState,
    inputRequests: { [KEY]: inputRequired.elicit({ message, requestedSchema }) },
  });
}

function no(text: string): Approval {
  return { kind: "no", answer: failed(`denied by paldron: ${text}`) };
}

/** Whether the client can put a form before a person. */
function canAsk(server: Server, { mcpReq }: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> | undefined = mcpReq.envelope;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const { elicitation } = declared ?? server.getClientCapabilities() ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
