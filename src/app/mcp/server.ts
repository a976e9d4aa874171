import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { PaldronError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/strict-json.ts";
import { VERSION } from "../../core/version.ts";
import { lineFeed, nextTurn, protocolStdio } from "../../host/protocol-stdio.ts";
import { TOOL_NAMES, toolContract, toolJsonSchema } from "../../tools/contracts.ts";
import { copyJsonObject } from "../json-value.ts";
import { Approvals } from "./approvals.ts";
import { prepareCodeCall, type RunContext } from "./code-call.ts";
import { type Answer, type Desk, failed, failure, type Prepared } from "./desk.ts";
import { prepareFileCall } from "./file-call.ts";
import { Slots } from "./slots.ts";
import { ERRORS, errorLine, lineOf, MAX_MESSAGE_BYTES, readMessage } from "./wire.ts";

const RUN = "execute_code";
/** Commands that run at once, and calls that wait for one to end. */
const RUNNING = 4;
const WAITING = 32;

const INSTRUCTIONS =
  "Every call is judged by the policy of this workspace. A denied call says why; the same call will be denied again.";

export interface ServeOptions {
  readonly desk: Desk;
  /** Ends the session, as the end of standard input does. */
  readonly signal: AbortSignal;
  readonly warn: (warning: string) => void;
}

/** Serves the built-in tools on standard input and output until the client is gone and nothing runs any more. */
export async function serveTools({ desk, signal, warn }: ServeOptions): Promise<void> {
  const { lines, write, ready, stdout, flush, close } = protocolStdio(MAX_MESSAGE_BYTES);
  const session = new Session(desk, warn);
  const { input, feed, end } = lineFeed();
  const transport = new StdioServerTransport(input, stdout, { maxBufferSize: 2 * MAX_MESSAGE_BYTES });
  const handle = serveStdio(() => session.server(), { transport });
  signal.addEventListener("abort", close, { once: true });
  if (signal.aborted) close();
  for await (const line of lines) {
    await ready();
    try {
      const message = readMessage(line);
      if (message !== undefined) await feed(lineOf(message.body));
    } catch (error) {
      if (!(error instanceof PaldronError)) throw error;
      await write(errorLine(null, ERRORS.parse, error.message));
    }
  }
  // What was asked before the end and is soon done is answered; what runs is ended.
  await nextTurn();
  await session.quiet();
  await nextTurn();
  await session.end();
  end();
  await handle.close();
  await flush();
}

/** What all connections to one client share; the SDK may make more than one server for it. */
class Session {
  readonly #desk: Desk;
  readonly #warn: (warning: string) => void;
  readonly #approvals = new Approvals();
  readonly #slots = new Slots({ running: RUNNING, waiting: WAITING });
  readonly #closing = new AbortController();
  /** Calls that run a command, and the others. */
  readonly #runs = new Set<Promise<unknown>>();
  readonly #calls = new Set<Promise<unknown>>();

  constructor(desk: Desk, warn: (warning: string) => void) {
    this.#desk = desk;
    this.#warn = warn;
  }

  server(): Server {
    const server = new Server(
      { name: "paldron", version: VERSION },
      {
        capabilities: { tools: {} },
        instructions: INSTRUCTIONS,
        requestState: { verify: this.#approvals.verify },
      },
    );
    server.setRequestHandler("tools/list", async () => ({ tools: TOOLS }));
    server.setRequestHandler("tools/call", (request, context) => {
      const { name, arguments: args = {} } = request.params;
      const call = this.#call(server, { name, args, context });
      const calls = name === RUN ? this.#runs : this.#calls;
      calls.add(call);
      return call.finally(() => calls.delete(call));
    });
    return server;
  }

  /** Waits for the calls that run nothing. */
  async quiet(): Promise<void> {
    await Promise.allSettled(this.#calls);
  }

  /** Stops whatever runs, and waits until nothing does. */
  async end(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#runs);
  }

  async #call(
    server: Server,
    { name, args, context }: { name: string; args: Record<string, unknown>; context: ServerContext },
  ): Promise<CallToolResult | InputRequiredResult> {
    if (toolContract(name) === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "unknown tool");
    try {
      const call = { name, args: copyJsonObject(args) as JsonObject, context };
      const work = (): Promise<CallToolResult | InputRequiredResult> => this.#judged(server, call);
      const done = await (name === RUN ? this.#slots.run(work) : work());
      return done ?? resultOf(failed("too many calls at once"));
    } catch (error) {
      return resultOf(failure(error));
    }
  }

  async #judged(
    server: Server,
    { name, args, context }: { name: string; args: JsonObject; context: ServerContext },
  ): Promise<CallToolResult | InputRequiredResult> {
    const ending = eitherSignal(context.mcpReq.signal, this.#closing.signal);
    try {
      return await this.#carriedOut(server, { name, args, context, signal: ending.signal });
    } finally {
      ending.release();
    }
  }

  async #carriedOut(
    server: Server,
    {
      name,
      args,
      context,
      signal,
    }: { name: string; args: JsonObject; context: ServerContext; signal: AbortSignal },
  ): Promise<CallToolResult | InputRequiredResult> {
    const prepared = await this.#prepare(name, args, {
      signal,
      onProgress: progressOf(context),
      onWarning: this.#warn,
    });
    if (prepared.kind === "answer") return resultOf(prepared.answer);
    try {
      const { decision, about } = prepared;
      if (decision.decision !== "allow") {
        const answer = await this.#approvals.of({
          server,
          context,
          decision,
          about,
          name,
          args,
          desk: this.#desk,
        });
        if (answer.kind === "ask") return answer.result;
        if (answer.kind === "no") return resultOf(answer.answer);
      }
      if (signal.aborted) return resultOf(failed("the call was cancelled"));
      return resultOf(await prepared.carryOut());
    } finally {
      prepared.release();
    }
  }

  #prepare(name: string, args: JsonObject, context: RunContext): Promise<Prepared> {
    return name === RUN
      ? prepareCodeCall(this.#desk, args, context)
      : prepareFileCall(this.#desk, name, args);
  }
}

const TOOLS: Tool[] = TOOL_NAMES.flatMap((name) => {
  const contract = toolContract(name);
  if (contract === undefined) return [];
  const { description, parameters } = toolJsonSchema(contract);
  return [{ name, description: String(description), inputSchema: parameters as Tool["inputSchema"] }];
});

function resultOf({ text, isError }: Answer): CallToolResult {
  return { content: [{ type: "text", text }], ...(isError && { isError }) };
}

function progressOf({ mcpReq }: ServerContext): RunContext["onProgress"] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (message, progress) =>
    mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, message } });
}

/** A signal that follows two; `AbortSignal.any` came with Node 20.3. */
function eitherSignal(
  a: AbortSignal,
  b: AbortSignal,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  for (const signal of [a, b]) {
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
  }
  const release = (): void => {
    for (const signal of [a, b]) signal.removeEventListener("abort", abort);
  };
  return { signal: controller.signal, release };
}
