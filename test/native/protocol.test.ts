import { spawnSync } from "node:child_process";
import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { LAUNCHER, Launcher, type Outcome, readFailed } from "./driver.ts";
import {
  ALL_FS,
  cancel,
  hello,
  message,
  pathRecord,
  planRecords,
  record,
  runMessage,
  SCOPE_SIGNAL,
  u32,
  u64,
} from "./encode.ts";
import { openFolder } from "./helpers.ts";

const folder = openFolder();
afterAll(folder.remove);
const argv = ["/bin/true"];

async function answer(
  bytes: Buffer,
  greet = true,
): Promise<{ failed: ReturnType<typeof readFailed> | undefined; code: number | null }> {
  const launcher = new Launcher();
  if (greet) await launcher.ready();
  launcher.send(bytes);
  const got = await launcher.next();
  const failed = got?.type === 20 ? readFailed(got.payload) : undefined;
  const code = await launcher.close();
  return { failed, code };
}

const wire = { stage: 1, errno: 71 };

describe("messages", () => {
  const bad: Record<string, Buffer> = {
    "an unknown type": message(9, Buffer.alloc(0)),
    "a type of the other direction": message(17, Buffer.alloc(0)),
    "a flag": message(3, Buffer.alloc(0), 1),
    "a wrong length": message(4, Buffer.alloc(5)),
    "a length beyond the limit": Buffer.concat([Buffer.from([3, 0, 0, 0]), u32((16 << 20) + 1)]),
    "a second HELLO": hello,
    "CANCEL without a run": cancel(0),
    "TERMINAL without a run": message(5, u32(1)),
    "an empty RUN": message(3, Buffer.alloc(0)),
    "an empty WALK": message(2, Buffer.alloc(0)),
    "a WALK without ROOT": message(2, Buffer.concat([u32(1), record(2, Buffer.from("x"))])),
    "a ROOT that is no folder": message(2, Buffer.concat([u32(1), record(1, pathRecord("/etc/passwd"))])),
    "a NAME with a slash": message(
      2,
      Buffer.concat([u32(1), record(1, pathRecord("/")), record(2, Buffer.from("a/b"))]),
    ),
  };
  test.each(Object.entries(bad))("%s stops it", async (_name, bytes) => {
    expect(await answer(bytes)).toMatchObject({ failed: wire, code: 1 });
  });

  test("another version, and anything before HELLO", async () => {
    expect(await answer(message(1, u32(2)), false)).toMatchObject({ failed: wire, code: 1 });
    expect(await answer(runMessage(planRecords({ argv })), false)).toMatchObject({ failed: wire, code: 1 });
  });

  test("messages may come in pieces", async () => {
    const launcher = new Launcher();
    const bytes = Buffer.concat([hello, runMessage(planRecords({ argv: ["/bin/echo", "pieces"] }))]);
    for (let at = 0; at < bytes.length; at += 7) {
      launcher.send(bytes.subarray(at, at + 7));
      await new Promise(setImmediate);
    }
    expect((await launcher.next())?.type).toBe(17);
    expect((await launcher.finish()).copy[0]).toBe("pieces\n");
    expect(await launcher.close()).toBe(0);
  });

  test("the end of the stream inside a message is a failure, outside it none", async () => {
    for (const [bytes, code] of [
      [hello.subarray(0, 5), 1],
      [Buffer.alloc(0), 0],
    ] as const) {
      const launcher = new Launcher();
      launcher.send(bytes);
      expect(await launcher.close()).toBe(code);
    }
  });

  test("a message while a command runs kills it", async () => {
    const launcher = new Launcher();
    await launcher.ready();
    launcher.send(runMessage(planRecords({ argv: ["/bin/sleep", "1000"] })));
    const outcome: Outcome = await launcher.finish(() => launcher.send(hello));
    expect(outcome.failed).toMatchObject(wire);
    expect(await launcher.close()).toBe(1);
  });

  test("CANCEL sent with RUN, before anything has started", async () => {
    const launcher = new Launcher();
    await launcher.ready();
    const run = runMessage(planRecords({ argv: ["/bin/sleep", "1000"] }));
    launcher.send(Buffer.concat([run, cancel(0)]));
    const { ended, failed } = await launcher.finish();
    expect(ended?.cause ?? failed?.stage).toSatisfy((value) => value === 2 || value === 4);
    await launcher.close();
  });

  test("a second RUN is refused", async () => {
    const launcher = new Launcher();
    await launcher.ready();
    const run = runMessage(planRecords({ argv }));
    launcher.send(run);
    expect((await launcher.finish()).ended?.value).toBe(0);
    launcher.send(run);
    expect((await launcher.finish()).failed).toMatchObject(wire);
    await launcher.close();
  });

  test("started by hand it says so", () => {
    const { status, stderr } = spawnSync(LAUNCHER, [], { encoding: "utf8" });
    expect([status, stderr]).toEqual([1, "paldron-launcher: started by paldron, not by hand\n"]);
  });
});

