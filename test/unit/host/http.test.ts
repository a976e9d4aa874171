import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { PaldronError } from "../../../src/core/errors.ts";
import { checkEndpoint, type JsonReply, postJson } from "../../../src/host/http.ts";

const KEY = "key-that-must-not-be-shown";
const open: { server: Server; sockets: Set<Socket> }[] = [];

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({ server, sockets });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

afterEach(async () => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

const http = (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> =>
  listen(createHttpServer(answer));

/** Reads the request, then does what the test wants with the bare connection. */
const tcp = (answer: (socket: Socket) => void): Promise<string> =>
  listen(
    createTcpServer({ allowHalfOpen: true }, (socket) => {
      socket.once("data", () => answer(socket));
    }),
  );

function post(
  url: string,
  options: { timeoutMs?: number; maxBytes?: number; body?: string } = {},
): Promise<JsonReply> {
  const { timeoutMs = 5_000, maxBytes = 65_536, body = "{}" } = options;
  return postJson({ url, bearer: KEY, body, timeoutMs, maxBytes });
}

async function why(reply: Promise<JsonReply>): Promise<string> {
  const error = await reply.then(
    () => new Error("no failure"),
    (caught: unknown) => caught as Error,
  );
  expect(error).toBeInstanceOf(PaldronError);
  expect(error.message).not.toContain(KEY);
  return error.message;
}

const text = (reply: JsonReply): string => Buffer.from(reply.body).toString();

describe("an exchange", () => {
  test("posts the JSON text with the token and returns the answer", async () => {
    const seen: unknown[] = [];
    const url = await http((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { authorization, "content-type": type, "accept-encoding": encoding } = request.headers;
        seen.push(
          request.method,
          request.url,
          authorization,
          type,
          encoding,
          Buffer.concat(chunks).toString(),
        );
        response.end('{"a":1}');
      });
    });
    const reply = await post(`${url}/p?q=1`, { body: '{"ü":"\u{1f600}"}' });
    expect([reply.status, reply.statusText, text(reply)]).toEqual([200, "200 OK", '{"a":1}']);
    expect(seen).toEqual([
      "POST",
      "/p?q=1",
      `Bearer ${KEY}`,
      "application/json",
      "identity",
      '{"ü":"\u{1f600}"}',
    ]);
  });

  test("reaches localhost by name, without asking a resolver", async () => {
    const url = await http((_request, response) => void response.end("ok"));
    expect(text(await post(url.replace("127.0.0.1", "LOCALHOST")))).toBe("ok");
  });

  test("does not follow a redirect", async () => {
    const paths: (string | undefined)[] = [];
    const url = await http((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: "/other" }).end();
    });
    const reply = await post(`${url}/first`);
    expect([reply.status, reply.statusText]).toEqual([307, "307 Temporary Redirect"]);
    expect(paths).toEqual(["/first"]);
  });

  test("names a status in the standard's words, not in the server's", async () => {
    const url = await tcp((socket) => socket.end(`HTTP/1.1 500 ${KEY}\r\ncontent-length: 0\r\n\r\n`));
    expect((await post(url)).statusText).toBe("500 Internal Server Error");
    const odd = await tcp((socket) => socket.end(`HTTP/1.1 799 ${KEY}\r\ncontent-length: 0\r\n\r\n`));
    expect((await post(odd)).statusText).toBe("799");
  });

  test("ignores the proxy of the environment", async () => {
    const names = ["http_proxy", "HTTP_PROXY", "ALL_PROXY"];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = "http://127.0.0.1:1";
    try {
      const url = await http((_request, response) => void response.end("direct"));
      expect(text(await post(url))).toBe("direct");
    } finally {
      for (const [i, name] of names.entries()) {
        const value = before[i];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });
});

