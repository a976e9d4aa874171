import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { Launcher, run } from "./driver.ts";
import { planMessage } from "./encode.ts";
import { eachWay, openFolder } from "./helpers.ts";

const folder = openFolder();
afterAll(folder.remove);
const sh = (script: string): string[] => ["/bin/sh", "-c", script];

eachWay("a run", (way) => {
  test("passes the exit code on", async () => {
    const { ended } = await run({ ...way, argv: sh("exit 137") }, way);
    expect(ended).toMatchObject({ kind: "exited", value: 137, cause: 0, leftovers: 0 });
  });

  test("passes a signal on, apart from an exit code", async () => {
    const { ended } = await run({ ...way, argv: sh("kill -9 $$") }, way);
    expect(ended).toMatchObject({ kind: "signalled", value: 9, cause: 0 });
  });

  test("relays and copies both streams", async () => {
    const outcome = await run({ ...way, argv: sh("printf out; printf err >&2") }, way);
    expect(outcome).toMatchObject({ stdout: "out", stderr: "err", copy: ["out", "err"] });
  });

  test("bounds the copy, not the relay", async () => {
    const outcome = await run({ ...way, argv: sh("printf 0123456789"), copy: 4n }, way);
    expect(outcome).toMatchObject({ stdout: "0123456789", copy: ["0123", ""] });
  });

  test("gives real pipes that can be opened by name", async () => {
    const { stdout, ended } = await run({ ...way, argv: sh("echo hi > /dev/stdout") }, way);
    expect([stdout, ended?.value]).toEqual(["hi\n", 0]);
  });

  test("leaves no descriptor but 0, 1 and 2", async () => {
    const script =
      'for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 20 255; do [ -e /proc/$$/fd/$i ] && printf "$i "; done';
    const { stdout } = await run({ ...way, argv: sh(script) }, way);
    expect(stdout).toBe("0 1 2 ");
  });

  test("resets signals, session and terminal", async () => {
    const script = "grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status; cut -d' ' -f1,5,6,7 /proc/$$/stat";
    const { stdout } = await run({ ...way, argv: ["/bin/bash", "-c", `trap - INT; ${script}; :`] }, way);
    expect(stdout).toMatch(/SigBlk:\s+0{16}\nSigIgn:\s+0{16}\n/);
    const [pid, group, session, terminal] = (stdout.trim().split("\n").at(-1) ?? "").split(" ");
    expect([group, session, terminal]).toEqual([pid, pid, "0"]);
  });

  test("drops every capability", async () => {
    const { stdout } = await run({ ...way, argv: sh("grep -E '^Cap|NoNewPrivs' /proc/self/status") }, way);
    expect(stdout).toMatch(/CapPrm:\s+0{16}\nCapEff:\s+0{16}\n/);
    expect(stdout).toMatch(/NoNewPrivs:\s+1/);
    if (way.uid === undefined && process.getuid?.() === 0) expect(stdout).toMatch(/CapBnd:\s+0{16}/);
  });

  test("hands over arguments, environment and folder", async () => {
    mkdirSync(join(folder.path, "here"), { recursive: true });
    const argv = ["/bin/sh", "-c", 'pwd; echo "$#:$1:$2:$X"', "name", "", "a b"];
    const { stdout } = await run({ ...way, argv, env: ["X=1=2"], cwd: join(folder.path, "here") }, way);
    expect(stdout).toBe(`${join(folder.path, "here")}\n2::a b:1=2\n`);
  });

  test("passes stdin on", async () => {
    writeFileSync(join(folder.path, "in"), "typed\n");
    const stdin = openSync(join(folder.path, "in"), "r");
    const { stdout } = await run({ ...way, argv: ["/bin/cat"] }, { ...way, stdin });
    closeSync(stdin);
    expect(stdout).toBe("typed\n");
  });

  test("applies limits without breaking itself", async () => {
    const limits = [
      [7, 4n],
      [4, 0n],
      [1, 0n],
    ] as const;
    const { stdout, ended } = await run({ ...way, argv: sh("ulimit -n; ulimit -c"), limits }, way);
    expect([stdout, ended?.value]).toEqual(["4\n0\n", 0]);
  });

  test("is not broken by a limit that leaves no descriptor", async () => {
    const { ended } = await run({ ...way, argv: ["/bin/true"], limits: [[7, 3n]] }, way);
    expect(ended).toMatchObject({ kind: "exited", value: 127 }); // the loader's own status
  });

  test("ends, and does not hang, where the limits are too low for any program", async () => {
    const outcome = await run({ ...way, argv: ["/bin/true"], limits: [[9, 4096n]] }, way);
    expect(outcome.failed?.stage ?? outcome.ended?.kind).toSatisfy((v) => v === 14 || v === "signalled");
  });

  test("sets the oom score", async () => {
    const { stdout } = await run({ ...way, argv: sh("cat /proc/self/oom_score_adj"), oomScore: 1000 }, way);
    expect(stdout).toBe("1000\n");
  });

  test("files can be moved and linked between folders", async () => {
    const at = join(folder.path, `move-${way.uid}-${way.sweep}`);
    mkdirSync(join(at, "b"), { recursive: true });
    chmodSync(at, 0o777);
    chmodSync(join(at, "b"), 0o777);
    const script = `cd ${at} && echo x > f && mv f b/g && ln b/g h && cat h && ls b`;
    const { stdout } = await run({ ...way, argv: sh(script) }, way);
    expect(stdout).toBe("x\ng\n");
  });

  test("reports a program that cannot be started", async () => {
    const file = join(folder.path, "noexec");
    writeFileSync(file, "text", { mode: 0o644 });
    const { failed, ended, pid } = await run({ ...way, argv: [file] }, way);
    expect({ failed, ended, pid }).toMatchObject({
      failed: { stage: 14, errno: 13 },
      ended: undefined,
      pid: -1,
    });
  });

  test("makes a scratch folder and removes all of it", async () => {
    const scratch = { parent: folder.path, name: `s-${way.uid}-${way.sweep}` };
    const path = join(folder.path, scratch.name);
    const script = `cd ${path} && stat -c %a . tmp home && mkdir -p a/b/c d && echo x > a/b/c/f &&
      ln -s /etc l && touch tmp/t && chmod 000 a/b/c a/b a d`;
    const { stdout, ended } = await run({ ...way, argv: sh(script), scratch }, way);
    expect([stdout, ended?.value]).toEqual(["700\n700\n700\n", 0]);
    expect(existsSync(path)).toBe(false);
    expect(existsSync("/etc/passwd")).toBe(true);
  });

  test("makes links in it, and leaves what they lead to", async () => {
    const scratch = { parent: folder.path, name: `l-${way.uid}-${way.sweep}` };
    const links = [
      ["home/.a/b", folder.path],
      ["home/.a/c", "nothing"],
    ] as const;
    const script = `cd ${join(folder.path, scratch.name)}/home/.a && readlink b c && stat -c %a .`;
    const { stdout, ended } = await run({ ...way, argv: sh(script), scratch, links }, way);
    expect([stdout, ended?.value]).toEqual([`${folder.path}\nnothing\n700\n`, 0]);
    expect(existsSync(folder.path)).toBe(true);
  });

  test("removes a scratch folder 3000 levels deep", async () => {
    const scratch = { parent: folder.path, name: `deep-${way.uid}-${way.sweep}` };
    const script = `import os
os.chdir("${join(folder.path, scratch.name)}")
for i in range(3000):
    os.mkdir("d" * 100); os.chdir("d" * 100)`;
    const { ended } = await run({ ...way, argv: ["/usr/bin/python3", "-c", script], scratch }, way);
    expect(ended).toMatchObject({ kind: "exited", value: 0 });
    expect(existsSync(join(folder.path, scratch.name))).toBe(false);
  });

  test("refuses a scratch folder that exists, and leaves it", async () => {
    const name = `old-${way.uid}-${way.sweep}`;
    mkdirSync(join(folder.path, name));
    const plan = { ...way, argv: ["/bin/true"], scratch: { parent: folder.path, name } };
    const { failed } = await run(plan, way);
    expect(failed).toMatchObject({ stage: 3, errno: 17 });
    expect(readdirSync(folder.path)).toContain(name);
  });

  test("a reader that is gone gives the command SIGPIPE", async () => {
    const launcher = new Launcher({ ...way, discard: true });
    await launcher.ready();
    launcher.child.stdout?.destroy();
    launcher.send(planMessage({ ...way, argv: ["/bin/sh", "-c", "exec yes"] }));
    const { ended } = await launcher.finish();
    await launcher.close();
    expect(ended).toMatchObject({ kind: "signalled", value: 13, cause: 0 });
  });

  test("an output that cannot be written is cause 5 with its errno", async () => {
    const full = openSync("/dev/full", "w");
    const { ended } = await run({ ...way, argv: sh("echo hi") }, { ...way, stdout: full });
    closeSync(full);
    expect(ended).toMatchObject({ cause: 5, detail: 28 });
  });

  test("stops at the relay limit", async () => {
    const { ended, stdout } = await run({ ...way, argv: ["/usr/bin/yes"], relay: 100_000n }, way);
    expect(ended).toMatchObject({ cause: 6, kind: "signalled", value: 9 });
    expect(stdout.length).toBe(100_000);
  });

  test("serves walks after the run", async () => {
    const launcher = new Launcher(way);
    await launcher.ready();
    launcher.send(planMessage({ ...way, argv: ["/bin/true"] }));
    await launcher.finish();
    const walked = await launcher.walk({ root: "/etc", names: ["passwd"], depth: 1 });
    expect(walked.entries.map((entry) => entry.path)).toContain("passwd");
    expect(await launcher.close()).toBe(0);
  });

  test("a reader that reads nothing does not stop the clock", async () => {
    const launcher = new Launcher({ ...way, discard: true });
    await launcher.ready();
    launcher.child.stdout?.pause();
    launcher.send(planMessage({ ...way, argv: ["/usr/bin/yes"], timeoutMs: 300n, graceMs: 50 }));
    const start = Date.now();
    const { ended } = await launcher.finish();
    expect(ended).toMatchObject({ cause: 1 });
    expect(Date.now() - start).toBeLessThan(4000);
    await launcher.close();
  });

  test("a caller that reads nothing does not stop the clock", async () => {
    const launcher = new Launcher(way);
    await launcher.ready();
    launcher.output.pause();
    const plan = { ...way, argv: ["/usr/bin/yes"], copy: 1n << 30n, timeoutMs: 300n, graceMs: 50 };
    launcher.send(planMessage(plan));
    await sleep(1500);
    const before = launcher.stdout.length;
    await sleep(200);
    expect(launcher.stdout.length).toBe(before);
    launcher.output.resume();
    expect((await launcher.finish()).ended).toMatchObject({ cause: 1 });
    await launcher.close();
  });
});
