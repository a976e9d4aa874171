import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isTracked } from "../../../src/host/git-index.ts";
import { TempTree } from "./temp-tree.ts";

let tree: TempTree;
beforeEach(() => {
  tree = new TempTree();
});
afterEach(() => tree.remove());

function git(...args: readonly string[]): void {
  execFileSync("git", args, { cwd: tree.at("repo"), stdio: "pipe" });
}

function repository(): void {
  for (const name of ["repo/kept/a.txt", "repo/kept/b.txt", "repo/other.txt"]) tree.add(name);
  git("init", "-q", ".");
  git("add", "kept/a.txt");
}

describe("what git tracks", () => {
  test("a file of the index, and not its neighbours", () => {
    repository();
    const asked = ["repo/kept/a.txt", "repo/kept/b.txt", "repo/other.txt", "repo/kept"];
    expect(asked.filter((name) => isTracked(tree.at(name)))).toEqual(["repo/kept/a.txt"]);
  });

  test("nothing without a repository or before its first file", () => {
    tree.add("plain/a.txt");
    expect(isTracked(tree.at("plain/a.txt"))).toBe(false);
    tree.add("repo/a.txt");
    git("init", "-q", ".");
    expect(isTracked(tree.at("repo/a.txt"))).toBe(false);
  });

  test("anything where the index does not spell names out", () => {
    repository();
    git("update-index", "--index-version", "4");
    expect(isTracked(tree.at("repo/other.txt"))).toBe(true);
    git("update-index", "--index-version", "2");
    expect(isTracked(tree.at("repo/other.txt"))).toBe(false);
    git("update-index", "--split-index");
    expect(isTracked(tree.at("repo/other.txt"))).toBe(true);
    writeFileSync(tree.at("repo/.git/index"), "x");
    expect(isTracked(tree.at("repo/other.txt"))).toBe(true);
  });

  test("a worktree is looked for where its .git file leads", () => {
    repository();
    tree.add("copy/kept/a.txt");
    writeFileSync(tree.at("copy/.git"), `gitdir: ${tree.at("repo/.git")}\n`);
    expect(isTracked(tree.at("copy/kept/a.txt"))).toBe(true);
    expect(isTracked(tree.at("copy/kept/b.txt"))).toBe(false);
    writeFileSync(tree.at("copy/.git"), "something else\n");
    expect(isTracked(tree.at("copy/kept/b.txt"))).toBe(true);
  });
});
