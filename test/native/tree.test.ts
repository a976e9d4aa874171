import { existsSync, readFileSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Launcher, run } from "./driver.ts";
import { planMessage } from "./encode.ts";
import { alive, children, eachWay, marker, openFolder, until } from "./helpers.ts";

const folder = openFolder();
afterAll(folder.remove);
const sh = (script: string): string[] => ["/bin/sh", "-c", script];

eachWay("the tree", (way) => {
  test("leftovers are killed and counted", async () => {
    const mark = marker();
    const script = `setsid sleep ${mark} >/dev/null 2>&1 & (setsid sh -c 'sleep ${mark} & exec sleep ${mark}' &) >/dev/null 2>&1
      count() { n=0; for f in /proc/[0-9]*/cmdline; do
        [ "$(tr '\\0' ' ' <$f)" = "sleep ${mark} " ] && n=$((n + 1)); done 2>/dev/null; echo $n; }
      until [ $(count) -eq 3 ]; do :; done; exit 5`;
    const { ended } = await run({ ...way, argv: sh(script) }, way);
    expect(ended).toMatchObject({ kind: "exited", value: 5, cause: 0, leftovers: 3 });
    expect(alive(mark)).toEqual([]);
  });

  test("a leftover that holds the output open is killed, its output kept", async () => {
    const mark = marker();
    const script = `(echo late; exec sleep ${mark}) & exit 0`;
    const { ended, stdout } = await run({ ...way, argv: sh(script) }, way);
    expect(ended).toMatchObject({ cause: 0, leftovers: 1 });
    expect(stdout).toBe("late\n");
    expect(alive(mark)).toEqual([]);
  });

  // The launcher waits 100 ms for it; a loaded machine may not give the leftover its turn in that time.
  test("a leftover may finish its output first", { retry: 5 }, async () => {
    const script = "exec > >(sleep 0.02; tee /dev/null); echo through tee";
    const { ended, stdout } = await run({ ...way, argv: ["/bin/bash", "-c", script] }, way);
    expect([stdout, ended?.leftovers]).toEqual(["through tee\n", 0]);
  });

  test("SIGTERM at the timeout, and its exit code is kept", async () => {
    const script = "trap 'exit 7' TERM; while :; do sleep 0.01; done";
    const { ended } = await run({ ...way, argv: sh(script), timeoutMs: 200n, graceMs: 5000 }, way);
    expect(ended).toMatchObject({ kind: "exited", value: 7, cause: 1 });
    expect(Number(ended?.wallUs)).toBeLessThan(3_000_000);
  });

  test("SIGKILL after the grace for a tree that ignores SIGTERM or is stopped", async () => {
    const mark = marker();
    const script = `trap '' TERM; setsid sleep ${mark} & sh -c 'kill -STOP $$; sleep ${mark}' & while :; do sleep ${mark}; done`;
    const { ended } = await run({ ...way, argv: sh(script), timeoutMs: 200n, graceMs: 100 }, way);
    expect(ended).toMatchObject({ kind: "signalled", value: 9, cause: 1 });
    expect(alive(mark)).toEqual([]);
  });

  test("a timeout beyond any clock is none", async () => {
    const { ended } = await run({ ...way, argv: sh("exit 0"), timeoutMs: (1n << 64n) - 1n }, way);
    expect(ended).toMatchObject({ cause: 0, value: 0 });
  });

  test("cancel signals the group; 0 kills", async () => {
    const mark = marker();
    const polite = await run({ ...way, argv: sh(`exec sleep ${mark}`) }, { ...way, cancel: 2 });
    expect(polite.ended).toMatchObject({ kind: "signalled", value: 2, cause: 2, detail: 2 });
    const hard = await run({ ...way, argv: sh(`exec sleep ${mark}`) }, { ...way, cancel: 0 });
    expect(hard.ended).toMatchObject({ kind: "signalled", value: 9, cause: 2, detail: 0 });
    expect(alive(mark)).toEqual([]);
  });

  test("processes that keep forking die as well", async () => {
    const mark = marker();
    const script = `import os, sys, time
for i in range(6):
    if os.fork() == 0:
        while True:
            if os.fork() != 0: os._exit(0)
            if i == 0: os.setsid()
time.sleep(0.2)
# ${mark}`;
    const argv = ["/usr/bin/python3", "-c", script];
    const { ended } = await run({ ...way, argv }, way);
    expect(ended).toMatchObject({ cause: 0, value: 0 });
    expect(alive(mark)).toEqual([]);
  });

  test("the watchdog counts tasks and memory", async () => {
    const mark = marker();
    const many = `for i in 1 2 3 4 5 6 7 8 9 10; do sleep ${mark} & done; wait`;
    const tasks = await run({ ...way, argv: sh(many), watchdog: { memory: 0n, tasks: 5 } }, way);
    expect(tasks.ended).toMatchObject({ cause: 4 });
    expect(alive(mark)).toEqual([]);
    const big = ["/usr/bin/python3", "-c", "x = b'x' * (200 << 20); import time; time.sleep(60)"];
    const memory = await run({ ...way, argv: big, watchdog: { memory: 100n << 20n, tasks: 0 } }, way);
    expect(memory.ended).toMatchObject({ cause: 3, kind: "signalled", value: 9 });
    const fine = await run(
      { ...way, argv: sh(many.replaceAll(mark, "0.1")), watchdog: { memory: 100n << 20n, tasks: 50 } },
      way,
    );
    expect(fine.ended).toMatchObject({ cause: 0, value: 0 });
  });

  test("the watchdog keeps room on the disk", async () => {
    const { bavail, bsize, ffree } = statfsSync("/tmp", { bigint: true });
    const limited = (bytes: bigint, inodes: bigint): ReturnType<typeof run> => {
      // Late enough for the command to have started on a busy machine.
      const watchdog = { memory: 0n, tasks: 0, intervalMs: 700 };
      return run({ ...way, argv: sh("sleep 2"), watchdog, room: [bytes, inodes, "/tmp"] }, way);
    };
    // What others write meanwhile is far less than this.
    expect((await limited(2n * bavail * bsize, 0n)).ended).toMatchObject({ cause: 8, value: 9 });
    expect((await limited(0n, 2n * ffree)).ended).toMatchObject({ cause: 8, value: 9 });
    expect((await limited((bavail * bsize) / 2n, ffree / 2n)).ended).toMatchObject({ cause: 0, value: 0 });
  });

  test("shared pages are not counted once for each process", async () => {
    const script = `import os, time
x = bytearray(60 << 20)
for i in range(len(x) // 4096): x[i * 4096] = 1
for i in range(4):
    if os.fork() == 0: time.sleep(0.3); os._exit(0)
time.sleep(0.3)`;
    const argv = ["/usr/bin/python3", "-c", script];
    const { ended } = await run({ ...way, argv, watchdog: { memory: 200n << 20n, tasks: 0 } }, way);
    expect(ended).toMatchObject({ cause: 0, value: 0 });
  });

  describe("one SIGKILL leaves nothing", () => {
    const victims = {
      "the caller goes away": (launcher: Launcher) => launcher.input.destroy(),
      "the supervisor is killed": (launcher: Launcher) => launcher.child.kill("SIGKILL"),
      "the supervisor's group is killed": (launcher: Launcher) => process.kill(-launcher.pid, "SIGKILL"),
      "the guardian is killed": (launcher: Launcher) =>
        process.kill(children(launcher.pid)[0] ?? -1, "SIGKILL"),
      "the supervisor is told to stop": (launcher: Launcher) => launcher.child.kill("SIGTERM"),
    };
    for (const [name, act] of Object.entries(victims)) {
      test(name, async () => {
        const mark = marker();
        const scratch = { parent: folder.path, name: `k-${mark}` };
        const script = `trap '' TERM; cd ${join(folder.path, scratch.name)} && mkdir -p a/b && touch a/b/c
          (setsid sh -c 'trap "" TERM; sleep ${mark} & sleep ${mark} & wait' &)
          while :; do sleep ${mark}; done`;
        const launcher = new Launcher(way);
        await launcher.ready();
        launcher.send(planMessage({ ...way, argv: sh(script), scratch }));
        const done = launcher.finish();
        expect(await until(() => alive(mark).length >= 5)).toBe(true);
        act(launcher);
        expect(await until(() => alive(mark).length === 0)).toBe(true);
        expect(await until(() => !existsSync(join(folder.path, scratch.name)))).toBe(true);
        const { ended } = await done;
        if (name === "the guardian is killed") expect(ended?.cause).toBe(7);
        if (name === "the supervisor is told to stop") expect(ended).toMatchObject({ cause: 2, detail: 15 });
        await launcher.close();
      });
    }
  });

  test("nothing outside the tree is signalled", async () => {
    const mark = marker();
    const bystander = new Launcher(way); // same user, not in the tree
    await bystander.ready();
    const { ended } = await run({ ...way, argv: sh(`setsid sleep ${mark} & exit 0`) }, way);
    expect(ended?.leftovers).toBe(1);
    expect(bystander.child.exitCode ?? bystander.child.signalCode).toBeNull();
    expect(await bystander.close()).toBe(0);
  });

  // Sweeping does not bound signals: below Landlock ABI 6 `signals` is reported as not enforced.
  if (!way.sweep) {
    test("the command cannot signal supervisor, guardian or a stranger", async () => {
      const script = `p=$(ps -o ppid= -p $$ | tr -d ' '); pp=$(ps -o ppid= -p $p | tr -d ' ')
        for t in $p $pp ${process.pid}; do kill -9 $t 2>/dev/null && echo reached; done; kill -9 -1; echo on`;
      const { stdout, ended } = await run({ ...way, argv: ["/bin/bash", "-c", script] }, way);
      expect(stdout.replaceAll("on\n", "")).toBe("");
      expect(ended).toMatchObject({ cause: 0 });
    });
  }
});

test("a flood of 1 GB in bounded memory", async () => {
  const launcher = new Launcher({ discard: true });
  await launcher.ready();
  launcher.child.stdout?.resume();
  const argv = ["/bin/sh", "-c", "head -c 1073741824 /dev/zero"];
  launcher.send(planMessage({ argv, copy: 1n << 20n }));
  let largest = 0;
  const timer = setInterval(() => {
    largest = Math.max(largest, residentKb(launcher.pid));
  }, 20);
  const { ended, copy } = await launcher.finish();
  clearInterval(timer);
  await launcher.close();
  expect(ended).toMatchObject({ value: 0, stdoutBytes: 1n << 30n });
  expect(copy[0].length).toBe(1 << 20);
  expect(largest).toBeLessThan(process.env["PALDRON_TEST_LAUNCHER"] === undefined ? 4096 : 262_144);
});

function residentKb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
}