describe("plans", () => {
  const good = planRecords({ argv });
  const without = (type: number): Buffer =>
    runMessage(good.filter((bytes) => bytes.readUInt16LE(0) !== type));
  const plus = (...extra: Buffer[]): Buffer => runMessage([...good, ...extra]);
  const replace = (type: number, ...by: Buffer[]): Buffer =>
    runMessage([...good.filter((bytes) => bytes.readUInt16LE(0) !== type), ...by]);
  const end = (count: number): Buffer => message(3, Buffer.concat([...good, record(255, u32(count))]));
  const domain = (scoped: bigint): Buffer =>
    record(6, Buffer.concat([u64(ALL_FS), u64(0), u64(scoped), u32(0)]));
  const rule = (access: bigint): Buffer => record(7, Buffer.concat([u64(access), pathRecord("/")]));

  const link = (path: string, text: string): Buffer =>
    record(19, Buffer.concat([u32(path.length), Buffer.from(path + text)]));

  const bad: Record<string, Buffer> = {
    "no EXEC": without(1),
    "no PROGRAM": without(2),
    "no ARG": without(3),
    "no CWD": without(5),
    "no PRIVILEGES under LANDLOCK": without(9),
    "no TIMING": without(14),
    "no TREE_KILL": without(15),
    "no OUTPUT": without(17),
    "no END": message(3, Buffer.concat(good)),
    "a wrong count in END": end(good.length + 1),
    "something after END": message(
      3,
      Buffer.concat([...good, record(255, u32(good.length)), record(3, Buffer.from("x"))]),
    ),
    "a trailing byte": message(3, Buffer.concat([...good, record(255, u32(good.length)), Buffer.alloc(1)])),
    "an unknown record": plus(record(99, Buffer.alloc(0))),
    "a record with a flag": plus(record(4, Buffer.from("A=1"), 1)),
    "a record twice": plus(record(5, pathRecord("/tmp"))),
    "a record longer than the message": message(
      3,
      Buffer.concat([...good, Buffer.from([3, 0, 0, 0]), u32(1000)]),
    ),
    "a NUL in an argument": plus(record(3, Buffer.from("a\0b"))),
    "an environment line without a name": plus(record(4, Buffer.from("=1"))),
    "an environment line without a value": plus(record(4, Buffer.from("A"))),
    "a relative EXEC": replace(1, record(1, Buffer.from("bin/true"))),
    "a path with a short length": replace(
      5,
      record(5, Buffer.concat([pathRecord("/tmp"), Buffer.from("x")])),
    ),
    "a rule before its domain": runMessage([rule(1n), ...good]),
    "rights that the domain does not handle": plus(rule(1n << 20n)),
    "a rule without rights": plus(rule(0n)),
    "kill(-1) without a signal scope": replace(6, domain(0n)),
    "an unknown way to kill": replace(15, record(15, u32(3))),
    "an empty filter": plus(record(8, Buffer.alloc(0))),
    "half an instruction": plus(record(8, Buffer.alloc(12))),
    "a filter that is too long": plus(record(8, Buffer.alloc(4097 * 8))),
    "an unknown limit": plus(record(10, Buffer.concat([u32(16), u64(1), u64(1)]))),
    "a soft limit above the hard one": plus(record(10, Buffer.concat([u32(7), u64(2), u64(1)]))),
    "scratch without a name": plus(record(11, Buffer.concat([u64(0), pathRecord("/tmp")]))),
    "a name without scratch": plus(record(12, Buffer.from("x"))),
    "a scratch name that is a path": plus(
      record(11, Buffer.concat([u64(0), pathRecord("/tmp")])),
      record(12, Buffer.from("a/b")),
    ),
    "a scratch name that goes up": plus(
      record(11, Buffer.concat([u64(0), pathRecord("/tmp")])),
      record(12, Buffer.from("..")),
    ),
    "a link without scratch": plus(link("a", "/b")),
    ...Object.fromEntries(
      ["", "/a", "a//b", "../a", "a/..", "a/./b", "a/", "x".repeat(256)].map((path) => [
        `a scratch link at "${path.slice(0, 8)}"`,
        plus(
          record(11, Buffer.concat([u64(0), pathRecord("/tmp")])),
          record(12, Buffer.from("x")),
          link(path, "/b"),
        ),
      ]),
    ),
    "a scratch link to nothing": plus(
      record(11, Buffer.concat([u64(0), pathRecord("/tmp")])),
      record(12, Buffer.from("x")),
      link("a", ""),
    ),
    "a watchdog that never sleeps": plus(record(16, Buffer.concat([u32(0), u64(1), u32(1)]))),
    "room without a watchdog": plus(record(21, Buffer.concat([u64(1), u64(1), pathRecord("/tmp")]))),
    "an oom score out of range": plus(record(18, u32(1001))),
    "a terminal on an unknown descriptor": plus(record(20, Buffer.concat([u32(8), u32(0)]))),
    "an unknown flag of a terminal": plus(record(20, Buffer.concat([u32(0), u32(8)]))),
    "privileges other than all": replace(9, record(9, u32(2))),
  };
  test.each(Object.entries(bad))("%s", async (_name, bytes) => {
    expect(await answer(bytes)).toMatchObject({ failed: wire, code: 1 });
  });

  test("the same plan without a fault runs", async () => {
    const launcher = new Launcher();
    await launcher.ready();
    launcher.send(plus(rule(SCOPE_SIGNAL)));
    expect((await launcher.finish()).ended).toMatchObject({ kind: "exited", value: 0 });
    expect(await launcher.close()).toBe(0);
  });

  test("a filter the kernel refuses is a failure, and nothing runs", async () => {
    expect(await answer(plus(record(8, Buffer.alloc(8, 0xff))))).toMatchObject({
      failed: { stage: 13, errno: 22 },
      code: 1,
    });
  });
});

