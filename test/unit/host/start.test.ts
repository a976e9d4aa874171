import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CacheIndex, nodeMark, openProgram, packCache } from "../../../src/host/start.ts";

const require = createRequire(import.meta.url);
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "paldron-start-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

interface Opened {
  readonly exports: unknown;
  /** Of each file that was compiled: whether its cache was refused; undefined: it had none. */
  readonly refused: Record<string, boolean | undefined>;
}

function open(id: string, keep = false): Opened {
  const refused: Opened["refused"] = {};
  const load = openProgram({
    folder,
    require,
    onCompiled: (compiled) => {
      const { name, script } = compiled;
      refused[name] = script.cachedDataRejected;
      if (keep) writeFileSync(join(folder, "cache", name), packCache(compiled));
    },
  });
  return { exports: load(id), refused };
}

function index(change: Partial<CacheIndex> = {}): void {
  write("cache.json", JSON.stringify({ node: nodeMark(), names: ["a.cjs"], ...change }));
}

/** The cache of `a.cjs`, after a run that made it. */
function cached(): string {
  mkdirSync(join(folder, "cache"), { recursive: true });
  open("./a.cjs", true);
  index();
  return join(folder, "cache", "a.cjs");
}

describe("a program's files", () => {
  test("get what Node's own loader gives, and each runs once", () => {
    write("a.cjs", "exports.b = require('./b.cjs'); exports.again = require('./b.cjs') === exports.b;");
    write("b.cjs", "module.exports = { __filename, __dirname, fs: require('node:fs'), self: this };");
    const { b, again } = open("./a.cjs").exports as Record<string, Record<string, unknown>>;
    expect(again).toBe(true);
    expect(b).toEqual({
      __filename: join(folder, "b.cjs"),
      __dirname: folder,
      fs: require("node:fs"),
      self: {},
    });
  });

  test("may need one another in a circle", () => {
    write("a.cjs", "exports.early = 1; exports.b = require('./b.cjs');");
    write("b.cjs", "exports.seen = require('./a.cjs').early;");
    expect(open("./a.cjs").exports).toEqual({ early: 1, b: { seen: 1 } });
  });

  test.each(["left-pad", "../b.cjs", "/etc/x.cjs", "./sub/b.cjs"])("get nothing else: %s", (id) => {
    mkdirSync(join(folder, "sub"));
    write("sub/b.cjs", "exports.b = 1;");
    write("a.cjs", `require(${JSON.stringify(id)});`);
    expect(() => open("./a.cjs")).toThrow(`'${id}' is no part of this program`);
  });

  test("that failed are tried again", () => {
    write(
      "a.cjs",
      "globalThis.tries = (globalThis.tries ?? 0) + 1; throw new Error('try ' + globalThis.tries);",
    );
    const load = openProgram({ folder, require });
    expect(() => load("./a.cjs")).toThrow("try 1");
    expect(() => load("./a.cjs")).toThrow("try 2");
  });
});

describe("a code cache", () => {
  beforeEach(() => write("a.cjs", "exports.answer = () => 'old';"));
  const answer = (): string => (open("./a.cjs").exports as { answer: () => string }).answer();

  test("is used", () => {
    cached();
    expect(open("./a.cjs").refused).toEqual({ "a.cjs": false });
    expect(answer()).toBe("old");
  });

  test("of another text of that length is not", () => {
    cached();
    write("a.cjs", "exports.answer = () => 'new';");
    expect(open("./a.cjs").refused).toEqual({ "a.cjs": undefined });
    expect(answer()).toBe("new");
  });

  test.each([
    ["a longer text", "exports.answer = () => 'new'; "],
    ["a shorter text", "exports.answer=()=>'new';"],
    ["a text that goes on", "exports.answer = () => 'old';;exports.answer = () => 'new';"],
    ["a text that is the beginning of the old one", "exports.answer = () => 'o"],
  ])("of %s is not", (_, text) => {
    cached();
    write("a.cjs", text);
    if (text.endsWith("'o")) expect(() => open("./a.cjs")).toThrow(SyntaxError);
    else expect(answer()).toBe("new");
  });

  test.each([0, 1, 4, 7, 8, 9, 20, 200, -1, -3, -30])("cut at byte %d is not", (at) => {
    const path = cached();
    writeFileSync(path, readFileSync(path).subarray(0, at));
    expect(open("./a.cjs").refused).toEqual({ "a.cjs": undefined });
    expect(answer()).toBe("old");
  });

  test.each(["é", "→"])("of a text that is not ASCII is not: %s", (char) => {
    write("a.cjs", `exports.answer = () => '${char}';`);
    cached();
    expect(open("./a.cjs").refused).toEqual({ "a.cjs": undefined });
    expect(answer()).toBe(char);
  });

  test("that is a folder is not", () => {
    const path = cached();
    rmSync(path);
    mkdirSync(path);
    expect(open("./a.cjs").refused).toEqual({ "a.cjs": undefined });
  });

  test.each<[string, () => void]>([
    ["no index", () => rmSync(join(folder, "cache.json"))],
    ["an index that is cut", () => write("cache.json", '{"node":')],
    ["an index that is no object", () => write("cache.json", "null")],
    ["an index of something else", () => write("cache.json", '{"names":"a.cjs"}')],
    ["an index that does not name it", () => index({ names: ["b.cjs"] })],
    ["an index of another Node", () => index({ node: nodeMark().replace(/^v\d+/, "v9") })],
    ["an index of another program of that version", () => index({ node: `${nodeMark()}1` })],
  ])("with %s is not", (_, change) => {
    cached();
    expect(open("./a.cjs").refused).toEqual({ "a.cjs": false });
    change();
    expect(open("./a.cjs").refused).toEqual({ "a.cjs": undefined });
    expect(answer()).toBe("old");
  });
});
