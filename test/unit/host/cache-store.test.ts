import {
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { pruneStores } from "../../../src/host/cache-prune.ts";
import { type CacheStore, openCacheStore } from "../../../src/host/cache-store.ts";
import { pathRecord } from "../../../src/host/path-record.ts";
import { CACHES } from "../../../src/plan/home-caches.ts";
import type { PathRecord } from "../../../src/plan/types.ts";
import { TempTree } from "./temp-tree.ts";

let tree: TempTree;
beforeEach(() => {
  tree = new TempTree();
  tree.add("home/", "ws/", "other/");
});
afterEach(() => tree.remove());

function folder(name: string): PathRecord {
  const record = pathRecord(tree.at(name));
  if (record === undefined) throw new Error(`${name} is missing`);
  return record;
}

interface Where {
  readonly workspace?: string;
  readonly network?: boolean;
  readonly home?: string;
  readonly cacheHome?: string;
}

function open({ workspace = "ws", network = false, home = tree.at("home"), cacheHome }: Where = {}) {
  return openCacheStore({ home, cacheHome, workspace: folder(workspace), network });
}

function opened(where: Where = {}): CacheStore {
  const store = open(where);
  if (store === undefined) throw new Error("no store");
  return store;
}

describe("the store of a workspace", () => {
  test("is private, below ~/.cache or XDG_CACHE_HOME, and holds the named folders", () => {
    const store = opened();
    expect(store.path.startsWith(tree.at("home/.cache/paldron/workspaces/"))).toBe(true);
    expect(readdirSync(store.around.path).sort()).toEqual(CACHES.map((rule) => rule.folder).sort());
    for (const path of [store.path, store.around.path, join(store.around.path, "npm")])
      expect(statSync(path).mode & 0o777).toBe(0o700);
    const moved = opened({ cacheHome: tree.at("elsewhere") });
    expect(moved.path.startsWith(tree.at("elsewhere/paldron/"))).toBe(true);
    expect(opened({ cacheHome: "relative" }).path).toBe(store.path);
  });

  test("is found again, and is another for another workspace or network setting", () => {
    const paths = [opened(), opened(), opened({ network: true }), opened({ workspace: "other" })];
    expect(new Set(paths.map(({ path }) => path)).size).toBe(3);
  });

  test("is none where a run could exchange it, or where it is not the caller's own", () => {
    expect(open({ home: "" })).toBe(undefined);
    expect(open({ home: tree.at("none") })).toBe(undefined);
    expect(open({ cacheHome: tree.at("ws/cache") })).toBe(undefined);
    expect(existsSync(tree.at("ws/cache/paldron"))).toBe(false);
    mkdirSync(tree.at("home/.cache"));
    symlinkSync(tree.at("other"), tree.at("home/.cache/paldron"));
    expect(open()).toBe(undefined);
    expect(readdirSync(tree.at("other"))).toEqual([]);
    mkdirSync(tree.at("x/paldron"), { recursive: true, mode: 0o755 });
    expect(open({ cacheHome: tree.at("x") })).toBe(undefined);
  });

  test("loses what git would obey, unless another run may be using it", () => {
    const first = opened();
    const mod = join(first.around.path, "go-mod");
    const index = join(first.around.path, "cargo-registry/index/a");
    for (const path of [`${mod}/cache/vcs/x`, `${index}/.git`]) mkdirSync(path, { recursive: true });
    writeFileSync(`${index}/entry`, "");
    const second = opened();
    expect([...first.folders.keys()]).toContain("go-mod");
    expect([...second.folders.keys()]).not.toContain("go-mod");
    expect([...second.folders.keys()]).not.toContain("cargo-registry");
    expect(existsSync(`${mod}/cache/vcs/x`)).toBe(true);
    first.release();
    second.release();
    const third = opened();
    expect(third.folders.size).toBe(CACHES.length);
    expect([readdirSync(`${mod}/cache`), readdirSync(index)]).toEqual([[], ["entry"]]);
  });

  test("a mark of a process that is gone does not count", () => {
    const store = opened();
    writeFileSync(join(store.path, "runs/1.99.1"), "");
    writeFileSync(join(store.path, "runs/999999999.5.1"), "");
    store.release();
    mkdirSync(join(store.around.path, "go-mod/cache/vcs"), { recursive: true });
    opened();
    expect(existsSync(join(store.around.path, "go-mod/cache/vcs"))).toBe(false);
    expect(readdirSync(join(store.path, "runs"))).toHaveLength(1);
  });
});

describe("pruning", () => {
  const limits = { storeBytes: 50_000, stores: 2, idleDays: 30, growthBytes: 1 << 30 };
  const old = new Date(Date.now() - 40 * 86_400_000);

  /** A store with two caches, one of them too large together with the other. */
  function filled(): CacheStore {
    const store = opened();
    for (const [name, size] of [
      ["npm", 60_000],
      ["go-build", 20_000],
    ] as const)
      writeFileSync(join(store.around.path, name, "x"), Buffer.alloc(size));
    return store;
  }

  function left(store: CacheStore): readonly string[] {
    return ["npm/x", "go-build/x"].filter((name) => existsSync(join(store.around.path, name)));
  }

  test("takes the largest cache of a store that has grown too large, once a day", () => {
    const store = filled();
    store.release();
    pruneStores(store, limits);
    expect(left(store)).toEqual(["npm/x", "go-build/x"]);
    utimesSync(join(store.path, "checked"), old, old);
    pruneStores(store, limits);
    expect(left(store)).toEqual(["go-build/x"]);
  });

  test("happens at once where the disk was filled", () => {
    const store = filled();
    store.release();
    pruneStores({ ...store, freeBytes: Number.MAX_SAFE_INTEGER }, limits);
    expect(left(store)).toEqual(["go-build/x"]);
  });

  test("leaves a store in use alone", () => {
    const store = filled();
    pruneStores({ ...store, freeBytes: Number.MAX_SAFE_INTEGER }, limits);
    expect(left(store)).toHaveLength(2);
  });

  test("removes stores that nobody used for long, and those beyond their number", () => {
    const idle = opened({ workspace: "other" });
    idle.release();
    utimesSync(join(idle.path, "runs"), old, old);
    const third = opened({ network: true });
    third.release();
    const fourth = opened({ workspace: "other", network: true });
    fourth.release();
    const recent = new Date(Date.now() - 86_400_000);
    utimesSync(join(third.path, "runs"), recent, recent);
    const store = opened();
    store.release();
    pruneStores({ ...store, freeBytes: Number.MAX_SAFE_INTEGER }, limits);
    expect([idle, third, fourth, store].map(({ path }) => existsSync(path))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
