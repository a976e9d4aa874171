import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { findSecrets } from "../../../src/host/masks.ts";
import type { Snapshot } from "../../../src/host/snapshot.ts";
import type { WalkEntry } from "../../../src/plan/types.ts";
import { secretMatcher } from "../../../src/policy/secrets.ts";
import { TempTree } from "./temp-tree.ts";

const FILE = 0o100644;
const FOLDER = 0o040755;
const LINK = 0o120777;
const SOCKET = 0o140755;
let inode = 10n;

function entry(path: string, mode = FILE, changes: Partial<WalkEntry> = {}): readonly [string, WalkEntry] {
  inode += 1n;
  const rest = { size: 1n, mtimeNs: 0n, ctimeNs: 0n, errno: 0 };
  return [path, { kind: "entry", path, mode, nlink: 1, dev: 1n, ino: inode, ...rest, ...changes }];
}

function find(
  entries: readonly (readonly [string, WalkEntry])[],
  denyGlobs: readonly string[] = [],
  root = "/w",
) {
  const before: Snapshot = {
    entries: new Map(entries),
    unreadable: new Map(),
    digests: new Map(),
    folders: 1n,
    names: 1n,
  };
  const matcher = secretMatcher({ denyGlobs, secretExceptions: [] }, [root]);
  return findSecrets({ root, before, matcher });
}

const relative = (records: readonly { path: string }[], root = "/w") =>
  records.map(({ path }) => path.slice(root.length + 1)).sort();

describe("what is hidden", () => {
  test("files that match, with what the walk saw of them", () => {
    const [path, seen] = entry(".env");
    const { masks, found, leak } = find([[path, seen], entry("README.md"), entry(".env.example")]);
    expect(masks).toEqual([{ path: "/w/.env", dev: 1n, ino: seen.ino, type: 0o100000 }]);
    expect([found, leak]).toEqual([1, undefined]);
  });

  test("a socket that somebody listens on, and none that was left there", async () => {
    const tree = new TempTree();
    tree.add("a/", "b/.ssh/");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(tree.at("a/masks-test.sock"), resolve));
    const sockets = ["a/masks-test.sock", "a/left-there.sock", "b/.ssh/masks-test.sock"];
    const entries = sockets.map((path) => entry(path, SOCKET));
    const found = find([entry("b/.ssh", FOLDER), ...entries], ["/b/.ssh/"], tree.root);
    server.close();
    tree.remove();
    expect(relative(found.sockets, tree.root)).toEqual(["a/masks-test.sock"]);
    expect(relative(found.ancestors, tree.root)).toEqual(["a", "b"]);
    expect([...found.masked]).toEqual(["b/.ssh"]);
  });

  test("in the root of everything", () => {
    const tree = new TempTree();
    tree.add("a/.env");
    const below = tree.root.slice(1);
    const { masked, ancestors } = find([entry(`${below}/a/.env`)], [], "/");
    tree.remove();
    expect([...masked]).toEqual([`${below}/a/.env`]);
    expect(ancestors.map(({ path }) => path)).toContain(`${tree.root}/a`);
  });

  test("a folder that matches is one mask", () => {
    const tree = new TempTree();
    tree.add("a/.ssh/keys/id_rsa", "a/.ssh/config");
    const entries = [
      entry("a/.ssh", FOLDER),
      entry("a/.ssh/keys", FOLDER),
      entry("a/.ssh/keys/id_rsa"),
      entry("a/.ssh/config"),
    ];
    const { masks, masked, ancestors, found } = find(entries, [], tree.root);
    tree.remove();
    expect(relative(masks, tree.root)).toEqual(["a/.ssh"]);
    expect([...masked]).toEqual(["a/.ssh"]);
    expect(relative(ancestors, tree.root)).toEqual(["a"]);
    expect(found).toBe(2);
  });

  test("in dependency folders only what the policy names", () => {
    const tree = new TempTree();
    tree.add("node_modules/p/x.key", "node_modules/p/x.pem");
    const entries = [entry("node_modules/p/x.pem"), entry("node_modules/p/x.key")];
    const found = find(entries, ["*.key"], tree.root);
    tree.remove();
    expect(relative(found.masks, tree.root)).toEqual(["node_modules/p/x.key"]);
    expect(relative(found.ancestors, tree.root)).toEqual(["node_modules", "node_modules/p"]);
  });

  test("a link and what it leads to in the workspace", () => {
    const tree = new TempTree();
    tree.add("real.txt", "deep/");
    tree.link(".env", "real.txt");
    tree.link("deep/.env", "/etc/passwd");
    tree.link(".envrc", ".");
    const { masks } = find(
      [entry(".env", LINK), entry("deep/.env", LINK), entry(".envrc", LINK)],
      [],
      tree.root,
    );
    tree.remove();
    // Never the workspace itself, and nothing outside, which has no name inside anyway.
    expect(relative(masks, tree.root)).toEqual([".env", ".envrc", "deep/.env", "real.txt"]);
  });
});

describe("hard links", () => {
  test("all names known: all hidden", () => {
    const same = { nlink: 2, ino: 5n };
    expect(find([entry(".env", FILE, same), entry(".env.local", FILE, same)]).leak).toBeUndefined();
  });

  test("a name that is not known", () => {
    const same = { nlink: 3, ino: 5n };
    const { leak } = find([entry(".env", FILE, same), entry(".env.local", FILE, same)]);
    expect(leak).toBe("other names (hard links) of .env, .env.local are not known");
  });
});

test("more than can be hidden is refused, naming where most of it lies", () => {
  const many = Array.from({ length: 1001 }, (_, i) => entry(`.env.${i}`));
  expect(find(many.slice(1)).masks.length).toBe(1000);
  expect(() => find(many)).toThrow(
    /^1001 files would have to be hidden, at most 1000 can be; most lie in \. \(1001\)/,
  );
});
