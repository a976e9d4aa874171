import { type ChildProcess, type SpawnOptions, spawnSync } from "node:child_process";
import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PaldronError } from "../../../src/core/errors.ts";
import { type ChildOutcome, type ChildRun, runChild } from "../../../src/host/run-child.ts";
import { runDarwin } from "../../../src/host/run-darwin.ts";
import { runPlain } from "../../../src/host/run-plain.ts";

interface Spawned {
  readonly program: string;
  readonly args: readonly string[];
  readonly options: SpawnOptions;
}

/** A stand-in for spawn whose process prints `out` and exits with 3. */
function fakeSpawn(calls: Spawned[]): NonNullable<ChildRun["spawn"]> {
  return (program, args, options) => {
    calls.push({ program, args, options });
    const child = Object.assign(new EventEmitter(), {
      pid: undefined,
      stdout: new PassThrough(),
      stderr: new PassThrough(),
    });
    child.stdout.end("out");
    child.stderr.end();
    setImmediate(() => {
      child.emit("exit", 3, null);
      child.emit("close", 3, null);
    });
    return child as unknown as ChildProcess;
  };
}

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "run-other-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(over: Partial<ChildRun> = {}): ChildRun {
  return {
    program: "/bin/sh",
    argv: ["sh", "-c", "true"],
    env: ["PATH=/usr/bin:/bin", "A=b=c"],
    cwd: folder,
    timeoutMs: 0,
    graceMs: 200,
    stdin: "ignore",
    stdout: undefined,
    stderr: undefined,
    ...over,
  };
}

const sh = (script: string, over: Partial<ChildRun> = {}): Promise<ChildOutcome> =>
  runChild(run({ argv: ["sh", "-c", script], ...over }));

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe("macOS", () => {
  test("starts sandbox-exec by its full path, the profile and the program behind it", async () => {
    const calls: Spawned[] = [];
    const outcome = await runDarwin({
      ...run({ argv: ["sh", "-c", "x"], spawn: fakeSpawn(calls) }),
      profile: "(version 1)",
    });
    expect(outcome).toMatchObject({ kind: "exited", value: 3, timedOut: false });
    expect(text(outcome.stdout)).toBe("out");
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      program: "/usr/bin/sandbox-exec",
      args: ["-p", "(version 1)", "--", "/bin/sh", "-c", "x"],
      options: { argv0: "/usr/bin/sandbox-exec", cwd: folder, shell: false, detached: true },
    });
    expect({ ...calls[0]?.options.env }).toEqual({ PATH: "/usr/bin:/bin", A: "b=c" });
  });

  test("without sandbox-exec nothing runs", async () => {
    const outcome = runDarwin({ ...run({ argv: ["sh", "-c", "echo > ran"] }), profile: "(version 1)" });
    if (process.platform === "darwin") await outcome;
    else await expect(outcome).rejects.toMatchObject({ code: "start" });
  });
});

describe("no boundary", () => {
  test("runs nothing under a policy that requires isolation", async () => {
    const calls: Spawned[] = [];
    const outcome = runPlain({ ...run({ spawn: fakeSpawn(calls) }), requireOsIsolation: true });
    await expect(outcome).rejects.toMatchObject({ code: "isolation" });
    expect(calls).toEqual([]);
  });

  test("runs under a policy that does not", async () => {
    const outcome = await runPlain({
      ...run({ argv: ["sh", "-c", "echo hi; exit 5"] }),
      requireOsIsolation: false,
    });
    expect([outcome.kind, outcome.value, text(outcome.stdout)]).toEqual(["exited", 5, "hi\n"]);
  });
});

describe("a child", () => {
  test("gets exactly the environment, arguments and folder that were named", async () => {
    const script = 'echo "$0|$1|$A|$HOME|"; pwd';
    const outcome = await runChild(run({ argv: ["sh", "-c", script, "n", "a b"] }));
    expect(text(outcome.stdout)).toBe(`n|a b|b=c||\n${folder}\n`);
  });

  test("prints to both streams as it runs, and copies are kept", async () => {
    const seen: string[] = [];
    const sink = new PassThrough();
    let live: () => void = () => undefined;
    const first = new Promise<void>((resolve) => {
      live = resolve;
    });
    sink.on("data", (chunk: Buffer) => {
      seen.push(chunk.toString());
      live();
    });
    const done = sh("echo one; while [ ! -e go ]; do sleep 0.02; done; echo two >&2", { stdout: sink });
    await first;
    expect(seen.join("")).toBe("one\n");
    await sh("> go");
    const outcome = await done;
    expect([text(outcome.stdout), text(outcome.stderr)]).toEqual(["one\n", "two\n"]);
  });

  test("copies stop at 1 MiB, the count and the stream do not", async () => {
    let passed = 0;
    const sink = new Writable({
      highWaterMark: 1_000,
      write(chunk: Uint8Array, _encoding, done) {
        passed += chunk.length;
        setImmediate(done);
      },
    });
    const outcome = await sh("head -c 3000000 /dev/zero", { stdout: sink });
    await new Promise<void>((resolve) => sink.end(resolve));
    expect([outcome.stdout.length, outcome.stdoutBytes, passed]).toEqual([1_048_576, 3_000_000, 3_000_000]);
  });

  test("ends by signal", async () => {
    expect(await sh("kill -9 $$")).toMatchObject({ kind: "signalled", value: 9, timedOut: false });
  });

  test("is ended at the timeout with its whole group, also when it ignores SIGTERM", async () => {
    const outcome = await sh("trap '' TERM; sleep 60 & echo $!; sleep 60; sleep 60", { timeoutMs: 300 });
    expect(outcome).toMatchObject({ kind: "signalled", value: 9, timedOut: true });
    const pid = Number(text(outcome.stdout));
    expect(pid).toBeGreaterThan(1);
    await expect.poll(() => alive(pid)).toBe(false);
  });

  test("does not leave a background child behind after its own end", async () => {
    const start = performance.now();
    const outcome = await sh("sleep 60 & echo $!");
    expect(performance.now() - start).toBeLessThan(1_500);
    await expect.poll(() => alive(Number(text(outcome.stdout)))).toBe(false);
  });

  test("an abort ends it", async () => {
    const stop = new AbortController();
    const done = sh("sleep 60", { signal: stop.signal });
    setTimeout(() => stop.abort(), 100);
    expect(await done).toMatchObject({ kind: "signalled", value: 15, timedOut: false });
    expect(await sh("sleep 60", { signal: stop.signal })).toMatchObject({ kind: "signalled" });
  });

  test("a reader that goes away is a broken pipe for the command, another failure stops the run", async () => {
    const failing = (code: string): Writable =>
      new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });
    const yes = "while :; do echo y; done";
    expect(await sh(yes, { stdout: failing("EPIPE"), timeoutMs: 20_000 })).toMatchObject({ timedOut: false });
    await expect(sh(yes, { stdout: failing("ENOSPC"), timeoutMs: 20_000 })).rejects.toMatchObject({
      code: "output",
    });
  });

  test("that does not exist, or whose arguments are not text, never starts", async () => {
    await expect(runChild(run({ program: "/nonexistent/x" }))).rejects.toMatchObject({ code: "start" });
    await expect(runChild(run({ argv: ["sh", "-c", "\udcff"] }))).rejects.toMatchObject({ code: "request" });
    await expect(runChild(run({ argv: ["sh", "a\0b"] }))).rejects.toBeInstanceOf(PaldronError);
  });
});

/** Alive and no zombie: a dead child of the init process may wait to be reaped. */
function alive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return /^[^Z\s]/.test(stdout);
}
