import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Launcher } from "../../../src/host/launch.ts";
import { pathRecord } from "../../../src/host/path-record.ts";
import { walkNode } from "../../../src/host/walk-node.ts";
import type { PathRecord, WalkRequest, WalkResult } from "../../../src/plan/types.ts";
import { secretMatcher } from "../../../src/policy/secrets.ts";

const LAUNCHER = fileURLToPath(new URL("../../../build/paldron-launcher", import.meta.url));

let top = "";
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "walk-node-")));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function file(path: string | Buffer, content = ""): void {
  if (typeof path === "string") mkdirSync(join(top, path, ".."), { recursive: true });
  writeFileSync(typeof path === "string" ? join(top, path) : path, content);
}

function record(path: string): PathRecord {
  const found = pathRecord(path);
  if (found === undefined) throw new Error(`${path} is not there`);
  return found;
}

function request(names: readonly string[], over: Partial<WalkRequest> = {}): WalkRequest {
  return {
    id: 1,
    root: record(top),
    names,
    alone: [],
    odd: false,
    maxEntries: 1000n,
    maxDepth: 100,
    ...over,
  };
}

const paths = (walk: WalkResult): string[] => walk.entries.map((entry) => entry.path).sort();

describe("names", () => {
  test.each([
    [".env", [".env", ".ENV"], ["env", ".env2", "x.env"]],
    ["*.pem", ["a.pem", ".pem", "a.b.PEM"], ["a.pem2", "pem"]],
    ["?x", ["ax", "XX"], ["x", "aax"]],
    ["a*b*c", ["abc", "axbxbxc"], ["ab", "acb"]],
    ["[a]", ["[a]"], ["a"]],
    ["*", ["a", ".b"], []],
  ])("%s", (pattern, yes, no) => {
    for (const name of [...yes, ...no]) file(name);
    const seen = paths(walkNode(request([pattern])));
    expect(seen).toEqual(expect.arrayContaining(yes));
    expect(seen.filter((name) => no.includes(name))).toEqual([]);
  });

  test("a hostile pattern costs no more than pattern times name", () => {
    file("a".repeat(250));
    const begun = performance.now();
    expect(paths(walkNode(request([`${"a*".repeat(120)}b`])))).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  test("everything below a matching folder is reported, nothing below another", () => {
    file("secrets/deep/key");
    file("plain/deep/key");
    expect(paths(walkNode(request(["secrets"])))).toEqual(["secrets", "secrets/deep", "secrets/deep/key"]);
  });

  test("a name that is not ascii is reported, byte for byte", () => {
    file("plain");
    file(Buffer.concat([Buffer.from(`${top}/x`), Buffer.from([0xff])]));
    expect(paths(walkNode(request([])))).toEqual(["x\udcff"]);
  });
});

test("links are reported and never followed", () => {
  file("away/.env");
  mkdirSync(join(top, "ws"));
  symlinkSync("../away", join(top, "ws/secrets"));
  symlinkSync("../away", join(top, "ws/other"));
  symlinkSync("nowhere", join(top, "ws/.env"));
  const walk = walkNode(request(["secrets", ".env"], { root: record(join(top, "ws")) }));
  expect(paths(walk)).toEqual([".env", "secrets"]);
  expect(walk.entries.every((entry) => (entry.mode & 0o170000) === 0o120000)).toBe(true);
});

test("an entry carries what lstat says", () => {
  file(".env", "abc");
  linkSync(join(top, ".env"), join(top, "twin"));
  const seen = lstatSync(join(top, ".env"), { bigint: true });
  expect(walkNode(request([".env"])).entries).toEqual([
    {
      kind: "entry",
      mode: Number(seen.mode),
      nlink: 2,
      dev: seen.dev,
      ino: seen.ino,
      size: 3n,
      mtimeNs: seen.mtimeNs,
      ctimeNs: seen.ctimeNs,
      errno: 0,
      path: ".env",
    },
  ]);
});

describe("a walk that does not see everything says so", () => {
  test("too many entries", () => {
    for (let i = 0; i < 5; i += 1) file(`f${i}`);
    expect(walkNode(request([], { maxEntries: 4n })).status).toBe("entry-limit");
    expect(walkNode(request([], { maxEntries: 5n })).status).toBe("complete");
  });
  test("too deep", () => {
    mkdirSync(join(top, "a/b/c"), { recursive: true });
    expect(walkNode(request([], { maxDepth: 3 })).status).toBe("depth-limit");
    expect(walkNode(request([], { maxDepth: 4 })).status).toBe("complete");
  });
  test("another folder than the one that was judged", () => {
    const root = record(top);
    expect(walkNode(request([], { root: { ...root, ino: root.ino + 1n } })).status).toBe("root");
    expect(walkNode(request([], { root: { ...root, path: `${top}/gone` } }))).toMatchObject({
      status: "root",
      errno: 2,
    });
    file("plain");
    expect(walkNode(request([], { root: record(join(top, "plain")) })).status).toBe("root");
  });
});

const noLauncher = !existsSync(LAUNCHER) && process.env["PALDRON_MUST_WORK"] !== "1";
test.skipIf(noLauncher)("the launcher sees the same (skipped where it is not built)", async () => {
  for (const path of ["a/.env", "a/b/id_rsa", "secrets/x/y", "n/node_modules/k.pem", "p.pem", "é/plain"])
    file(path);
  symlinkSync("a", join(top, "secrets/link"));
  symlinkSync("/etc", join(top, "etc"));
  file(Buffer.concat([Buffer.from(`${top}/a/`), Buffer.from([0xfe, 0x2e])]));
  const names = secretMatcher({ denyGlobs: ["*.key", "b/"], secretExceptions: [] }).namePatterns();
  for (const [name, text] of [
    ["in", "a/b"],
    ["up", "a/../p.pem"],
    ["dangling", "nowhere"],
    ["loop", "loop"],
    ["a/out", "../../x"],
    ["a/again", "../etc"],
    ["a/in", "../a"],
  ] as const)
    symlinkSync(text, join(top, name));
  execFileSync("mkfifo", [join(top, "pipe")]);
  file("two\nlines");
  const asked = request(names, { odd: true });
  const launcher = Launcher.start(LAUNCHER, {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  try {
    const sorted = (walk: WalkResult): unknown => ({
      ...walk,
      entries: walk.entries.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    });
    const [, native] = await Promise.all([launcher.greet(), launcher.walk(asked)]);
    expect(native.entries.length).toBeGreaterThan(8);
    expect(paths(native)).toEqual(
      expect.arrayContaining(["etc", "dangling", "loop", "a/out", "a/again", "pipe", "two\nlines"]),
    );
    for (const inside of ["in", "up", "a/in"]) expect(paths(native)).not.toContain(inside);
    expect(sorted(walkNode(asked))).toEqual(sorted(native));
  } finally {
    await launcher.close();
  }
});
