import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunExecOptions } from "../../../src/app/exec-types.ts";
import { undoInterrupted, withJournal } from "../../../src/app/interrupted.ts";
import { LaterGuard, laterScope, lookBefore } from "../../../src/app/later.ts";
import { walkRequests, workspaceMatcher } from "../../../src/app/workspace-walk.ts";
import { joinScans } from "../../../src/host/produced.ts";
import { takeSnapshot } from "../../../src/host/snapshot.ts";
import { walkNode } from "../../../src/host/walk-node.ts";
import { DEFAULT_POLICY } from "../../../src/policy/parse.ts";
import { TempTree } from "../host/temp-tree.ts";

let tree: TempTree;
beforeEach(() => {
  tree = new TempTree();
});
afterEach(() => tree.remove());

function guard(policyPath?: string) {
  const workspace = { root: tree.root, names: [], cwd: tree.root };
  const options = {
    workspace,
    policy: DEFAULT_POLICY,
    source: { path: policyPath },
    env: { HOME: tree.at("home") },
  } as unknown as RunExecOptions;
  const matcher = workspaceMatcher(DEFAULT_POLICY, workspace);
  const look = () => takeSnapshot(tree.root, walkNode(walkRequests(tree.root, matcher)(1)));
  const scope = laterScope(options, []);
  const later = new LaterGuard(scope, lookBefore(scope, look()));
  return { later, settle: () => later.settle(look(), { outsideWritable: false, mounts: undefined }) };
}

describe("what runs later", () => {
  test("is undone where the run cannot be judged, and the failure stays", async () => {
    tree.write(".mcp.json", "{}");
    const { later } = guard();
    const run = later.during(async () => {
      tree.write(".mcp.json", "changed");
      tree.write("a/.claude/settings.json", "new");
      throw new Error("cannot be judged");
    });
    await expect(run).rejects.toThrow("cannot be judged");
    expect(readFileSync(tree.at(".mcp.json"), "utf8")).toBe("{}");
    expect(existsSync(tree.at("a/.claude"))).toBe(false);
  });

  test("is also the policy file, by its name", () => {
    tree.write("paldron.toml", "");
    const { settle } = guard(tree.at("paldron.toml"));
    tree.write("paldron.toml", "allow_network = true");
    tree.write("other.toml", "x");
    expect(settle().produced).toEqual([
      {
        path: "paldron.toml",
        rule: "builtin:later",
        code: "runs_later",
        change: "changed",
        restored: true,
      },
    ]);
  });

  test.each([
    ["a program", "[core]\n\tpager = tools/a\n"],
    ["a folder of hooks", "[core]\n\thooksPath = tools\n"],
    ["a configuration", "[include]\n\tpath = ../tools/inc\n"],
  ])("is only what names it, where %s was there before", (_, config) => {
    tree.write("tools/a", "#!/bin/sh\n");
    tree.write("tools/inc", "[core]\n\tfsmonitor = x\n");
    for (const name of ["HEAD", "objects/x", "refs/x", "config"]) tree.write(`.git/${name}`, "");
    const { settle } = guard();
    tree.write(".git/config", config);
    expect(settle().produced.map(({ path }) => path)).toEqual([".git/config"]);
    expect([readFileSync(tree.at(".git/config"), "utf8"), readdirSync(tree.at("tools")).sort()]).toEqual([
      "",
      ["a", "inc"],
    ]);
  });

  test("is no file that a new link to its folder names", () => {
    tree.write("docs/settings.json", "{}");
    const { settle } = guard();
    symlinkSync("docs", tree.at(".claude"));
    expect(settle().produced.map(({ path }) => path)).toEqual([".claude"]);
    expect([existsSync(tree.at(".claude")), readdirSync(tree.at("docs"))]).toEqual([
      false,
      ["settings.json"],
    ]);
  });

  test("is no file that a new link names which another new link leads to", () => {
    tree.write("README.md", "old\n");
    const { settle } = guard();
    tree.link("y/.vscode/tasks.json", "../../README.md");
    symlinkSync("y/.vscode", tree.at(".vscode"));
    expect(settle().produced.map(({ path }) => path)).toEqual([".vscode", "y/.vscode/tasks.json"]);
    expect(readFileSync(tree.at("README.md"), "utf8")).toBe("old\n");
  });

  test("is a new file that a configuration of before names", () => {
    tree.write("tools/b", "#!/bin/sh\n");
    for (const name of ["HEAD", "objects/x", "refs/x"]) tree.write(`.git/${name}`, "");
    tree.write(".git/config", "[core]\n\tpager = tools/a\n\thooksPath = tools\n");
    const { settle } = guard();
    tree.write("tools/a", "#!/bin/sh\n");
    tree.write("tools/pre-commit", "#!/bin/sh\n");
    expect(settle().produced.map(({ path }) => path)).toEqual(["tools/a", "tools/pre-commit"]);
    expect(readdirSync(tree.at("tools"))).toEqual(["b"]);
  });

  test("is ordinary work in a clone, and reported", () => {
    const { settle } = guard();
    tree.add("clone/.git/HEAD", "clone/.git/objects/", "clone/.git/refs/", "clone/.vscode/tasks.json");
    tree.add("package.json", ".github/workflows/x.yml");
    expect(settle()).toEqual({
      produced: [],
      findings: [".github/workflows/x.yml", "clone/.vscode/tasks.json", "package.json"].map((path) => ({
        code: "runs-later",
        path,
      })),
    });
  });

  test("may go with the folder that it was for", () => {
    tree.add("a/.vscode/tasks.json", "b/.vscode/tasks.json");
    const { settle } = guard();
    tree.remove();
    tree.add("b/x");
    expect(settle().produced.map(({ path, change, restored }) => [path, change, restored])).toEqual([
      ["b/.vscode/tasks.json", "removed", true],
    ]);
    expect(existsSync(tree.at("b/.vscode/tasks.json"))).toBe(true);
  });
});

