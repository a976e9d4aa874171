import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { programGaps } from "../../../src/app/program-gaps.ts";
import { type ConfinedInput, confinedPrograms } from "../../../src/host/confined-programs.ts";
import type { Grant } from "../../../src/host/path-record.ts";
import { pathRecord } from "../../../src/host/path-record.ts";
import { guardedLoader, startOfProgram } from "../../../src/host/program-file.ts";
import { withoutFiles } from "../../../src/host/program-tree.ts";
import { DEFAULT_POLICY } from "../../../src/policy/parse.ts";
import { TempTree } from "./temp-tree.ts";

let tree: TempTree;
beforeEach(() => {
  tree = new TempTree();
  tree.add("ws/");
});
afterEach(() => tree.remove());

const below = (path: string): string => path.slice(tree.root.length + 1);

function grant(name: string): Grant {
  const record = pathRecord(tree.at(name));
  if (record === undefined) throw new Error(`${name} is missing`);
  return { ...record, kind: "read-exec" };
}

interface Lists {
  readonly allowBinaries?: readonly string[];
  readonly allowHelpers?: readonly string[];
  readonly allowNative?: readonly string[];
}

function confined(lists: Lists, over: Partial<ConfinedInput> = {}) {
  return confinedPrograms({
    policy: { allowBinaries: [], allowHelpers: [], allowNative: [], ...lists },
    path: `${tree.at("ws/bin")}:${tree.at("bin")}`,
    workspace: { root: tree.at("ws"), names: [] },
    program: undefined,
    runtime: [],
    ...over,
  });
}

const executable = (lists: Lists, over?: Partial<ConfinedInput>): readonly string[] =>
  confined(lists, over)
    .executable.map(({ path }) => below(path))
    .sort();

describe("what is executed", () => {
  test("a name is the program on PATH, never one of the workspace", () => {
    tree.add("bin/one", "bin/two", "ws/bin/one", "ws/bin/three", "bin/folder/");
    expect(executable({ allowBinaries: ["one", "", "folder"] })).toEqual(["bin/one"]);
    expect(confined({ allowBinaries: ["three", "folder", "one"] }).missing).toEqual(["three", "folder"]);
  });

  test("a path is that file, of the workspace too; links lead to what is executed", () => {
    tree.add("ws/tool", "elsewhere/real");
    tree.link("bin/mytool", tree.at("alternatives/mytool"));
    tree.link("alternatives/mytool", "../elsewhere/real");
    const lists = { allowBinaries: ["./tool", "mytool", tree.at("elsewhere/none")] };
    expect(executable(lists)).toEqual(["elsewhere/real", "ws/tool"]);
    expect(confined(lists).names).toContain(tree.at("bin/mytool"));
    expect(confined(lists).missing).toEqual([tree.at("elsewhere/none")]);
  });

  test("scripts bring their interpreters, with those of interpreters, and no endless chain", () => {
    tree.write("bin/script", `#! ${tree.at("bin/shell")} -x\n`);
    tree.write("bin/shell", `#!${tree.at("bin/env")} -S A=1 -i inner --flag\n`);
    tree.add("bin/env", "bin/inner", "bin/other");
    tree.write("bin/loop", `#!${tree.at("bin/loop")}\n`);
    expect(executable({ allowBinaries: ["script", "loop"] })).toEqual(
      ["env", "inner", "loop", "script", "shell"].map((name) => `bin/${name}`),
    );
  });

  test("programs bring the helpers of the table and those that the policy names", () => {
    tree.add(
      "bin/npm",
      "bin/node",
      "bin/sh",
      "bin/gcc-12",
      "bin/as",
      "bin/make",
      "libexec/a/b/x",
      "bin/mine",
    );
    expect(executable({ allowBinaries: ["npm"] })).toEqual(["bin/node", "bin/npm", "bin/sh"]);
    expect(executable({ allowBinaries: ["gcc-12"] })).toContain("bin/as");
    expect(executable({ allowBinaries: ["make"], allowHelpers: ["mine", tree.at("libexec/a/b")] })).toEqual([
      "bin/make",
      "bin/mine",
      "bin/sh",
      "libexec/a/b",
    ]);
  });

  test("a shim stands for the program of its version", () => {
    tree.write(".pyenv/shims/python", "#!/usr/bin/env bash\n");
    tree.add(".pyenv/versions/3.1/bin/python", ".pyenv/versions/3.2/bin/python");
    const path = tree.at(".pyenv/shims");
    const lists = { allowBinaries: ["python"] };
    expect(executable(lists, { path })).toEqual([".pyenv/versions/3.2/bin/python"]);
    tree.write(".pyenv/version", "3.1\n");
    expect(executable(lists, { path })).toEqual([".pyenv/versions/3.1/bin/python"]);
    expect(confined(lists, { path }).links).toEqual([
      { path: tree.at(".pyenv/shims/python"), text: tree.at(".pyenv/versions/3.1/bin/python") },
    ]);
  });

  test("native places lie in the workspace or are the run's own", () => {
    tree.add("ws/target/", "out/");
    tree.link("ws/out", tree.at("out"));
    const { native, nativePlaces } = confined({
      allowNative: ["target", "out", "none", "/tmp", tree.at("ws/target")],
    });
    expect(native.map(({ path }) => below(path))).toEqual(["ws/target", "ws/target"]);
    expect(nativePlaces).toEqual(["/tmp"]);
  });
});

