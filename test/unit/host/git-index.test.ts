import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { indexReader } from "../../../src/host/git-index.ts";
import { TempTree } from "./temp-tree.ts";

let tree: TempTree;
beforeEach(() => {
  tree = new TempTree();
});
afterEach(() => tree.remove());

function git(...args: readonly string[]): void {
  execFileSync("git", args, { cwd: tree.at("repo"), stdio: "pipe" });
}

/** Asks anew each time: one reader answers of one moment. */
function isTracked(name: string): boolean {
  return indexReader()(tree.at(name));
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
    expect(asked.filter((name) => isTracked(name))).toEqual(["repo/kept/a.txt"]);
  });

  test("nothing without a repository or before its first file", () => {
    tree.add("plain/a.txt");
    expect(isTracked("plain/a.txt")).toBe(false);
    tree.add("repo/a.txt");
    git("init", "-q", ".");
    expect(isTracked("repo/a.txt")).toBe(false);
  });

  test("anything where the index does not spell names out", () => {
    repository();
    git("update-index", "--index-version", "4");
    expect(isTracked("repo/other.txt")).toBe(true);
    git("update-index", "--index-version", "2");
    expect(isTracked("repo/other.txt")).toBe(false);
    git("update-index", "--split-index");
    expect(isTracked("repo/other.txt")).toBe(true);
    writeFileSync(tree.at("repo/.git/index"), "x");
    expect(isTracked("repo/other.txt")).toBe(true);
  });

  test("a worktree is looked for where its .git file leads", () => {
    repository();
    tree.add("copy/kept/a.txt");
    writeFileSync(tree.at("copy/.git"), `gitdir: ${tree.at("repo/.git")}\n`);
    expect(isTracked("copy/kept/a.txt")).toBe(true);
    expect(isTracked("copy/kept/b.txt")).toBe(false);
    writeFileSync(tree.at("copy/.git"), "something else\n");
    expect(isTracked("copy/kept/b.txt")).toBe(true);
  });

  test("a pipe in the place of .git is odd and is not waited for", () => {
    tree.add("repo/a.txt");
    execFileSync("mkfifo", [tree.at("repo/.git")]);
    expect(isTracked("repo/a.txt")).toBe(true);
  });

  test("one reader answers of one moment", () => {
    repository();
    const tracked = indexReader();
    expect(tracked(tree.at("repo/other.txt"))).toBe(false);
    git("add", "other.txt");
    expect(tracked(tree.at("repo/other.txt"))).toBe(false);
    expect(isTracked("repo/other.txt")).toBe(true);
  });
});
