import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { ROOT } from "./sources.ts";

/** What the package promises. A change here is a change of its interface: CHANGELOG.md says so. */
const VALUES = ["PaldronError", "check", "exec", "loadPolicy"];
const TYPES = [
  "CheckOptions",
  "CheckRequest",
  "ChildEnd",
  "CommonOptions",
  "Decision",
  "DecisionKind",
  "Environment",
  "ErrorCode",
  "ExecOptions",
  "ExecResult",
  "FileFinding",
  "Finding",
  "JevOnError",
  "LimitFinding",
  "LoadPolicyOptions",
  "LoadedPolicy",
  "Policy",
  "PolicyText",
  "ProducedFile",
  "Protection",
  "ProtectionState",
  "ProtectionTable",
  "Reason",
  "RunSetting",
  "UnknownTools",
  "Verdict",
];

/** The exports of a module by name, with their documentation, as the compiler sees them. */
function exportsOf(path: string): Map<string, { readonly value: boolean; readonly documented: boolean }> {
  const program = ts.createProgram([join(ROOT, path)], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(join(ROOT, path));
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${path} is no module`);
  return new Map(
    checker.getExportsOfModule(module).map((symbol) => {
      const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const value = (own.flags & ts.SymbolFlags.Value) !== 0;
      return [symbol.name, { value, documented: own.getDocumentationComment(checker).length > 0 }];
    }),
  );
}

describe("the library", () => {
  const found = exportsOf("src/index.ts");
  const names = (value: boolean): string[] =>
    [...found]
      .filter(([, one]) => one.value === value)
      .map(([name]) => name)
      .sort();

  test("exports these values", () => expect(names(true)).toEqual([...VALUES].sort()));
  test("exports these types", () => expect(names(false)).toEqual([...TYPES].sort()));
  test("documents its functions and their options", () => {
    const needed = [...VALUES, "CheckOptions", "CheckRequest", "CommonOptions", "ExecResult", "LoadedPolicy"];
    const bare = needed.filter((name) => found.get(name)?.documented !== true);
    expect(bare.filter((name) => name !== "CheckOptions")).toEqual([]);
  });
});

const BUILT = join(ROOT, "dist/index.js");

/** Compares the process before and after the import, in a process of its own. */
const SIDE_EFFECTS = `
  const state = () => ({
    globals: Object.getOwnPropertyNames(globalThis),
    listeners: process.eventNames().map(String),
    env: { ...process.env },
    cwd: process.cwd(),
    open: process.getActiveResourcesInfo().filter((name) => name !== "CloseReq" && name !== "FSReqPromise"),
  });
  const before = JSON.stringify(state());
  const begun = performance.now();
  const library = await import(process.argv[1]);
  const took = performance.now() - begun;
  console.log(JSON.stringify({ names: Object.keys(library).sort(), same: before === JSON.stringify(state()), took }));
`;

describe.skipIf(!existsSync(BUILT) && process.env["PALDRON_MUST_WORK"] !== "1")(
  "the built library (skipped where dist/ is not built)",
  () => {
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", SIDE_EFFECTS, BUILT], {
      encoding: "utf8",
    });
    const lines = run.stdout.split("\n").filter((line) => line !== "");
    const answer = JSON.parse(lines.at(-1) ?? "{}");

    test("exports the same values", () => expect(answer.names).toEqual([...VALUES].sort()));
    test("prints nothing and leaves the process as it was", () => {
      expect([lines.length, run.stderr, run.status]).toEqual([1, "", 0]);
      expect(answer.same).toBe(true);
    });
  },
);