describe("what is left of a tree", () => {
  test("folders of programs lose their files; what lies beside stays whole", () => {
    tree.add(
      "usr/bin/a",
      "usr/bin/sub/x",
      "usr/lib/deep/y",
      "usr/local/bin/b",
      "usr/local/share/z",
      "usr/top",
    );
    tree.link("usr/lib64", "lib");
    tree.link("usr/bin/c", "a");
    const { records, links } = withoutFiles(grant("usr"), [tree.at("usr/bin"), tree.at("usr/local/bin")]);
    expect(records.map(({ path }) => below(path)).sort()).toEqual([
      "usr/bin/sub",
      "usr/lib",
      "usr/local/share",
      "usr/top",
    ]);
    expect(links).toEqual([{ path: tree.at("usr/lib64"), text: "lib" }]);
    expect(
      withoutFiles(grant("usr/lib"), [tree.at("usr/bin")]).records.map(({ path }) => below(path)),
    ).toEqual(["usr/lib"]);
  });

  test("the system's program folders are hidden whatever PATH is", () => {
    const runtime: Grant[] = ["/usr"].flatMap((path) => {
      const record = pathRecord(path);
      return record === undefined ? [] : [{ ...record, kind: "read-exec" as const }];
    });
    const { runtime: left } = confined({ allowBinaries: [] }, { runtime });
    const paths = left.map(({ path }) => path);
    expect(paths).toContain("/usr/lib");
    for (const hidden of ["/usr", "/usr/bin", "/usr/sbin", "/usr/local", "/usr/bin/env"])
      expect(paths).not.toContain(hidden);
  });
});

describe("how a file is started", () => {
  test("by its interpreter, its loader, or not at all", () => {
    expect(startOfProgram(process.execPath)).toMatchObject({ by: "loader" });
    const cases: readonly (readonly [string, unknown])[] = [
      ["#!/bin/sh\n", { by: "script", interpreter: "/bin/sh", argument: "" }],
      ["#! /bin/sh -e \r\nx", { by: "script", interpreter: "/bin/sh", argument: "-e" }],
      ["#!sh\n", undefined],
      ["#!\n/bin/sh", undefined],
      ["plain", undefined],
      ["", undefined],
      ["\x7fELF", undefined],
      [`\x7fELF\x02${"\xff".repeat(80)}`, undefined],
    ];
    for (const [text, want] of cases) {
      writeFileSync(tree.at("f"), Buffer.from(text, "latin1"));
      expect([text, startOfProgram(tree.at("f"))]).toEqual([text, want]);
    }
    expect(startOfProgram(tree.at("none"))).toBe(undefined);
    expect(startOfProgram(tree.root)).toBe(undefined);
  });

  test("a guarded loader differs in one header and names what cannot be", () => {
    const start = startOfProgram(process.execPath);
    const loader = start?.by === "loader" ? start.loader : "";
    const [before, after] = [readFileSync(loader), guardedLoader(loader)];
    expect(after?.subarray(before.length).toString()).toBe("/dev/null/loader\0");
    const changed = [...before].filter((byte, at) => byte !== after?.[at]).length;
    expect(changed).toBeGreaterThan(0);
    expect(changed).toBeLessThanOrEqual(56);
    // What names an interpreter already is no loader; text is none either.
    copyFileSync(process.execPath, tree.at("program"));
    expect(guardedLoader(tree.at("program"))).toBe(undefined);
    tree.write("text", "x");
    expect(guardedLoader(tree.at("text"))).toBe(undefined);
  });
});

describe("what confine_binaries breaks", () => {
  const gaps = (lists: Lists, workspace = false) =>
    programGaps({
      policy: { ...DEFAULT_POLICY, ...lists },
      env: { PATH: tree.at("bin") },
      workspace: workspace ? { root: tree.at("ws"), names: [], cwd: tree.at("ws") } : undefined,
    });

  test("entries that are not found, and programs that listed ones start", () => {
    tree.add("bin/git", "bin/ssh");
    expect(gaps({ allowBinaries: ["git", "gone"] })).toEqual([
      { what: "gone", why: expect.stringContaining("not found"), remedy: expect.any(String) },
      {
        what: "git",
        why: expect.stringContaining("starts sh for aliases"),
        remedy: 'allow_helpers = ["sh"]',
      },
      { what: "git", why: expect.stringContaining("starts ssh"), remedy: 'allow_helpers = ["ssh"]' },
      { what: "git", why: expect.stringContaining("starts gpg"), remedy: 'allow_helpers = ["gpg"]' },
    ]);
    expect(gaps({ allowBinaries: ["git"], allowHelpers: ["ssh"] }).map(({ remedy }) => remedy)).not.toContain(
      'allow_helpers = ["ssh"]',
    );
  });

  test("places of the workspace from which nothing is started, and its hooks", () => {
    tree.add(
      "bin/cargo",
      "bin/git",
      "bin/node",
      "ws/Cargo.toml",
      "ws/.git/hooks/pre-commit",
      "ws/.git/hooks/x.sample",
    );
    const lists = { allowBinaries: ["cargo", "git", "node"] };
    const remedies = gaps(lists, true).map(({ remedy }) => remedy);
    expect(remedies).toContain('allow_native = ["target"]');
    expect(remedies).toContain('allow_binaries = [".git/hooks/pre-commit"]');
    expect(remedies.join()).not.toContain("node_modules");
    const told = gaps(
      { allowBinaries: [...lists.allowBinaries, ".git/hooks/pre-commit"], allowNative: ["target"] },
      true,
    );
    expect(told.map(({ remedy }) => remedy).join()).not.toMatch(/target|hooks/);
  });
});
