import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { identifiersOf, importsOf, type Source, sources } from "./sources.ts";

/** The folders of src/ by level: a file imports from lower levels and from its own folder only. */
const LEVELS: Readonly<Record<string, number>> = {
  core: 0,
  policy: 1,
  shell: 1,
  tools: 1,
  agents: 1,
  secrets: 1,
  later: 1,
  gate: 2,
  plan: 2,
  host: 3,
  app: 4,
  cli: 5,
  "index.ts": 5,
};
const HOST_LEVEL = 3;

/** Run-time packages, and the one folder that may use each. */
const PACKAGES: Readonly<Record<string, string>> = {
  "@modelcontextprotocol/server": "app",
  "@modelcontextprotocol/server/stdio": "app",
  "smol-toml": "policy",
  unbash: "shell",
  valibot: "policy",
};

/** Imports beside the rule, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "src/core/version.ts ../../package.json": "the version is written down once; the bundler inlines it",
};

/** Globals that reach the machine. Pure code gets what it needs as values. */
const MACHINE = [
  "process",
  "Buffer",
  "fetch",
  "require",
  "setTimeout",
  "setInterval",
  "WebSocket",
  "globalThis",
];

/** Files outside host/ that may touch the process. */
const PROCESS_FILES = ["src/cli/main.ts"];

const FILES = sources("src", [".ts"]);

function folderOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function importProblem(source: Source, name: string): string | undefined {
  if (EXCEPTIONS[`${source.path} ${name}`] !== undefined) return undefined;
  const own = folderOf(source.path);
  if (name.startsWith("node:")) {
    return own === "host" || PROCESS_FILES.includes(source.path) ? undefined : "node: belongs to host/";
  }
  if (!name.startsWith("."))
    return PACKAGES[name] === own ? undefined : "this package is not for this folder";
  if (!name.endsWith(".ts")) return "imports are written with .ts";
  const target = folderOf(posix.join(posix.dirname(source.path), name));
  const from = LEVELS[own];
  const to = LEVELS[target];
  if (from === undefined || to === undefined) return "the folder has no level";
  return target === own || to < from ? undefined : `${own} (L${from}) must not reach ${target} (L${to})`;
}

function problems(files: readonly Source[]): string[] {
  return files.flatMap((source) =>
    importsOf(source).flatMap((name) => {
      const problem = importProblem(source, name);
      return problem === undefined ? [] : [`${source.path}: ${name}: ${problem}`];
    }),
  );
}

describe("imports", () => {
  test("there is something to look at", () => expect(FILES.length).toBeGreaterThan(10));
  test("every file keeps to its level", () => expect(problems(FILES)).toEqual([]));
  test("every exception is in use", () => {
    const used = FILES.flatMap((source) => importsOf(source).map((name) => `${source.path} ${name}`));
    expect(Object.keys(EXCEPTIONS).filter((exception) => !used.includes(exception))).toEqual([]);
  });

  test.each([
    ["src/core/a.ts", 'import "../policy/b.ts"'],
    ["src/policy/a.ts", 'import type { B } from "../shell/b.ts"'],
    ["src/gate/a.ts", 'export { b } from "../plan/b.ts"'],
    ["src/gate/a.ts", 'const b = await import("../host/b.ts")'],
    ["src/app/a.ts", 'import { readFileSync } from "node:fs"'],
    ["src/cli/a.ts", 'import "node:fs"'],
    ["src/app/a.ts", 'import "../index.ts"'],
    ["src/core/a.ts", 'import "valibot"'],
    ["src/core/a.ts", 'import "./b.js"'],
    ["src/new/a.ts", 'import "../core/b.ts"'],
  ])("%s may not %s", (path, text) => expect(problems([{ path, text }])).toHaveLength(1));

  test.each([
    ["src/gate/a.ts", 'import "../policy/b.ts"'],
    ["src/host/a.ts", 'import "node:fs"'],
    ["src/cli/main.ts", 'import "node:fs"'],
    ["src/policy/a.ts", 'import "valibot"; import "./b.ts"'],
  ])("%s may %s", (path, text) => expect(problems([{ path, text }])).toEqual([]));
});

function machineUses(files: readonly Source[]): string[] {
  return files
    .filter((source) => (LEVELS[folderOf(source.path)] ?? 0) < HOST_LEVEL)
    .flatMap((source) => {
      const names = identifiersOf(source);
      return MACHINE.filter((name) => names.has(name)).map((name) => `${source.path}: ${name}`);
    });
}

describe("pure folders", () => {
  test("do not reach the machine through globals", () => expect(machineUses(FILES)).toEqual([]));
  test.each([
    ["const a = process.env; const b = { fetch: x.Buffer }", ["process"]],
    ["function f(): void { fetch(g); }", ["fetch"]],
    ["function f(): void { const process = 1; g(process); }", []],
    ["function f(fetch: F): void { h(() => fetch()); }", []],
    ["function f(): void { const process = 1; } process.exit();", ["process"]],
  ])("%s", (text, names) => {
    expect(machineUses([{ path: "src/gate/a.ts", text }])).toEqual(
      names.map((name) => `src/gate/a.ts: ${name}`),
    );
  });
});

test("process is named in host/ and the entry only", () => {
  const named = FILES.filter((source) => identifiersOf(source).has("process")).map((source) => source.path);
  expect(named.filter((path) => folderOf(path) !== "host")).toEqual(PROCESS_FILES);
});

describe("the end of the process", () => {
  const ENDS = /process\s*(?:\?\.|\.)\s*(?:exit|exitCode|reallyExit|abort)\b|process\s*\[/g;
  const ends = (text: string): number => [...text.matchAll(ENDS)].length;

  test("is in one place", () => {
    // What only quotes it (the small programs that doctor tries) cannot end this process.
    const able = FILES.filter((source) => identifiersOf(source).has("process") && ends(source.text) > 0);
    expect(able.map((source) => [source.path, ends(source.text)])).toEqual([["src/cli/main.ts", 1]]);
  });
  test.each([
    "process.exit(1)",
    "process.exitCode = 1",
    "process . exit()",
    'process["exit"](1)',
    "process.abort()",
  ])("%s is found", (text) => expect(ends(text)).toBe(1));
});
