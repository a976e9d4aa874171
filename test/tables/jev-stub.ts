import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const HARMLESS = { secret_exposure: { noul: 0 }, hostile_action: { noul: 0 } };

/** A loopback stand-in for the Jev endpoint: the first part of the path says how it answers. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _ of request) {
    // Read to its end, so that the client is not cut off while it writes.
  }
  const [kind = "", first = "", second = "", ...rest] = (request.url ?? "")
    .replace(/^\/|\/$/g, "")
    .split("/");
  const json = (answers: unknown): void => {
    response.end(JSON.stringify({ answers }));
  };
  switch (kind) {
    case "v":
      json({ secret_exposure: { noul: Number(first) }, hostile_action: { noul: Number(second) } });
      return;
    case "status":
      response.writeHead(Number(first)).end(first === "204" ? "" : "nope");
      return;
    case "raw":
      response.end(decodeURIComponent(first));
      return;
    case "slow":
      await sleep(Number(first) * 1000, undefined, { ref: false });
      json(HARMLESS);
      return;
    case "close":
      request.socket.destroy();
      return;
    case "redirect":
      response.writeHead(Number(first), { location: `/${[second, ...rest].join("/")}` }).end();
      return;
    default:
      response.end();
  }
}

/** Starts the stub; `port` is where it listens. */
export async function startJevStub(): Promise<{ readonly port: number; readonly stop: () => void }> {
  const server: Server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the stub has no port");
  return {
    port: address.port,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
