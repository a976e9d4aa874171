import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeBelow } from "../../../src/host/remove-below.ts";
import { TempTree } from "./temp-tree.ts";

let tree: TempTree;
beforeEach(() => {
  tree = new TempTree();
});
afterEach(() => tree.remove());

const remove = (...parts: string[]): void =>
  removeBelow(
    tree.root,
    parts.map((part) => Buffer.from(part)),
  );

test("a file, a link and a tree go; what is not there is no error", () => {
  tree.add("a/file", "b/c/d/e", "b/x", "keep/y");
  tree.link("a/link", tree.at("keep"));
  for (const path of ["a/file", "a/link", "b", "none", "none/at/all"]) remove(...path.split("/"));
  for (const path of ["a/file", "a/link", "b"]) expect(existsSync(tree.at(path))).toBe(false);
  for (const path of ["a", "keep/y"]) expect(existsSync(tree.at(path))).toBe(true);
});

test("closed folders, odd names and any depth are no obstacle", () => {
  let at = tree.at("top");
  mkdirSync(at);
  for (let i = 0; i < 60; i += 1) {
    at += `/${"n".repeat(50)}`;
    mkdirSync(at);
  }
  writeFileSync(Buffer.concat([Buffer.from(`${at}/`), Buffer.from([0xff, 0x0a])]), "");
  writeFileSync(tree.at("top/moved-0"), "");
  chmodSync(at, 0o000);
  chmodSync(tree.at("top"), 0o500);
  remove("top");
  expect(existsSync(tree.at("top"))).toBe(false);
});

test("links are not followed, neither on the way nor in the tree", () => {
  tree.add("outside/file", "t/a/");
  symlinkSync(tree.at("outside"), tree.at("link"));
  symlinkSync(tree.at("outside"), tree.at("t/a/link"));
  expect(() => remove("link", "file")).toThrow();
  remove("t");
  expect(existsSync(tree.at("outside/file"))).toBe(true);
  expect(existsSync(tree.at("t"))).toBe(false);
});

test("what cannot be removed is an error", () => {
  expect(() => removeBelow("/proc/self", [Buffer.from("status")])).toThrow();
});
