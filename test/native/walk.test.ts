import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Launcher, type Walked } from "./driver.ts";
import type { WalkOptions } from "./encode.ts";
import { isRoot, openFolder } from "./helpers.ts";

const folder = openFolder();
const root = join(folder.path, "tree");
afterAll(folder.remove);

beforeAll(() => {
  mkdirSync(join(root, "Secrets/deep/er"), { recursive: true });
  mkdirSync(join(root, "src/.ENV.local"), { recursive: true });
  mkdirSync(join(root, "plain"));
  for (const name of [
    ".env",
    "key.PEM",
    "src/a.ts",
    "Secrets/x",
    "Secrets/deep/er/y",
    "src/.ENV.local/z",
    "plain/é",
  ]) {
    writeFileSync(join(root, name), name);
  }
  symlinkSync("..", join(root, "plain/.env"));
  symlinkSync(root, join(root, "plain/loop"));
});

async function walk(options: WalkOptions, uid?: number): Promise<Walked> {
  const launcher = new Launcher(uid === undefined ? {} : { uid });
  await launcher.ready();
  const walked = await launcher.walk(options);
  expect(await launcher.close()).toBe(0);
  return walked;
}
const paths = (walked: Walked): string[] => walked.entries.map((entry) => entry.path).sort();
const names = [".env", ".env.*", "*.pem", "secrets"];

test("reports by name without regard to ASCII case, with everything below a folder", async () => {
  const walked = await walk({ root, names });
  const expected = [
    ".env",
    "Secrets",
    "Secrets/deep",
    "Secrets/deep/er",
    "Secrets/deep/er/y",
    "Secrets/x",
    "key.PEM",
  ];
  expect(paths(walked)).toEqual(
    [...expected, "plain/.env", "plain/é", "src/.ENV.local", "src/.ENV.local/z"].sort(),
  );
  expect(walked).toMatchObject({ status: 0, errno: 0, folders: 7n });
});

test("does not follow links", async () => {
  const walked = await walk({ root, names: ["*"] });
  const link = walked.entries.find((entry) => entry.path === "plain/loop");
  expect((link?.mode ?? 0) & 0o170000).toBe(0o120000);
  expect(paths(walked).filter((path) => path.startsWith("plain/loop/"))).toEqual([]);
});

const matches: readonly (readonly [string, readonly string[]])[] = [
  ["?.ts", ["src/a.ts"]],
  ["*.?s", ["src/a.ts"]],
  ["a*s", ["src/a.ts"]],
  ["*a*.*t*s*", ["src/a.ts"]],
  ["a?ts", ["src/a.ts"]],
  ["a.t", []],
  [".t*s", []],
];
test.each(matches)("pattern %s", async (pattern, expected) => {
  const walked = await walk({ root, names: [pattern] });
  expect(paths(walked).filter((path) => path !== "plain/é")).toEqual(expected);
});

test("a hostile pattern takes no time", async () => {
  const long = join(folder.path, "long");
  mkdirSync(long);
  for (let i = 0; i < 50; i++) writeFileSync(join(long, `${"a".repeat(250)}${i}`), "");
  const start = performance.now();
  const walked = await walk({ root: long, names: [`${"*a".repeat(2000)}*b`] });
  expect(walked.entries).toEqual([]);
  expect(performance.now() - start).toBeLessThan(2000);
});

test("says that a limit was reached", async () => {
  expect(await walk({ root, names, entries: 3n })).toMatchObject({ status: 1 });
  expect(await walk({ root, names, depth: 2 })).toMatchObject({ status: 2 });
  expect(await walk({ root, names, depth: 4, entries: 1000n })).toMatchObject({ status: 0 });
});

test("a root that is another folder, or gone, is status 3", async () => {
  const other = join(folder.path, "other");
  mkdirSync(other);
  const launcher = new Launcher();
  await launcher.ready();
  const asked = launcher.walk({ root: other, names });
  expect((await asked).status).toBe(0);
  const { walkMessage } = await import("./encode.ts");
  const message = walkMessage({ root: other, names });
  renameSync(other, `${other}2`);
  launcher.send(message);
  expect((await launcher.next())?.payload.readUInt32LE(8)).toBe(2);
  mkdirSync(other);
  launcher.send(message);
  const answer = (await launcher.next())?.payload;
  expect([answer?.readUInt32LE(4), answer?.readUInt32LE(8)]).toEqual([3, 116]);
  await launcher.close();
});

test("a tree 5000 levels deep, with the file at its end", async () => {
  const deep = join(folder.path, "deep");
  mkdirSync(deep);
  const script = `import os
os.chdir("${deep}")
for i in range(5000):
    os.mkdir("d" * 20); os.chdir("d" * 20)
    if i % 100 == 0: os.mkdir("side"); open("side/.env", "w")
open(".env", "w")`;
  execFileSync("/usr/bin/python3", ["-c", script]);
  const walked = await walk({ root: deep, names: [".env"], depth: 6000, entries: 100_000n });
  expect(walked).toMatchObject({ status: 0, folders: 5051n });
  expect(walked.entries.length).toBe(51);
  const longest = Math.max(...walked.entries.map((entry) => entry.path.length));
  expect(longest).toBe(5000 * 21 + 4);
  execFileSync("/bin/rm", ["-rf", deep]);
});

test("a folder that cannot be read is reported, one that can is not", async () => {
  const closed = join(folder.path, "closed");
  mkdirSync(join(closed, "no"), { recursive: true });
  mkdirSync(join(closed, "yes"));
  mkdirSync(join(closed, "list"));
  writeFileSync(join(closed, "list/.env"), "");
  chmodSync(join(closed, "no"), 0);
  chmodSync(join(closed, "list"), 0o744);
  const walked = await walk({ root: closed, names }, isRoot ? 65534 : undefined);
  chmodSync(join(closed, "no"), 0o755);
  const seen = walked.entries.map(({ kind, path, errno }) => ({ kind, path, errno }));
  expect(seen).toContainEqual({ kind: 1, path: "no", errno: 13 });
  // Listed but not to be looked at: for the owner it can be.
  expect(seen).toContainEqual({ kind: 0, path: "list/.env", errno: isRoot ? 13 : 0 });
  expect(seen.length).toBe(2);
});

test("100,000 files in 1,000 folders", async () => {
  const wide = join(folder.path, "wide");
  const script = `import os
for d in range(1000):
    p = "${wide}/d%d" % d
    os.makedirs(p)
    for f in range(100): open(p + "/file%d.ts" % f, "w").close()`;
  execFileSync("/usr/bin/python3", ["-c", script]);
  const launcher = new Launcher();
  await launcher.ready();
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    const walked = await launcher.walk({ root: wide, names });
    times.push(performance.now() - start);
    expect(walked).toMatchObject({ status: 0, folders: 1001n, seen: 101_000n, entries: [] });
  }
  await launcher.close();
  const best = Math.min(...times);
  console.log(`100,000 files: ${best.toFixed(1)} ms`);
  expect(best).toBeLessThan(400); // 15 to 40 on a quiet machine; the limit only catches a stat for each
});