describe("time and size", () => {
  test("an answer that never starts ends at the deadline", async () => {
    const url = await http(() => undefined);
    expect(await why(post(url, { timeoutMs: 200 }))).toBe("request failed: no whole answer within 0.2 s");
  });

  test("an answer that drips ends at the deadline, however often it moves", async () => {
    const url = await http((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
    });
    const start = performance.now();
    expect(await why(post(url, { timeoutMs: 300 }))).toContain("no whole answer");
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test("an answer as large as allowed is taken, one byte more is not", async () => {
    const url = await http(
      (request, response) => void response.end("x".repeat(Number(request.url?.slice(1)))),
    );
    expect((await post(`${url}/1000`, { maxBytes: 1_000 })).body.length).toBe(1_000);
    expect(await why(post(`${url}/1001`, { maxBytes: 1_000 }))).toBe("the answer is larger than 1000 bytes");
  });

  test("an endless answer stops the exchange early", async () => {
    const url = await http((_request, response) => {
      const block = Buffer.alloc(16_384);
      const more = (): void => {
        while (!response.destroyed && response.write(block));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    expect(await why(post(url))).toBe("the answer is larger than 65536 bytes");
  });

  test("endless headers are a failure", async () => {
    const url = await tcp((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${`x: ${"y".repeat(8_000)}\r\n`.repeat(20)}`);
    });
    expect(await why(post(url))).toBe("request failed: answer headers too large");
  });
});

describe("broken answers", () => {
  test.each([
    ["closed at once", ""],
    ["closed within the headers", "HTTP/1.1 200 OK\r\ncontent-le"],
    ["shorter than announced", "HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{}"],
    ["chunks without an end", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n"],
    ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
  ])("%s", async (_name, answer) => {
    const url = await tcp((socket) => socket.end(answer));
    expect(await why(post(url))).toContain("connection closed without a whole answer");
  });

  test("a half-closed connection that then stays silent ends at the deadline or at once", async () => {
    const url = await tcp((socket) => {
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{");
      socket.on("end", () => undefined);
    });
    expect(await why(post(url, { timeoutMs: 500 }))).toMatch(/whole answer/);
  });

  test("no length but a clean end is a whole answer", async () => {
    const url = await tcp((socket) => socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{}"));
    expect(text(await post(url))).toBe("{}");
  });

  test("something that is not HTTP", async () => {
    const url = await tcp((socket) => socket.end(`${KEY}\r\n\r\n`));
    expect(await why(post(url))).toMatch(/^request failed: HPE_/);
  });

  test("a compressed answer is refused, its plain twin is not", async () => {
    const url = await http((request, response) => {
      const squeezed = request.url === "/gzip";
      response.setHeader("content-encoding", squeezed ? "gzip" : "identity");
      response.end(squeezed ? gzipSync("{}") : "{}");
    });
    expect(await why(post(`${url}/gzip`))).toBe("the answer is encoded, which was not asked for");
    expect(text(await post(`${url}/plain`))).toBe("{}");
  });

  test("nobody listens", async () => {
    expect(await why(post("http://127.0.0.1:1/"))).toBe("request failed: connection refused");
  });

  test("plain HTTP where TLS is expected", async () => {
    const url = await http((_request, response) => void response.end("{}"));
    expect(await why(post(url.replace("http:", "https:")))).toMatch(/^request failed: [A-Z_0-9]+$/);
  });

  test("a token with a line break is a failure that does not show it", async () => {
    const reply = postJson({
      url: "http://127.0.0.1:1/",
      bearer: `${KEY}\r\nx: y`,
      body: "",
      timeoutMs: 100,
      maxBytes: 1,
    });
    expect(await why(reply)).toBe("request failed: ERR_INVALID_CHAR");
  });
});

describe("endpoints", () => {
  test.each([
    "https://api.example.com/v1",
    "http://127.0.0.1:8080/",
    "http://127.1/",
    "http://127.255.0.9",
    "http://[::1]:9/",
    "http://localhost/x",
  ])("%s may be used", (url) => {
    expect(checkEndpoint(url)).toBeInstanceOf(URL);
  });

  test.each([
    ["http://api.example.com/", "loopback"],
    ["http://127.0.0.1.example.com/", "loopback"],
    ["http://localhost.example.com/", "loopback"],
    ["http://localhost./", "loopback"],
    ["http://x.localhost/", "loopback"],
    ["http://128.0.0.1/", "loopback"],
    ["http://0.0.0.0/", "loopback"],
    ["http://[::]/", "loopback"],
    ["http://[::ffff:127.0.0.1]/", "loopback"],
    ["http://169.254.169.254/", "loopback"],
    [`https://user:${KEY}@api.example.com/`, "credentials"],
    [`http://${KEY}@127.0.0.1/`, "credentials"],
    [`ftp://127.0.0.1/${KEY}`, "https"],
    ["file:///etc/hostname", "https"],
    ["::bad", "valid address"],
    [`//${KEY}`, "valid address"],
    ["", "valid address"],
  ])("%s may not", async (url, reason) => {
    expect(() => checkEndpoint(url)).toThrow(reason);
    expect(await why(post(url))).toContain(reason);
  });
});
