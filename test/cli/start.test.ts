import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ROOT } from "../meta/sources.ts";
import { freshFolder } from "./paldron.ts";

const root = freshFolder();
const program = join(root.path, "paldron");
const dist = join(program, "dist");
const work = join(root.path, "home", "work");

beforeAll(() => {
  mkdirSync(work, { recursive: true });
  mkdirSync(program);
  for (const name of ["bin", "presets", "package.json"])
    cpSync(join(ROOT, name), join(program, name), { recursive: true });
  symlinkSync(join(ROOT, "build"), join(program, "build"));
});
beforeEach(() => {
  rmSync(dist, { recursive: true, force: true });
  cpSync(join(ROOT, "dist"), dist, { recursive: true });
});
afterAll(root.remove);

function run(args: readonly string[], input = "") {
  const { PATH = "" } = process.env;
  const env = { PATH, HOME: join(root.path, "home") };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(program, "bin/paldron"), ...args], {
    cwd: work,
    env,
    input,
    encoding: "utf8",
  });
  return { exit: status, stdout, stderr };
}

function bash(command: string): string {
  return JSON.stringify({
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    cwd: work,
  });
}

const HOOK = ["hook", "--agent=claude"];

function answers() {
  return {
    allowed: run(["check", "--", "Bash", '{"command":"git status | cat"}']),
    denied: run(["check", "--", "Read", '{"file_path":".env"}']),
    wrapped: run(HOOK, bash("git status")),
    blocked: run(HOOK, bash("cat .env")),
  };
}

/** The files that judging a shell command compiles, and whether V8 refused their caches. */
function refused(): string {
  const script = `
    const { openProgram } = require(${JSON.stringify(join(dist, "start.cjs"))});
    const refused = {};
    const onCompiled = ({ name, script }) => {
      refused[name.replace(/(-[^.]*)?\\.cjs$/, "")] = script.cachedDataRejected ?? null;
    };
    process.on("exit", () => require("node:fs").writeSync(1, JSON.stringify(refused)));
    openProgram({ folder: ${JSON.stringify(dist)}, require, onCompiled })("./main.cjs");`;
  const args = ["-e", script, "paldron", "check", "--", "Bash", '{"command":"git status"}'];
  const env = { HOME: join(root.path, "home") };
  return spawnSync(process.execPath, args, { cwd: work, env, encoding: "utf8" }).stdout;
}

function cacheFiles(): string[] {
  return readdirSync(join(dist, "cache")).map((name) => join(dist, "cache", name));
}

function eachCache(change: (path: string) => void): void {
  for (const path of cacheFiles()) change(path);
}

describe("code caches", () => {
  test("are made by the build, and used", () => {
    expect(refused()).toContain('"shell":false');
    expect(refused()).not.toMatch(/:true|:null/);
  });

  test.each([
    ["V8's mark", 8],
    ["V8's version", 12],
    ["the length of the text", 16],
    ["V8's flags", 20],
  ])("with another value for %s are refused", (_, at) => {
    eachCache((path) => spoil(path, at));
    expect(refused()).toContain('"shell":true');
    expect(refused()).not.toContain(":false");
  });

  test.each<[string, () => void]>([
    ["have no index", () => rmSync(join(dist, "cache.json"))],
    ["are missing", () => rmSync(join(dist, "cache"), { recursive: true })],
    ["are empty", () => eachCache((path) => truncateSync(path))],
    ["are cut", () => eachCache((path) => truncateSync(path, 100))],
    ["are of another V8", () => eachCache((path) => spoil(path, 12))],
  ])("that %s change no answer", (_, change) => {
    const before = answers();
    expect(before.allowed).toEqual({ exit: 0, stdout: "paldron: allow Bash\n", stderr: "" });
    expect(before.denied.exit).toBe(2);
    expect(before.wrapped.stdout).toContain(join(program, "bin/paldron"));
    change();
    expect(answers()).toEqual(before);
  });

  test("of another text of the same length do not run", () => {
    const name = readdirSync(dist).find((file) => /^check-.*\.cjs$/.test(file) && text(file).includes(SAYS));
    if (name === undefined) throw new Error("no file prints the answer");
    writeFileSync(join(dist, name), text(name).replace(SAYS, SAYS.toUpperCase()));
    expect(run(["check", "--", "Read", '{"file_path":"a"}']).stdout).toBe("PALDRON: ALLOW Read\n");
  });
});

const SAYS = "paldron: allow ";

function text(name: string): string {
  return readFileSync(join(dist, name), "latin1");
}

function spoil(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes.writeUInt32LE((bytes.readUInt32LE(at) ^ 0x55) >>> 0, at);
  writeFileSync(path, bytes);
}

describe("what cannot be loaded", () => {
  test.each([
    ["check-", ["check", "--", "Read", "{}"], 1],
    ["hook-", HOOK, 2],
  ])("ends in one line, and a hook in a block: %s", (begins, args, exit) => {
    for (const file of readdirSync(dist)) if (file.startsWith(begins)) rmSync(join(dist, file));
    const ran = run(args, bash("ls"));
    expect(ran).toMatchObject({ exit, stdout: "" });
    expect(ran.stderr).toMatch(/^paldron: internal error: .*\n$/);
  });

  test.each(["main.cjs", "start.cjs"])("is named: %s", (name) => {
    rmSync(join(dist, name));
    for (const [args, exit] of [
      [HOOK, 2],
      [["check", "--", "Read", "{}"], 1],
    ] as const) {
      const ran = run(args, bash("ls"));
      expect(ran).toMatchObject({ exit, stdout: "" });
      expect(ran.stderr).toMatch(/^paldron: cannot start: .* \(build it: npm run build\)\n$/);
    }
  });
});

/** `require("./x")`, and what else could load code. */
const LOADS = /\b(?:require|import)\(\s*(["'`])([^"'`]+)\1/g;

test("the command line needs nothing but itself and Node", () => {
  const { builtinModules } = createRequire(import.meta.url)("node:module");
  const files = readdirSync(dist).filter((file) => file.endsWith(".cjs") && !file.startsWith("mcp-sdk-"));
  const needed = new Set(
    files.flatMap((file) => [...text(file).matchAll(LOADS)].map((match) => match[2] ?? "")),
  );
  expect(needed.has("node:fs")).toBe(true);
  const odd = [...needed].filter(
    (id) =>
      !files.concat(readdirSync(dist)).includes(id.slice(2)) &&
      !builtinModules.includes(id.replace(/^node:/, "")),
  );
  expect(odd).toEqual([]);
});
