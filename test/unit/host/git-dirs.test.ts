import { execFileSync } from "node:child_process";
import { renameSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { gitDirs } from "../../../src/host/git-dirs.ts";
import { TempTree } from "./temp-tree.ts";

let tree: TempTree;
beforeEach(() => {
  tree = new TempTree();
});
afterEach(() => tree.remove());

function git(folder: string, ...args: readonly string[]): void {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"];
  execFileSync("git", [...identity, ...args], { cwd: tree.at(folder), stdio: "pipe" });
}

function repository(folder: string): void {
  tree.add(`${folder}/file`);
  git(folder, "init", "-q", ".");
  git(folder, "add", "file");
  git(folder, "commit", "-qm", "one");
}

/** Paths relative to the tree. */
function found(workspace: string) {
  const { writable, readable, guarded, ancestors } = gitDirs(tree.at(workspace));
  const names = (records: readonly { path: string }[]) =>
    records.map(({ path }) => path.slice(tree.root.length + 1)).sort();
  return {
    writable: names(writable),
    readable: names(readable),
    guarded: names(guarded),
    ancestors: names(ancestors),
  };
}

const NOTHING = { writable: [], readable: [], guarded: [], ancestors: [] };

describe("git directories", () => {
  test("in the workspace, or none at all", () => {
    repository("own");
    tree.add("none/x");
    expect(found("own")).toEqual(NOTHING);
    expect(found("none")).toEqual(NOTHING);
  });

  test("of a linked worktree are writable, what git obeys in them is not", () => {
    repository("main");
    git("main", "worktree", "add", "-q", "../tree");
    const { writable, guarded, ancestors } = found("tree");
    expect(writable).toEqual(["main/.git"]);
    expect(guarded).toEqual([
      "main/.git/hooks",
      "main/.git/worktrees/tree/commondir",
      "main/.git/worktrees/tree/gitdir",
    ]);
    expect(ancestors).toEqual(["main/.git/worktrees", "main/.git/worktrees/tree"]);
  });

  test("of a submodule", () => {
    repository("lib");
    repository("main");
    git("main", "submodule", "--quiet", "add", "../lib", "sub");
    expect(found("main/sub").writable).toEqual(["main/.git/modules/sub"]);
    expect(found("main/sub").guarded).toContain("main/.git/modules/sub/hooks");
  });

  test("of a repository around the workspace are readable only", () => {
    repository("main");
    tree.add("main/packages/a/x");
    expect(found("main/packages/a")).toEqual({ ...NOTHING, readable: ["main/.git"] });
  });
});

describe("a .git file that was planted grants nothing", () => {
  test("it names somebody else's repository", () => {
    repository("other");
    tree.write("w/.git", `gitdir: ${tree.at("other/.git")}\n`);
    expect(found("w")).toEqual(NOTHING);
  });

  test("it names another workspace's worktree", () => {
    repository("main");
    git("main", "worktree", "add", "-q", "../tree");
    tree.write("w/.git", `gitdir: ${tree.at("main/.git/worktrees/tree")}\n`);
    expect(found("w")).toEqual(NOTHING);
  });

  test("it names a folder that points back, and onwards to a home", () => {
    tree.add("home/objects/", "home/refs/", "home/HEAD");
    tree.write("fake/gitdir", `${tree.at("w/.git")}\n`);
    tree.write("fake/commondir", `${tree.at("home")}\n`);
    tree.write("w/.git", `gitdir: ${tree.at("fake")}\n`);
    expect(found("w")).toEqual(NOTHING);
  });

  test("it is a link, or the worktree has moved away", () => {
    repository("main");
    git("main", "worktree", "add", "-q", "../tree");
    renameSync(tree.at("tree"), tree.at("moved"));
    expect(found("moved")).toEqual(NOTHING);
    rmSync(tree.at("moved/.git"));
    tree.link("moved/.git", "../main/.git");
    expect(found("moved")).toEqual(NOTHING);
  });

  test("it is a pipe, or larger than such a file ever is", () => {
    tree.add("w/");
    execFileSync("mkfifo", [tree.at("w/.git")]);
    expect(found("w")).toEqual(NOTHING);
    tree.write("v/.git", `gitdir: ${"/x".repeat(100_000)}\n`);
    expect(found("v")).toEqual(NOTHING);
  });
});
