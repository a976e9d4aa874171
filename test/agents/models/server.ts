import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import { responses } from "./responses.ts";
import { type Answer, type Body, type Call, json, type ModelApi, type Offered, object } from "./types.ts";

const APIS: Readonly<Record<string, ModelApi>> = { anthropic, chat, gemini, responses };

/** What the model says: in the conversation itself, and in those of sub-agents by a word of their prompt. */
export interface Scripts {
  readonly main: readonly Call[];
  readonly subs: Readonly<Record<string, readonly Call[]>>;
}

/** What a client asked for and told. */
export interface Talk {
  /** Method and path of each request. */
  readonly requests: readonly string[];
  /** The tools that the last request offered. */
  readonly tools: readonly Offered[];
  /** What the model was told about each call of the script. */
  readonly results: readonly string[];
  /** The same for each sub-agent. */
  readonly subResults: Readonly<Record<string, readonly string[]>>;
}

export interface Model {
  readonly port: number;
  readonly talk: () => Talk;
  readonly close: () => void;
}

/** What a fetch of a page shows. */
const PAGE = "a page of the model's server";

/** A model on loopback that calls the tools of a script, one after the other, and then says that it is done. */
export async function startModel(scripts: Scripts): Promise<Model> {
  const requests: string[] = [];
  let tools: readonly Offered[] = [];
  let results: readonly string[] = [];
  const subResults: Record<string, readonly string[]> = {};
  const reply = (path: string, body: Body): Answer | undefined => {
    const api = Object.values(APIS).find((each) => each.asks(path));
    if (api === undefined) return undefined;
    const request = { path, body, id: `${requests.length}` };
    const offered = api.tools(body);
    if (offered.length === 0) return api.answer("fine", request);
    const prompts = api.prompts(body);
    const sub = Object.keys(scripts.subs).find((word) => prompts.includes(word));
    // A request that is sent again gets the same answer: the turn follows from what it holds.
    const told = api.results(body);
    if (sub === undefined) [tools, results] = [offered, told];
    else subResults[sub] = told;
    const script = sub === undefined ? scripts.main : scripts.subs[sub];
    const call = script?.[told.length];
    return api.answer(call === undefined ? "done" : filled(call, told.at(-1) ?? "", port), request);
  };
  let port = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = (request.url ?? "").replace(/\?.*/, "");
      requests.push(`${request.method} ${path}`);
      const answer = path.endsWith("/models")
        ? json({ object: "list", data: [] })
        : path === "/page"
          ? json({ page: PAGE })
          : reply(path, parse(chunks));
      response.writeHead(answer === undefined ? 404 : 200, {
        "content-type": answer?.type ?? "application/json",
      });
      response.end(answer?.body ?? "{}");
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  ({ port } = server.address() as AddressInfo);
  return {
    port,
    talk: () => ({ requests, tools, results, subResults }),
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

/** The call with the port of this server, and with what is to be taken from what was told last. */
function filled(call: Call, told: string, port: number): Call {
  const { from = {}, ...rest } = JSON.parse(JSON.stringify(call).replaceAll("{port}", `${port}`)) as Call;
  const found = Object.entries(from).map(([name, pattern]) => {
    const text = new RegExp(pattern).exec(told)?.[1] ?? "";
    return [name, /^\d+$/.test(text) ? Number(text) : text] as const;
  });
  return { ...rest, input: { ...rest.input, ...Object.fromEntries(found) } };
}
