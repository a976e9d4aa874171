import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PALDRON } from "../cli/paldron.ts";
import { ROOT } from "../meta/sources.ts";
import { connect, type Place, place, SECRET, type Session, type SessionOptions } from "./session.ts";

const ALLOWED = ["echo", "secret", "variable", "roots", "noise", "die"];
const POLICY = `
${ALLOWED.map((name) => `[[rule]]\ntool = "mcp__small__${name}"\ndecision = "allow"\n`).join("\n")}

[[rule]]
tool = "mcp__small__echo"
decision = "deny"
args = { text = "*forbidden*" }

[[rule]]
tool = "mcp__small__delete*"
decision = "deny"
`;

let where: Place;
let session: Session | undefined;

beforeEach(() => {
  where = place();
  copyFileSync(join(ROOT, "test/fixtures/mcp-server.mjs"), where.path("server.mjs"));
  where.write("policy.toml", POLICY);
});
afterEach(async () => {
  await session?.close();
  session = undefined;
  where.remove();
});

const ARGS = ["--proxy", "--policy=policy.toml", "--name=small"];
const SERVER = ["--", "node", "server.mjs"];

async function start(options: SessionOptions & { readonly more?: readonly string[] } = {}): Promise<Session> {
  const { more = [], ...rest } = options;
  session = await connect(where, { ...rest, args: [...ARGS, ...more, ...SERVER] });
  return session;
}

/** The calls that reached the server. */
function seen(method = "tools/call"): readonly string[] {
  if (!existsSync(where.path("seen.jsonl"))) return [];
  const lines = readFileSync(where.path("seen.jsonl"), "utf8").trim().split("\n");
  return lines.filter((line) => line.includes(`"method":"${method}"`));
}

describe.each([
  ["confined", []],
  ["unconfined", ["--unconfined"]],
])("a %s server", (_, more) => {
  test("gets what is allowed and nothing else", async () => {
    const { call, client } = await start({ more });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("echo");
    expect(await call("echo", { text: "hello" })).toEqual({ text: "hello", isError: false });
    expect(seen()).toHaveLength(1);
    const denied = [
      ["echo", { text: "a forbidden word" }],
      ["delete_all", {}],
      ["Delete_All", {}],
      ["echo", { text: "x", file_path: "/etc/passwd" }],
      ["echo", { text: "x", file_path: ".env" }],
      // Not known, and this client cannot ask.
      ["write", {}],
    ] as const;
    for (const [name, args] of denied) {
      const { text, isError } = await call(name, args);
      expect([isError, text.startsWith("denied by paldron: ")]).toEqual([true, true]);
    }
    expect(seen()).toHaveLength(1);
  });
});

describe.each(["legacy", "auto"] as const)("a call that needs approval (%s)", (mode) => {
  test("reaches the server after a yes only", async () => {
    const asked: string[] = [];
    const answer = (message: string): boolean => asked.push(message) === 2;
    const { call } = await start({ mode, answer });
    expect(await call("write", { a: 1 })).toMatchObject({ isError: true });
    expect(seen()).toEqual([]);
    expect(await call("write", { a: 2 })).toEqual({ text: "written", isError: false });
    expect(seen()).toHaveLength(1);
    expect(seen()[0]).toContain('"arguments":{"a":2}');
    expect(asked[1]).toContain("mcp__small__write");
  });
});

test("secrets in what the server says are replaced", async () => {
  const { call } = await start();
  expect((await call("secret", {})).text).toBe("the token is [secret removed by paldron]");
  expect(JSON.stringify(await call("echo", { text: `-${SECRET}-` }))).not.toContain(SECRET);
});

test("a confined server has the variables that it is given, and no secrets", async () => {
  const env = { GIVEN_TOKEN: "given", OTHER_TOKEN: "other" };
  const { call } = await start({ env, more: ["--env=GIVEN_TOKEN"] });
  expect((await call("variable", { name: "GIVEN_TOKEN" })).text).toBe("given");
  expect((await call("variable", { name: "OTHER_TOKEN" })).text).toBe("undefined");
});

test("the server's own questions reach the client, and its noise does not", async () => {
  const { call } = await start();
  expect((await call("roots", {})).text).toBe('{"roots":[{"uri":"file:///a-root"}]}');
  expect((await call("noise", {})).text).toBe("after the noise");
  expect((await call("echo", { text: "still" })).text).toBe("still");
});

test("what runs later and changes while a server runs is named, and left: it may be somebody else's", () => {
  const script = "mkdir .claude; echo '{}' > .claude/settings.json";
  const args = ["mcp", "--proxy", "--", "bash", "-c", script];
  const run = spawnSync(PALDRON, args, { cwd: where.root, encoding: "utf8", input: "" });
  expect(run.stderr).toContain(".claude/settings.json, which runs later, changed while the server ran");
  expect(existsSync(where.path(".claude/settings.json"))).toBe(true);
});

