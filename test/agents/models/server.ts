import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import { responses } from "./responses.ts";
import { type Answer, type Body, type Call, json, type ModelApi, object } from "./types.ts";

const APIS: Readonly<Record<string, ModelApi>> = { anthropic, chat, gemini, responses };

/** What a client asked for and told. */
export interface Talk {
  /** Method and path of each request. */
  readonly requests: readonly string[];
  /** The tools that the last request offered. */
  readonly tools: readonly string[];
  /** What the model was told about each call of the script. */
  readonly results: readonly string[];
}

export interface Model {
  readonly port: number;
  readonly talk: () => Talk;
  readonly close: () => void;
}

/** A model on loopback that calls the tools of a script, one after the other, and then says that it is done. */
export async function startModel(script: readonly Call[]): Promise<Model> {
  const requests: string[] = [];
  let tools: readonly string[] = [];
  let results: readonly string[] = [];
  const reply = (path: string, body: Body): Answer | undefined => {
    const api = Object.values(APIS).find((each) => each.asks(path));
    if (api === undefined) return undefined;
    const request = { path, body, id: `${requests.length}` };
    const offered = api.tools(body);
    if (offered.length === 0) return api.answer("fine", request);
    tools = offered;
    // A request that is sent again gets the same answer: the turn follows from what it holds.
    results = api.results(body);
    return api.answer(script[results.length] ?? "done", request);
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = (request.url ?? "").replace(/\?.*/, "");
      requests.push(`${request.method} ${path}`);
      const answer = path.endsWith("/models")
        ? json({ object: "list", data: [] })
        : reply(path, parse(chunks));
      response.writeHead(answer === undefined ? 404 : 200, {
        "content-type": answer?.type ?? "application/json",
      });
      response.end(answer?.body ?? "{}");
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    talk: () => ({ requests, tools, results }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function parse(chunks: readonly Buffer[]): Body {
  try {
    return object(JSON.parse(Buffer.concat(chunks).toString()));
  } catch {
    return {};
  }
}
