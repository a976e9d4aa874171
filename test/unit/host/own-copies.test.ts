import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compareLater } from "../../../src/host/later-compare.ts";
import { findLater, type LaterItems } from "../../../src/host/later-items.ts";
import { packItems, unpackItems } from "../../../src/host/later-journal.ts";
import { holdPrograms } from "../../../src/host/own-copies.ts";
import { putBack } from "../../../src/host/put-back.ts";
import { TempTree } from "./temp-tree.ts";

let tree: TempTree;
beforeEach(() => {
  tree = new TempTree();
  tree.write("ws/p/dist/main.cjs", "main\n");
  tree.write("ws/p/build/launcher", "launcher\n");
  tree.add("home/");
});
afterEach(() => tree.remove());

const NAMES = ["ws/p/dist/main.cjs", "ws/p/build/launcher"];
const paths = () => NAMES.map((name) => tree.at(name));
const contents = () => paths().map((path) => readFileSync(path, "utf8"));
const copies = () => readdirSync(tree.at("home/own"));

function find(known?: LaterItems): LaterItems {
  const own = { policies: [], programs: paths() };
  return findLater({ root: tree.at("ws"), home: undefined, own, entries: new Map(), gitDirs: [] }, known);
}

function before(folder: string | undefined): LaterItems {
  const found = find();
  holdPrograms(found, paths(), folder);
  return found;
}

function undo(found: LaterItems): readonly unknown[] {
  const { denied } = compareLater({ root: tree.at("ws"), before: found, after: find(found), gitEntries: [] });
  return denied.map(({ path, change, held }) => [
    path.slice(tree.root.length + 1),
    change,
    putBack(path, held),
  ]);
}

test.each([
  ["a copy", () => tree.at("home/own")],
  ["memory", () => undefined],
  ["memory, where no copy can be made", () => tree.at("ws/p/dist/main.cjs/own")],
])("Paldron's own files are put back from %s", (_, folder) => {
  const found = before(folder());
  expect(undo(found)).toEqual([]);
  writeFileSync(tree.at("ws/p/dist/main.cjs"), "evil\n");
  rmSync(tree.at("ws/p/build"), { recursive: true });
  expect(undo(found)).toEqual([
    ["ws/p/build/launcher", "removed", true],
    ["ws/p/dist/main.cjs", "changed", true],
  ]);
  expect(contents()).toEqual(["main\n", "launcher\n"]);
  expect(statSync(tree.at("ws/p/build/launcher")).mode & 0o777).toBe(0o755);
});

test("a journal names the copy and does not hold it", () => {
  const packed = JSON.stringify(packItems(before(tree.at("home/own"))));
  expect(packed).not.toContain(Buffer.from("launcher\n").toString("base64"));
  writeFileSync(tree.at("ws/p/build/launcher"), "evil\n");
  expect(undo(unpackItems(JSON.parse(packed)))).toEqual([["ws/p/build/launcher", "changed", true]]);
  expect(contents()).toEqual(["main\n", "launcher\n"]);
});

test("the same bytes written again are no change", () => {
  const found = before(tree.at("home/own"));
  tree.write("ws/p/dist/main.cjs", "main\n");
  expect(undo(found)).toEqual([]);
});

test("one copy serves until a file changes; one that nobody used for long is removed", () => {
  before(tree.at("home/own"));
  const [first = ""] = copies();
  before(tree.at("home/own"));
  expect(copies()).toEqual([first]);
  utimesSync(tree.at(`home/own/${first}`), 1, 1);
  before(tree.at("home/own"));
  expect(statSync(tree.at(`home/own/${first}`)).mtimeMs).toBeGreaterThan(1000);
  tree.write("ws/p/dist/main.cjs", "main 2\n");
  before(tree.at("home/own"));
  expect(copies().length).toBe(2);
  utimesSync(tree.at(`home/own/${first}`), 1, 1);
  tree.write("ws/p/dist/main.cjs", "main 3\n");
  before(tree.at("home/own"));
  expect([copies().length, copies().includes(first)]).toEqual([2, false]);
});

test("a copy that was cut is made again", () => {
  before(tree.at("home/own"));
  const [name = ""] = copies();
  writeFileSync(tree.at(`home/own/${name}`), "x");
  const found = before(tree.at("home/own"));
  writeFileSync(tree.at("ws/p/dist/main.cjs"), "evil\n");
  undo(found);
  expect(contents()).toEqual(["main\n", "launcher\n"]);
});
