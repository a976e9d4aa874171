import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { type JevInput, type JevVerdict, jevRequestBody, judgeWithJev } from "../../../src/app/jev.ts";
import { decodeBytes } from "../../../src/core/bytes.ts";
import { PaldronError } from "../../../src/core/errors.ts";
import { type FetchJson, type JsonRequest, postJson } from "../../../src/host/http.ts";

const KEY = "test-key-93";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function input(over: Partial<JevInput> = {}): JevInput {
  return {
    argv: ["echo", "hi"],
    exitCode: 0,
    stdout: bytes("hi\n"),
    stderr: bytes(""),
    threshold: 0.7,
    onError: "deny",
    env: { JEV_API_KEY: KEY },
    fetchJson: answering(scores(0, 0)),
    ...over,
  };
}

function scores(secret: unknown, hostile: unknown): string {
  return JSON.stringify({
    answers: { secret_exposure: { noul: secret }, hostile_action: { noul: hostile } },
  });
}

function answering(body: string | Uint8Array, status = 200, statusText = "200 OK"): FetchJson {
  return async () => ({ status, statusText, body: typeof body === "string" ? bytes(body) : body });
}

const message = (verdict: JevVerdict): string | undefined =>
  verdict.kind === "deny" ? verdict.message : verdict.warning;

describe("an answer", () => {
  test.each([
    [0, 0, 0.7, undefined, undefined],
    [0.69, 0.69, 0.7, undefined, undefined],
    [0.999, 0.999, 1, undefined, undefined],
    [0.93, 0, 0.7, "jev_secret_exposure", "jev verdict: output exposes secrets (p=0.93)"],
    [0.7, 0, 0.7, "jev_secret_exposure", "jev verdict: output exposes secrets (p=0.70)"],
    [0.6, 0, 0.5, "jev_secret_exposure", "jev verdict: output exposes secrets (p=0.60)"],
    [0.996, 0, 0.7, "jev_secret_exposure", "jev verdict: output exposes secrets (p=1.00)"],
    [1, 0, 1, "jev_secret_exposure", "jev verdict: output exposes secrets (p=1.00)"],
    [0.05, 0.93, 0.7, "jev_hostile_action", "jev verdict: output shows hostile action (p=0.93)"],
    [0.9, 0.95, 0.7, "jev_secret_exposure", "jev verdict: output exposes secrets (p=0.90)"],
  ])("secret %d, hostile %d, threshold %d", async (secret, hostile, threshold, code, text) => {
    const verdict = await judgeWithJev(input({ threshold, fetchJson: answering(scores(secret, hostile)) }));
    if (text === undefined) expect(verdict).toEqual({ kind: "allow" });
    else expect(verdict).toEqual({ kind: "deny", code, message: text });
  });

  test("is not softened by jev_on_error = allow", async () => {
    const verdict = await judgeWithJev(input({ onError: "allow", fetchJson: answering(scores(0.93, 0.05)) }));
    expect(verdict).toMatchObject({ kind: "deny", code: "jev_secret_exposure" });
  });

  test("denies under a threshold that compares with nothing", async () => {
    expect(await judgeWithJev(input({ threshold: Number.NaN }))).toMatchObject({ kind: "deny" });
  });
});

describe("what is no answer", () => {
  const half = '{"answers":{"secret_exposure":{"noul":0.1}}}';
  const other = '{"answers":{"hostile_action":{"noul":0.1}}}';
  test.each<[string, FetchJson, string]>([
    [
      "server error",
      answering("nope", 500, "500 Internal Server Error"),
      "endpoint returned 500 Internal Server Error",
    ],
    ["created", answering(scores(0, 0), 201, "201 Created"), "endpoint returned 201 Created"],
    ["no content", answering("", 204, "204 No Content"), "endpoint returned 204 No Content"],
    ["redirect", answering("", 302, "302 Found"), "endpoint returned 302 Found (redirects are not followed)"],
    ["not JSON", answering(`not json ${KEY}`), "response is no JSON"],
    ["empty", answering(""), "response is no JSON"],
    ["not UTF-8", answering(Uint8Array.of(0x22, 0xff, 0x22)), "response is no JSON"],
    ["null", answering("null"), "response missing secret_exposure"],
    ["array", answering("[]"), "response missing secret_exposure"],
    ["no answers", answering("{}"), "response missing secret_exposure"],
    ["answers as an array", answering('{"answers":[]}'), "response missing secret_exposure"],
    ["only one answer", answering(half), "response missing hostile_action"],
    ["only the other", answering(other), "response missing secret_exposure"],
    [
      "null answers",
      answering('{"answers":{"secret_exposure":null,"hostile_action":null}}'),
      "response missing secret_exposure",
    ],
    [
      "no p",
      answering('{"answers":{"secret_exposure":{},"hostile_action":{}}}'),
      "response has no probability for secret_exposure",
    ],
    [
      "a sure hit beside a missing answer",
      answering(scores(0.99, null)),
      "response has no probability for hostile_action",
    ],
    ["p as text", answering(scores("0.9", 0)), "response has no probability for secret_exposure"],
    ["p below 0", answering(scores(-0.1, 0)), "response has no probability for secret_exposure"],
    ["p above 1", answering(scores(1.1, 0)), "response has no probability for secret_exposure"],
    [
      "p too large for a number",
      answering('{"answers":{"secret_exposure":{"noul":1e999},"hostile_action":{"noul":0}}}'),
      "response has no probability for secret_exposure",
    ],
    [
      "p inherited",
      answering('{"answers":{"__proto__":{"secret_exposure":{"noul":0},"hostile_action":{"noul":0}}}}'),
      "response missing secret_exposure",
    ],
    [
      "network failure",
      () => Promise.reject(new PaldronError("io", "request failed: connection refused")),
      "request failed: connection refused",
    ],
    ["something unforeseen", () => Promise.reject(new Error(`boom ${KEY}`)), "request failed"],
    ["something thrown that is no error", () => Promise.reject(KEY), "request failed"],
  ])("%s", async (_name, fetchJson, why) => {
    const denied = await judgeWithJev(input({ fetchJson }));
    expect(denied).toEqual({
      kind: "deny",
      code: "jev_unavailable",
      message: `jev verdict unavailable: jev: ${why}`,
    });
    const warned = await judgeWithJev(input({ fetchJson, onError: "allow" }));
    expect(warned).toEqual({
      kind: "allow",
      warning: `jev verdict unavailable, allowing run (jev_on_error=allow): jev: ${why}`,
    });
    expect(message(denied) ?? "").not.toContain(KEY);
  });
});

