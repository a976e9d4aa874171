import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { PALDRON } from "../cli/paldron.ts";

/** Nothing of it may ever be seen by a client. */
export const SECRET = "kJ8vQ2nB5xR7wL4m";

export interface Place {
  readonly root: string;
  readonly path: (name: string) => string;
  readonly write: (name: string, text: string) => string;
  readonly remove: () => void;
}

/** A workspace with a secret and a file that is none. */
export function place(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "paldron-mcp-")));
  const path = (name: string): string => join(root, name);
  const write = (name: string, text: string): string => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
    return path(name);
  };
  write(".env", `API_TOKEN=${SECRET}\n`);
  write("plain.txt", "plain\n");
  return { root, path, write, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export interface SessionOptions {
  /** Arguments after `mcp`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What a person answers when asked; without it the client cannot ask. */
  readonly answer?: (message: string) => boolean;
  /** `auto` speaks the newest revision of the protocol. */
  readonly mode?: "legacy" | "auto";
}

export interface Called {
  readonly text: string;
  readonly isError: boolean;
}

export interface Session {
  readonly client: Client;
  readonly pid: number;
  readonly call: (name: string, args: Record<string, unknown>) => Promise<Called>;
  readonly close: () => Promise<void>;
}

/** The SDK's own client, connected to the built program. */
export async function connect(where: Place, options: SessionOptions = {}): Promise<Session> {
  const { PATH = "", HOME = "" } = process.env;
  const transport = new StdioClientTransport({
    command: PALDRON,
    args: ["mcp", ...(options.args ?? [])],
    cwd: where.root,
    env: { PATH, HOME, ...options.env },
    stderr: "ignore",
  });
  const { answer, mode = "legacy" } = options;
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: { roots: {}, ...(answer !== undefined && { elicitation: {} }) },
      versionNegotiation: { mode },
    },
  );
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }) =>
      answer(params.message) ? { action: "accept", content: { allow: true } } : { action: "decline" },
    );
  }
  client.setRequestHandler("roots/list", async () => ({ roots: [{ uri: "file:///a-root" }] }));
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    call: async (name, args) => calledOf(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

export function calledOf(result: Awaited<ReturnType<Client["callTool"]>>): Called {
  const texts = result.content.map((item) => (item.type === "text" ? item.text : ""));
  return { text: texts.join("\n"), isError: result.isError === true };
}