describe("paths", () => {
  const path = (name: string): string => join(folder.path, name);

  async function stage(records: Buffer[]): Promise<ReturnType<typeof readFailed> | undefined> {
    return (await answer(runMessage(records))).failed;
  }

  test("a path that is now a link is not opened", async () => {
    mkdirSync(path("real"));
    const records = planRecords({ argv, cwd: path("real") });
    renameSync(path("real"), path("moved"));
    symlinkSync("moved", path("real"));
    expect(await stage(records)).toEqual({ stage: 2, errno: 40, detail: path("real") });
  });

  test("a folder above that is now a link is not followed", async () => {
    mkdirSync(path("up/in"), { recursive: true });
    const records = planRecords({
      argv,
      rules: [
        ["/usr", 0xdn],
        [path("up/in"), 0xdn],
      ],
    });
    renameSync(path("up"), path("up2"));
    symlinkSync("up2", path("up"));
    expect(await stage(records)).toEqual({ stage: 2, errno: 40, detail: path("up/in") });
  });

  test("another inode or type under the same name stops it", async () => {
    mkdirSync(path("kept"));
    writeFileSync(path("file"), "");
    const changed = record(5, pathRecord(path("kept"), { ino: 1n }));
    const records = planRecords({ argv }).filter((bytes) => bytes.readUInt16LE(0) !== 5);
    expect(await stage([...records, changed])).toMatchObject({ stage: 2, errno: 116 });
    expect(await stage([...records, record(5, pathRecord(path("kept")))])).toBeUndefined();
  });

  test("a program that was exchanged is not started", async () => {
    symlinkSync("/bin/true", path("tool"));
    const records = planRecords({ argv: [path("tool")], program: pathRecord(realpathSync("/bin/sh")) });
    expect(await stage(records)).toMatchObject({ stage: 2, errno: 116, detail: path("tool") });
  });

  test("rules on files carry rights of files only, and bound the command", async () => {
    writeFileSync(path("yes"), "readable");
    writeFileSync(path("no"), "hidden");
    const read = 0xdn;
    const system = ["/usr", "/lib", "/lib64", "/bin", "/etc"].map((at) => [at, read] as const);
    const real = system.filter(([at]) => !["/lib", "/lib64", "/bin"].includes(at));
    const rules = [...real, [path("yes"), ALL_FS] as const];
    const launcher = new Launcher();
    await launcher.ready();
    const argv = ["/bin/sh", "-c", `cat ${path("yes")}; cat ${path("no")} 2>&1`];
    launcher.send(runMessage(planRecords({ argv, rules })));
    const { copy } = await launcher.finish();
    await launcher.close();
    expect(copy[0]).toMatch(/^readable.*no: Permission denied\n$/);
  });
});