test("a server that dies ends the session, and each call is answered", async () => {
  const { call, pid } = await start();
  await expect(call("die", {})).rejects.toThrow(/the server/);
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("what a client sends by hand", () => {
  /** Sends lines, and gives the answers by their ids. */
  async function talk(lines: readonly string[]): Promise<readonly Record<string, unknown>[]> {
    const { PATH = "", HOME = "" } = process.env;
    const child = spawn(PALDRON, ["mcp", ...ARGS, ...SERVER], {
      cwd: where.root,
      env: { PATH, HOME },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stdin.end(lines.map((line) => `${line}\n`).join(""));
    await once(child, "close");
    return Buffer.concat(chunks)
      .toString()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
  const call = (id: number, rest: string): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{${rest}}}`;

  test("is judged as it is understood, or refused", async () => {
    const odd = [
      `[${call(1, '"name":"echo","arguments":{}')}]`,
      call(2, '"name":"echo","name":"delete_all","arguments":{}'),
      call(3, '"name":"echo","Name":"delete_all","arguments":{}'),
      call(4, '"name":"echo","arguments":{"text":"a","text":"forbidden"}'),
      call(5, '"name":"echo","arguments":[]'),
      call(6, '"name":5'),
      '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{}}}',
      '{"jsonrpc":"2.0","id":7,"method":"Tools/Call","params":{"name":"delete_all","arguments":{}}}',
      '{"jsonrpc":"2.0","id":8,"method":"ping","Method":"tools/call","params":{"name":"delete_all"}}',
      '{"jsonrpc":"2.0","id":9,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}',
      `{"jsonrpc":"2.0","id":10,"method":"resources/read","params":{"uri":"file://${where.path(".env")}"}}`,
      '{"jsonrpc":"2.0","id":"back-1","result":{}}',
      "nothing",
    ];
    const twins = [
      call(20, '"name":"echo","arguments":{"text":"twin"}'),
      `{"jsonrpc":"2.0","id":21,"method":"resources/read","params":{"uri":"file://${where.path("plain.txt")}"}}`,
    ];
    const answers = await talk([...odd, ...twins]);
    expect(seen()).toEqual([twins[0]]);
    expect(seen("resources/read")).toHaveLength(1);
    expect(readFileSync(where.path("seen.jsonl"), "utf8").trim().split("\n")).toHaveLength(2);
    const byId = (id: unknown) => answers.filter((answer) => answer["id"] === id);
    for (const id of [20, 21]) expect(byId(id)).toMatchObject([{ result: {} }]);
    for (const id of [3, 5, 6, 7, 9, 10]) expect(byId(id)).toMatchObject([{ error: {} }]);
    expect(byId(null).length).toBe(5);
    expect(answers.every((answer) => answer["jsonrpc"] === "2.0")).toBe(true);
  });

  test("may use an id once at a time", async () => {
    const twice = [call(1, '"name":"roots"'), call(1, '"name":"echo","arguments":{"text":"b"}')];
    const answers = await talk(twice);
    expect(seen()).toEqual([twice[0]]);
    expect(answers).toContainEqual(expect.objectContaining({ id: 1, error: expect.anything() }));
  });
});

test("the end of the client ends a server that does not want to", async () => {
  const word = `9${process.pid}8`;
  // One in a session of its own, one whose parent has ended as well.
  const script = `trap "" TERM; setsid sleep ${word} 2>/dev/null & (setsid sleep ${word} >/dev/null 2>&1 &)
while :; do sleep ${word}; done`;
  for (const more of [[], ["--unconfined"]]) {
    const args = ["mcp", "--proxy", ...more, "--", "bash", "-c", script];
    const run = spawnSync(PALDRON, args, { cwd: where.root, encoding: "utf8", input: "" });
    expect([run.status, run.stdout]).toEqual([0, ""]);
    const left = readdirSync("/proc").filter((name) => {
      try {
        return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(word);
      } catch {
        return false;
      }
    });
    for (const pid of left) process.kill(Number(pid), "SIGKILL");
    expect([more, left.length]).toEqual([more, 0]);
  }
});

test.each([
  [["--proxy"], 1],
  [["--", "node"], 1],
  [["--name=a"], 1],
  [["--proxy", "--name=a__b", "--", "node"], 1],
  [["--proxy", "--env=A B", "--", "node"], 1],
  [["--proxy", "--unconfined", "--env=A", "--", "node"], 1],
  [["--proxy", "--", "node", "/etc/passwd"], 2],
  [["--proxy", "--", "no-such-program"], 1],
  [["--proxy", "--unconfined", "--", "no-such-program"], 1],
])("paldron mcp %j is exit %i with nothing on stdout", (args, exit) => {
  const run = spawnSync(PALDRON, ["mcp", ...args], { cwd: where.root, encoding: "utf8", input: "" });
  expect([run.status, run.stdout]).toEqual([exit, ""]);
  expect(run.stderr).toMatch(/^paldron: /);
});