describe("the key", () => {
  const never: FetchJson = () => Promise.reject(new Error("called out"));

  test.each([undefined, "", "  "])("%j is not set, and nothing calls out", async (key) => {
    let calls = 0;
    const fetchJson: FetchJson = (request) => {
      calls += 1;
      return never(request);
    };
    const verdict = await judgeWithJev(input({ env: { JEV_API_KEY: key }, fetchJson }));
    expect(message(verdict)).toBe("jev verdict unavailable: jev: JEV_API_KEY is not set");
    expect(calls).toBe(0);
  });

  test.each(["abc\r\nx: y", "abc\n", "a b", "naïve", "ключ", "a\u0000b", "\u{1f511}"])(
    "%j is refused unseen",
    async (key) => {
      const text = message(await judgeWithJev(input({ env: { JEV_API_KEY: key }, fetchJson: never })));
      expect(text).toBe(
        "jev verdict unavailable: jev: JEV_API_KEY holds characters that no header can carry",
      );
    },
  );
});

describe("the request", () => {
  async function sent(over: Partial<JevInput> = {}): Promise<JsonRequest> {
    const requests: JsonRequest[] = [];
    const fetchJson: FetchJson = (request) => {
      requests.push(request);
      return answering(scores(0, 0))(request);
    };
    expect(await judgeWithJev(input({ ...over, fetchJson }))).toEqual({ kind: "allow" });
    const [request] = requests;
    if (request === undefined || requests.length !== 1) throw new Error("not one request");
    return request;
  }

  test("goes to the default endpoint with bounds, or where JEV_API_URL says", async () => {
    const request = await sent();
    expect(request).toMatchObject({
      url: "https://api.typesafe.ai/v1/systemone",
      bearer: KEY,
      timeoutMs: 10_000,
      maxBytes: 65_536,
    });
    expect((await sent({ env: { JEV_API_KEY: KEY, JEV_API_URL: "" } })).url).toBe(request.url);
    expect((await sent({ env: { JEV_API_KEY: KEY, JEV_API_URL: "http://[::1]/x" } })).url).toBe(
      "http://[::1]/x",
    );
  });

  test("holds model, state and both questions, and no key", async () => {
    const { body } = await sent({ exitCode: 3, stderr: bytes("e") });
    expect(body).not.toContain(KEY);
    const parsed = JSON.parse(body);
    expect(parsed.model).toBe("jev-latest");
    expect(parsed.state).toEqual({ argv: ["echo", "hi"], exit_code: 3, stdout: "hi\n", stderr: "e" });
    expect(Object.keys(parsed.questions)).toEqual(["secret_exposure", "hostile_action"]);
    for (const question of Object.values<Record<string, unknown>>(parsed.questions)) {
      expect(question).toEqual({
        type: "noul",
        instructions: expect.any(String),
        criteria: { true: expect.any(String), false: expect.any(String) },
      });
    }
  });

  test.each([
    ["x", 8_000],
    ["é", 8_000],
    ["\u{1f600}", 8_000],
  ])("shows the first 8,000 and 4,000 characters of %s", (character, limit) => {
    const long = bytes(character.repeat(9_000));
    const { state } = JSON.parse(jevRequestBody({ argv: [], exitCode: 0, stdout: long, stderr: long }));
    expect([...state.stdout]).toHaveLength(limit);
    expect([...state.stderr]).toHaveLength(4_000);
    expect(new Set([...state.stdout, ...state.stderr])).toEqual(new Set([character]));
  });

  test("replaces bytes that are not UTF-8", () => {
    const argument = decodeBytes(Uint8Array.of(0x61, 0xff));
    const stdout = Uint8Array.of(0xfe, 0x62);
    const body = jevRequestBody({ argv: [argument], exitCode: null, stdout, stderr: bytes("") });
    expect(JSON.parse(body).state).toEqual({
      argv: ["a\ufffd"],
      exit_code: null,
      stdout: "\ufffdb",
      stderr: "",
    });
  });
});

test("works against a real server, and shows nothing of the key that the server repeats", async () => {
  const server = createServer((request, response) => {
    const echo = request.headers.authorization ?? "";
    if (request.url === "/deny") response.end(scores(0.93, 0));
    else response.writeHead(401, echo).end(echo);
    request.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const ask = (path: string): Promise<JevVerdict> =>
      judgeWithJev(
        input({
          fetchJson: postJson,
          env: { JEV_API_KEY: KEY, JEV_API_URL: `http://127.0.0.1:${port}${path}` },
        }),
      );
    expect(message(await ask("/deny"))).toBe("jev verdict: output exposes secrets (p=0.93)");
    expect(message(await ask("/other"))).toBe(
      "jev verdict unavailable: jev: endpoint returned 401 Unauthorized",
    );
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
