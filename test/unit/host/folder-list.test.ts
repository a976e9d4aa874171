import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { listFolder } from "../../../src/host/folder-list.ts";
import { TempTree } from "./temp-tree.ts";

let tree: TempTree;
beforeEach(() => {
  tree = new TempTree();
  tree.add("top/a.txt");
  tree.add("top/sub/b.txt");
  // The lists of folders that were changed just now are not kept: for these tests now is later.
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  tree.remove();
});

function listed(): readonly string[] {
  return listFolder(tree.at("top"))
    .map(({ name, kind }) => `${name} ${kind}`)
    .sort();
}

describe("the list of a folder", () => {
  test("is the same object while nothing changed", () => {
    const first = listFolder(tree.at("top"));
    expect(first.map(({ path }) => path).sort()).toEqual([tree.at("top/a.txt"), tree.at("top/sub")]);
    expect(listFolder(tree.at("top"))).toBe(first);
  });

  test("is not kept of a folder that was changed just now", () => {
    vi.useRealTimers();
    const first = listFolder(tree.at("top"));
    expect(listFolder(tree.at("top"))).not.toBe(first);
  });

  test.each<[string, () => void, readonly string[]]>([
    ["an added file", () => tree.add("top/new"), ["a.txt other", "new other", "sub folder"]],
    ["a removed file", () => rmSync(tree.at("top/a.txt")), ["sub folder"]],
    ["a renamed file", () => renameSync(tree.at("top/a.txt"), tree.at("top/c")), ["c other", "sub folder"]],
    [
      "a folder in the place of a file",
      () => {
        rmSync(tree.at("top/a.txt"));
        mkdirSync(tree.at("top/a.txt"));
      },
      ["a.txt folder", "sub folder"],
    ],
    [
      "a link in the place of a file, under the old time",
      () => {
        rmSync(tree.at("top/a.txt"));
        symlinkSync("/etc", tree.at("top/a.txt"));
        utimesSync(tree.at("top"), 1, 1);
      },
      ["a.txt link", "sub folder"],
    ],
    [
      "another folder under the same name",
      () => {
        renameSync(tree.at("top"), tree.at("old"));
        mkdirSync(tree.at("top"));
        writeFileSync(tree.at("top/z"), "");
      },
      ["z other"],
    ],
  ])("shows %s", async (_what, change, expected) => {
    utimesSync(tree.at("top"), 1, 1);
    expect(listed()).toEqual(["a.txt other", "sub folder"]);
    // Before Linux 6.13 a time stamp is as coarse as the kernel's tick, at most 10 ms.
    await setTimeout(20);
    change();
    expect(listed()).toEqual(expected);
  });

  test("fails for a folder that is gone, though it was listed before", () => {
    listed();
    rmSync(tree.at("top"), { recursive: true });
    expect(listed).toThrow("ENOENT");
  });
});
