import { appendFileSync, lstatSync, renameSync, rmSync, utimesSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changedShims } from "../../../src/host/changed-shims.ts";
import type { WalkEntry } from "../../../src/plan/types.ts";
import { TempTree } from "./temp-tree.ts";

let tree: TempTree;
beforeEach(() => {
  tree = new TempTree();
});
afterEach(() => tree.remove());

/** A time after all that lies here, and before what is made next. */
function begin(): number {
  tree.add("old");
  const old = lstatSync(tree.at("old")).ctimeMs;
  do tree.add("clock");
  while (lstatSync(tree.at("clock")).ctimeMs < old + 60);
  return old + 40;
}

function found(since: number, walked: readonly string[] = []): readonly string[] {
  const entries = new Map(walked.map((path) => [path, {} as WalkEntry]));
  return changedShims({ root: tree.root, entries, since });
}

test("programs on PATH, made, changed, led elsewhere or taken away", () => {
  tree.add("bin/same", "bin/edited", "node_modules/eslint/bin.js", "node_modules/kept/bin.js");
  tree.link("node_modules/.bin/eslint", "../eslint/bin.js");
  tree.link("node_modules/.bin/kept", "../kept/bin.js");
  tree.add("packages/a/node_modules/.bin/tsc", "node_modules/b/node_modules/.bin/x");
  const since = begin();
  expect(found(since)).toEqual([]);
  appendFileSync(tree.at("bin/edited"), "more");
  utimesSync(tree.at("bin/edited"), 1, 1);
  tree.add("bin/git", "bin/folder/", "lib/new");
  // Through the link, into the package.
  appendFileSync(tree.at("node_modules/.bin/eslint"), "more");
  tree.add("packages/a/node_modules/.bin/tsc", "node_modules/b/node_modules/.bin/x");
  const walked = ["packages/a/node_modules/.bin", "node_modules/b/node_modules/.bin"];
  expect([...found(since, walked)].sort()).toEqual([
    "bin/edited",
    "bin/git",
    "node_modules/.bin/eslint",
    "packages/a/node_modules/.bin/tsc",
  ]);
});

test("a folder that is another one, or lacks something, is named itself", () => {
  tree.add(
    "bin/a",
    "other/a",
    "node_modules/.bin/a",
    "node_modules/.bin/b",
    ".venv/bin/python",
    "v2/bin/python",
  );
  const since = begin();
  renameSync(tree.at("bin"), tree.at("bin2"));
  renameSync(tree.at("other"), tree.at("bin"));
  rmSync(tree.at("node_modules/.bin/b"));
  renameSync(tree.at(".venv"), tree.at("gone"));
  renameSync(tree.at("v2"), tree.at(".venv"));
  expect(found(since)).toEqual(["bin", "node_modules/.bin", ".venv"]);
});

test("what an environment of Python starts with, and no more of it", () => {
  const site = "lib/python3.11/site-packages";
  tree.add(".venv/bin/activate", "deep/e/bin/activate", "deep/e/pyvenv.cfg", "other/bin/activate");
  const since = begin();
  for (const at of [".venv", "deep/e", "other"]) {
    tree.add(`${at}/bin/activate`, `${at}/${site}/a.pth`, `${at}/${site}/sitecustomize.py`);
    tree.add(`${at}/${site}/six.py`);
  }
  expect(found(since, ["deep/e/pyvenv.cfg", "pyvenv.cfg"])).toEqual(
    [".venv", "deep/e"].flatMap((at) => [
      `${at}/bin/activate`,
      `${at}/${site}/a.pth`,
      `${at}/${site}/sitecustomize.py`,
    ]),
  );
});

test("many of one folder are told as the folder", () => {
  tree.add("node_modules/.bin/");
  const since = begin();
  for (let i = 0; i < 11; i += 1) tree.add(`node_modules/.bin/p${i}`);
  tree.add(".cargo/config.toml", ".cargo/registry/x");
  expect(found(since)).toEqual([".cargo/config.toml", "node_modules/.bin"]);
});
