import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Beneath } from "../../../src/host/beneath.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "paldron-beneath-")));
  mkdirSync(join(root, "a/b"), { recursive: true });
  writeFileSync(join(root, "a/b/file"), "text");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function using<T>(held: Beneath, use: (held: Beneath) => T): T {
  try {
    return use(held);
  } finally {
    held.close();
  }
}

const text = (bytes: Uint8Array | undefined): string | undefined => bytes && new TextDecoder().decode(bytes);

describe("what is opened", () => {
  test("is known by the name that the kernel has for it", () => {
    using(Beneath.open(root, join(root, "a/b/file")), (file) => {
      expect(file.path).toBe(join(root, "a/b/file"));
      expect(text(file.read(4))).toBe("text");
      expect(file.read(3)).toBeUndefined();
      renameSync(join(root, "a/b/file"), join(root, "moved"));
      writeFileSync(join(root, "a/b/file"), "other");
      expect(text(file.read(10))).toBe("text");
    });
  });

  test.each(["link/file", "a/b/link"])("is never behind a link: %s", (path) => {
    symlinkSync("a/b", join(root, "link"));
    symlinkSync("file", join(root, "a/b/link"));
    const open = (): unknown =>
      using(Beneath.open(root, join(root, path)), (held) => [held.isFile, held.isFolder]);
    // The last name may be a link, which is then neither.
    if (path === "link/file") expect(open).toThrow();
    else expect(open()).toEqual([false, false]);
  });

  test("may be a folder whose rest is missing", () => {
    const { held, missing } = Beneath.openNearest(root, join(root, "a/x/y"));
    expect(using(held, ({ path }) => path)).toBe(join(root, "a"));
    expect(missing).toEqual(["x", "y"]);
  });
});

describe("what is put in a folder", () => {
  test("replaces a file whole, and its links not at all", () => {
    linkSync(join(root, "a/b/file"), join(root, "other"));
    const folder = Beneath.open(root, join(root, "a/b"));
    using(folder, () => {
      const old = using(folder.child("file"), (file) => file.facts());
      folder.replace("file", new TextEncoder().encode("new"), old);
      expect(readFileSync(join(root, "a/b/file"), "utf8")).toBe("new");
      expect(readFileSync(join(root, "other"), "utf8")).toBe("text");
    });
  });

  test("is not what somebody else has put there meanwhile", () => {
    using(Beneath.open(root, join(root, "a/b")), (folder) => {
      const old = using(folder.child("file"), (file) => file.facts());
      writeFileSync(join(root, "new"), "newer");
      renameSync(join(root, "new"), join(root, "a/b/file"));
      expect(() => folder.replace("file", new Uint8Array(1), old)).toThrow(/changed/);
      expect(() => folder.replace("file", new Uint8Array(1), undefined)).toThrow(/changed/);
      expect(readFileSync(join(root, "a/b/file"), "utf8")).toBe("newer");
      expect(readdirSync(join(root, "a/b"))).toEqual(["file"]);
    });
  });

  test.each(["", ".", "..", "a/b", "a\0"])("has a name of one part: %j", (name) => {
    using(Beneath.open(root, root), (folder) => expect(() => folder.child(name)).toThrow(/no name/));
  });
});
