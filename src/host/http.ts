import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { PaldronError } from "../core/errors.ts";

/** A JSON text to be sent by POST, with bounds on how long and how much may come back. */
export interface JsonRequest {
  readonly url: string;
  /** Sent as `Authorization: Bearer TOKEN`. */
  readonly bearer: string;
  readonly body: string;
  /** Milliseconds for all of it: name lookup, connection, request and the whole answer. */
  readonly timeoutMs: number;
  /** Bytes of the answer's body; one more is a failure. */
  readonly maxBytes: number;
}

export interface JsonReply {
  readonly status: number;
  /** `500 Internal Server Error`, in the standard's words, never in the server's. */
  readonly statusText: string;
  readonly body: Uint8Array;
}

export type FetchJson = (request: JsonRequest) => Promise<JsonReply>;

const NETWORK_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection closed without a whole answer",
  EPIPE: "connection closed without a whole answer",
  ENOTFOUND: "host not found",
  EAI_AGAIN: "host cannot be looked up",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
  ETIMEDOUT: "connection timed out",
  HPE_HEADER_OVERFLOW: "answer headers too large",
};

/**
 * The text of a failure says what happened and nothing that the server or the caller's environment supplied: an
 * address can hold a key, and an answer can repeat one.
 */
function failure(why: string, cause?: unknown): PaldronError {
  return new PaldronError("io", why, { cause });
}

function requestFailure(error: unknown): PaldronError {
  if (error instanceof PaldronError) return error;
  const code = (error as { code?: unknown } | null)?.code;
  const word =
    typeof code === "string" && /^[A-Z0-9_]+$/.test(code) ? (NETWORK_WORDS[code] ?? code) : "error";
  return failure(`request failed: ${word}`, error);
}

/** A host as the URL parser spells it (numbers normalised, lower case) that can only be this machine. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" || hostname === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

/**
 * The parsed endpoint.
 * @throws PaldronError `io` for anything but https, or http to this machine, and for credentials in the address.
 */
export function checkEndpoint(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw failure("the endpoint is no valid address");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw failure("the endpoint must be an https address");
  }
  if (url.username !== "" || url.password !== "") throw failure("the endpoint must not hold credentials");
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw failure("the endpoint may be plain http on loopback only");
  }
  return url;
}

type LookupCallback = (error: null, address: unknown, family?: number) => void;

/** `localhost` without a lookup: what a hosts file or a resolver says of it does not matter. */
function loopbackLookup(_host: string, options: { all?: boolean }, done: LookupCallback): void {
  if (options.all === true) {
    done(null, [
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ]);
  } else done(null, "127.0.0.1", 4);
}

function requestOptions(url: URL, request: JsonRequest, body: Uint8Array): RequestOptions {
  const options = {
    method: "POST",
    // An agent of its own: the global one may be told by the environment to use a proxy.
    agent: false as const,
    rejectUnauthorized: true,
    headers: {
      authorization: `Bearer ${request.bearer}`,
      "content-type": "application/json",
      "content-length": String(body.length),
      accept: "application/json",
      "accept-encoding": "identity",
      connection: "close",
    },
  };
  if (url.hostname !== "localhost") return options;
  return { ...options, lookup: loopbackLookup as NonNullable<RequestOptions["lookup"]> };
}

type Settle = { done: (reply: JsonReply) => void; fail: (error: unknown) => void };

function readReply(response: IncomingMessage, statusText: string, maxBytes: number, settle: Settle): void {
  const chunks: Uint8Array[] = [];
  let length = 0;
  response.on("error", settle.fail);
  const encoding = response.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    settle.fail(failure("the answer is encoded, which was not asked for"));
    return;
  }
  response.on("data", (chunk: Uint8Array) => {
    length += chunk.length;
    if (length > maxBytes) settle.fail(failure(`the answer is larger than ${maxBytes} bytes`));
    else chunks.push(chunk);
  });
  response.on("end", () => {
    if (!response.complete) settle.fail(failure("connection closed without a whole answer"));
    else settle.done({ status: response.statusCode ?? 0, statusText, body: Buffer.concat(chunks) });
  });
}

/**
 * Sends one request and returns the whole answer, whatever its status. Follows no redirect, uses no proxy, decodes no
 * encoding. This is the only place where Paldron reaches a network, and it is loaded only when a policy asks for it.
 * @throws PaldronError `io`; its text holds neither the token nor the address.
 */
export const postJson: FetchJson = async (request) => {
  const url = checkEndpoint(request.url);
  const { STATUS_CODES, request: plain } = await import("node:http");
  const send = url.protocol === "http:" ? plain : (await import("node:https")).request;
  const body = new TextEncoder().encode(request.body);
  return await new Promise<JsonReply>((resolve, reject) => {
    let sent: ClientRequest | undefined;
    // Destroying is what ends the exchange in every case; errors that it causes come after the promise is settled.
    const finish = (settled: () => void): void => {
      clearTimeout(deadline);
      settled();
      sent?.destroy();
    };
    const settle: Settle = {
      done: (reply) => finish(() => resolve(reply)),
      fail: (error) => finish(() => reject(requestFailure(error))),
    };
    const late = failure(`request failed: no whole answer within ${request.timeoutMs / 1000} s`);
    const deadline = setTimeout(() => settle.fail(late), request.timeoutMs);
    try {
      sent = send(url, requestOptions(url, request, body));
    } catch (error) {
      settle.fail(error);
      return;
    }
    sent.on("error", settle.fail);
    sent.on("close", () => settle.fail(failure("request failed: connection closed without a whole answer")));
    sent.on("response", (response) => {
      const status = response.statusCode ?? 0;
      const text = [status, STATUS_CODES[status] ?? ""].join(" ").trim();
      readReply(response, text, request.maxBytes, settle);
    });
    sent.end(body);
  });
};
