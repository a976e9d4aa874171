import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { realFolderOf } from "../../../src/host/real-folder.ts";
import { TempTree } from "./temp-tree.ts";

let tree: TempTree;
beforeEach(() => {
  tree = new TempTree();
  tree.add("one/file");
  tree.add("two/file");
});
afterEach(() => tree.remove());

describe("the real name of a folder", () => {
  test("is its own, asked once and again", () => {
    const expected = { path: tree.at("one"), isFolder: true };
    expect(realFolderOf(tree.at("one"))).toEqual(expected);
    expect(realFolderOf(tree.at("one"))).toEqual(expected);
    expect(realFolderOf(tree.at("one/file"))).toEqual({ path: tree.at("one/file"), isFolder: false });
  });

  test("follows a link that is led elsewhere", () => {
    symlinkSync("one", tree.at("link"));
    expect(realFolderOf(tree.at("link")).path).toBe(tree.at("one"));
    symlinkSync("two", tree.at("next"));
    renameSync(tree.at("next"), tree.at("link"));
    expect(realFolderOf(tree.at("link")).path).toBe(tree.at("two"));
  });

  test("is found anew where a link took the place of the folder, or of one above it", () => {
    mkdirSync(tree.at("one/deep"));
    mkdirSync(tree.at("two/deep"));
    expect(realFolderOf(tree.at("one/deep")).path).toBe(tree.at("one/deep"));
    expect(realFolderOf(tree.at("one")).path).toBe(tree.at("one"));
    renameSync(tree.at("one"), tree.at("old"));
    symlinkSync("two", tree.at("one"));
    expect(realFolderOf(tree.at("one")).path).toBe(tree.at("two"));
    expect(realFolderOf(tree.at("one/deep")).path).toBe(tree.at("two/deep"));
  });

  test("fails for what is gone, though it was found before", () => {
    realFolderOf(tree.at("one"));
    renameSync(tree.at("one"), tree.at("old"));
    expect(() => realFolderOf(tree.at("one"))).toThrow("ENOENT");
  });
});
