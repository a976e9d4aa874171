import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PALDRON } from "../cli/paldron.ts";
import { calledOf, connect, type Place, place, SECRET, type Session } from "./session.ts";

let where: Place;
let session: Session;

beforeAll(async () => {
  where = place();
  session = await connect(where);
});
afterAll(async () => {
  await session.close();
  where.remove();
});

const run = (command: string) => session.call("execute_code", { command, dir: where.root });

/** Processes with this word in their command line, other than this one. */
function processesWith(word: string): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(word) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

async function until(what: () => boolean): Promise<void> {
  while (!what()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("a command", () => {
  test("runs with its words and tells what came out", async () => {
    expect(await run(`node -e 'console.log("a  b"); console.error("c")'`)).toEqual({
      text: "command exited 0\n[stdout]\na  b\n\n[stderr]\nc\n",
      isError: false,
    });
  });

  test("that fails is an error with its output", async () => {
    const { text, isError } = await run("sh -c 'echo out; exit 3'");
    expect(isError).toBe(true);
    expect(text).toBe("command exited 3\n[stdout]\nout\n");
  });

  test.each([
    ["by name", "cat .env"],
    ["by code", `node -e 'console.log(fs.readFileSync("." + "env", "utf8"))'`],
    ["by a shell", "sh -c 'cat .e*'"],
  ])("reads no secret %s", async (_, command) => {
    const { text, isError } = await run(command);
    expect(isError).toBe(true);
    expect(text).not.toContain(SECRET);
  });

  test("that leaves a secret is denied", async () => {
    const { text, isError } = await run('node -e \'fs.writeFileSync("new.pem", "k")\'');
    expect(isError).toBe(true);
    expect(text).toContain("denied by paldron: run produced new.pem (secret)");
  });

  test.each([
    ["echo $HOME", "`$` means"],
    ["ls *.txt", "`*` means"],
    ["X=1 env", "it starts with an assignment"],
    ["echo 'a", "unterminated single quote"],
    ["echo a > b", "`>` means"],
    ["echo a; echo b", "unsafe shell operator"],
  ])("that needs a shell is refused: %s", async (command, why) => {
    const { text, isError } = await run(command);
    expect(isError).toBe(true);
    expect(text).toContain(why);
  });

  test("runs in a folder of the workspace only", async () => {
    where.write("inner/x", "");
    const inner = { command: "ls", dir: where.path("inner") };
    expect((await session.call("execute_code", inner)).text).toContain("[stdout]\nx\n");
    expect((await session.call("execute_code", { command: "ls", dir: "/etc" })).isError).toBe(true);
  });
});

test("output arrives before the end, without secrets", async () => {
  const pieces: string[] = [];
  const script = `echo first; until test -e go; do sleep 0.05; done; echo ${SECRET}`;
  const call = session.client.callTool(
    { name: "execute_code", arguments: { command: `sh -c '${script}'`, dir: where.root } },
    {
      onprogress: ({ message = "" }) => {
        pieces.push(message);
        // The command waits for this: it cannot have ended.
        if (message.includes("first")) where.write("go", "");
      },
    },
  );
  const { text } = calledOf(await call);
  expect(pieces.join("")).toBe("first\n[secret removed by paldron]\n");
  expect(text).toBe("command exited 0\n[stdout]\nfirst\n[secret removed by paldron]\n");
});

test("a cancelled call leaves no process, and the next one works", async () => {
  const word = `9${process.pid}9`;
  const cancel = new AbortController();
  const script = `setsid sleep ${word} & trap "" TERM; echo up; while :; do sleep 0.1; done`;
  const call = session.client.callTool(
    { name: "execute_code", arguments: { command: `bash -c '${script}'`, dir: where.root } },
    { signal: cancel.signal, onprogress: () => cancel.abort("enough") },
  );
  await expect(call).rejects.toThrow();
  await until(() => processesWith(word).length === 0);
  expect((await run("echo next")).text).toContain("next");
});

test("many calls at once are bounded, and all are answered", async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => run(`echo ${i}`)));
  const done = answers.filter(({ isError }) => !isError);
  expect(done.length).toBeGreaterThanOrEqual(36);
  expect(answers.filter(({ isError }) => isError).map(({ text }) => text)).toEqual(
    Array.from({ length: 40 - done.length }, () => "too many calls at once"),
  );
});

test("the end of standard input ends everything", async () => {
  const word = `ended-${process.pid}`;
  const other = await connect(where);
  const command = `bash -c 'trap "" TERM; touch started; while :; do sleep 0.1; done; : ${word}'`;
  const call = other.call("execute_code", { command, dir: where.root });
  call.catch(() => undefined);
  await until(() => readdirSync(where.root).includes("started"));
  await other.close();
  await until(() => processesWith(word).length === 0);
  expect(() => process.kill(other.pid, 0)).toThrow();
});

test("a client that does not read is not read either, and gets its answers when it does", async () => {
  const { PATH = "", HOME = "" } = process.env;
  where.write("page.txt", "x".repeat(200_000));
  const child = spawn(PALDRON, ["mcp"], {
    cwd: where.root,
    env: { PATH, HOME },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const version = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  };
  const send = (message: object): boolean =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({ id: 0, method: "initialize", params: version });
  send({ method: "notifications/initialized" });
  const read = { name: "read_file", arguments: { path: where.path("page.txt") } };
  for (let id = 1; id <= 100; id += 1) send({ id, method: "tools/call", params: read });
  child.stdin.end();
  await new Promise((resolve) => setTimeout(resolve, 500));
  let length = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    length += chunk.length;
  });
  await once(child, "close");
  expect(length).toBeGreaterThan(100 * 200_000);
});
