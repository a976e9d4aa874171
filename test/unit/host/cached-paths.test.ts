import { renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemPaths, toolchainPaths } from "../../../src/host/cached-paths.ts";
import { runtimePaths } from "../../../src/host/runtime-paths.ts";
import { findToolchains, type ToolchainInput } from "../../../src/host/toolchains.ts";
import { TempTree } from "./temp-tree.ts";

let tree: TempTree;
let input: ToolchainInput;
beforeEach(() => {
  tree = new TempTree();
  tree.add("home/.cargo/bin/cargo", "home/.rustup/toolchains/stable/bin/rustc", "w/ws/");
  input = {
    path: tree.at("home/.cargo/bin"),
    home: tree.at("home"),
    workspace: tree.at("w/ws"),
    program: undefined,
    runtime: [],
  };
});
afterEach(() => tree.remove());

test("the system's list is the same when it is remembered", () => {
  expect(systemPaths()).toEqual(runtimePaths());
  expect(systemPaths()).toEqual(runtimePaths());
});

test("toolchains are the same when they are remembered", () => {
  const found = findToolchains(input);
  expect(found.grants.length).toBeGreaterThan(0);
  expect(toolchainPaths(input)).toEqual(found);
  expect(toolchainPaths(input)).toEqual(found);
});

test("identities are those of now, not those that were remembered", () => {
  toolchainPaths(input);
  const folder = tree.at("home/.rustup/toolchains");
  renameSync(folder, `${folder}.old`);
  tree.add("home/.rustup/toolchains/");
  const grant = toolchainPaths(input).grants.find(({ path }) => path === folder);
  expect(grant?.ino).toBe(statSync(folder, { bigint: true }).ino);
  expect(grant?.ino).not.toBe(statSync(`${folder}.old`, { bigint: true }).ino);
});

test("a path that has become a link is searched for again", () => {
  const folder = tree.at("home/.rustup/toolchains");
  expect(toolchainPaths(input).grants.map(({ path }) => path)).toContain(folder);
  rmSync(folder, { recursive: true });
  tree.add("home/.ssh/");
  symlinkSync(tree.at("home/.ssh"), folder);
  const paths = toolchainPaths(input).grants.map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => path === folder || path.includes(".ssh"))).toEqual([]);
});

test("what is remembered for one caller is not given to another", () => {
  const folder = tree.at("home/.cargo/bin");
  expect(toolchainPaths(input).grants.map(({ path }) => path)).toContain(folder);
  const around = { ...input, workspace: tree.at("home") };
  expect(toolchainPaths(around).grants.map(({ path }) => path)).not.toContain(folder);
});