test("what is below something that is no folder is not there", () => {
  tree.write("ws/.git", "gitdir: nowhere");
  tree.write("ws/.vscode", "x");
  const options = {
    workspace: { root: tree.at("ws"), names: [], cwd: tree.at("ws") },
    policy: DEFAULT_POLICY,
    source: { path: undefined, extended: [] },
    env: { HOME: tree.at("ws/.vscode/home") },
  } as unknown as RunExecOptions;
  const scope = laterScope(options, [tree.at("ws/.git/x")]);
  const entries = walkNode(walkRequests(scope.root, workspaceMatcher(DEFAULT_POLICY, options.workspace))(1));
  const later = new LaterGuard(scope, lookBefore(scope, takeSnapshot(scope.root, entries)));
  expect(later.mounts(new Set()).guarded.map(({ path }) => path)).toEqual([tree.at("ws/.vscode")]);
});

test("a file that is a secret too is named once", () => {
  const file = { path: ".envrc", rule: "r", change: "created" } as const;
  const secret = { ...file, code: "secret" } as const;
  const joined = joinScans(
    { produced: [secret], findings: [] },
    { produced: [{ ...file, code: "runs_later" }], findings: [] },
  );
  expect(joined.produced).toEqual([secret]);
});

describe("a run whose Paldron was killed", () => {
  /** Leaves the journal of a run that nobody finishes. */
  function interrupted(change: () => void, owner = "1 0") {
    tree.add("home/", "ws/.vscode/", "ws/sub/");
    tree.write("ws/.mcp.json", "{}");
    const options = {
      workspace: { root: tree.at("ws"), names: [], cwd: tree.at("ws") },
      policy: DEFAULT_POLICY,
      source: { path: undefined, extended: [] },
      env: { HOME: tree.at("home") },
    } as unknown as RunExecOptions;
    const matcher = workspaceMatcher(DEFAULT_POLICY, options.workspace);
    const root = options.workspace.root;
    const scope = laterScope(options, []);
    const before = lookBefore(scope, takeSnapshot(root, walkNode(walkRequests(root, matcher)(1))));
    const folder = tree.at("home/.local/state/paldron/runs");
    const pending = withJournal(options, { scope, before }, () => new Promise<never>(() => undefined));
    pending.catch(() => undefined);
    for (const name of readdirSync(folder)) {
      const path = `${folder}/${name}`;
      expect(statSync(path).mode & 0o077).toBe(0);
      writeFileSync(path, readFileSync(path, "utf8").replace(/"owner":"[^"]*"/, `"owner":"${owner}"`));
    }
    change();
    const warnings: string[] = [];
    undoInterrupted(options, (warning) => warnings.push(warning));
    return { warnings, left: readdirSync(folder) };
  }

  test("is undone by the next start", () => {
    const { warnings, left } = interrupted(() => {
      tree.write("ws/.mcp.json", "changed");
      tree.write("ws/.claude/settings.json", "new");
    });
    expect(warnings).toEqual([
      `an interrupted run in ${tree.at("ws")} had changed .claude/settings.json, .mcp.json, which runs later: undone`,
    ]);
    expect(readFileSync(tree.at("ws/.mcp.json"), "utf8")).toBe("{}");
    expect([existsSync(tree.at("ws/.claude")), left]).toEqual([false, []]);
  });

  test("is left alone while it lives", () => {
    const stat = readFileSync("/proc/self/stat", "latin1");
    const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    const { warnings, left } = interrupted(
      () => tree.write("ws/.mcp.json", "changed"),
      `${process.pid} ${start}`,
    );
    expect([warnings, left.length]).toEqual([[], 1]);
    expect(readFileSync(tree.at("ws/.mcp.json"), "utf8")).toBe("changed");
  });
});
