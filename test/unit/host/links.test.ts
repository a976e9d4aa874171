import { afterEach, beforeEach, expect, test } from "vitest";
import { linksOf } from "../../../src/host/links.ts";
import { TempTree } from "./temp-tree.ts";

let tree: TempTree;
beforeEach(() => {
  tree = new TempTree();
});
afterEach(() => tree.remove());

/** Links on the way, relative to the tree. */
function links(...names: readonly string[]): readonly string[] {
  const found = linksOf(names.map((name) => tree.at(name)));
  return found.map(({ path, text }) => `${path.slice(tree.root.length + 1)} -> ${text}`);
}

test("a path without links has none", () => {
  tree.add("a/b/c");
  expect(links("a/b/c", "a/missing/x")).toEqual([]);
});

test("each link on the way counts once, the end too", () => {
  tree.add("real/bin/node-20");
  tree.link("opt/current", "../real");
  tree.link("real/bin/node", "node-20");
  expect(links("opt/current/bin/node", "opt/current/bin", "real/bin/node")).toEqual([
    "opt/current -> ../real",
    "real/bin/node -> node-20",
  ]);
});

test("absolute links and dots are followed", () => {
  tree.add("real/x");
  tree.link("a/l", `${tree.root}/real/./../real`);
  tree.link("b/m", "../a/l");
  expect(links("b/./m/x")).toEqual(["b/m -> ../a/l", `a/l -> ${tree.root}/real/./../real`]);
});

test("loops and links to nothing end", () => {
  tree.link("x", "y");
  tree.link("y", "x");
  tree.link("z", "gone/far");
  expect(links("x/a", "z/b")).toEqual(["x -> y", "y -> x", "z -> gone/far"]);
});
