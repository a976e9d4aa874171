import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { entryRecord } from "../../../src/host/path-record.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "paldron-record-")));
writeFileSync(join(folder, "file"), "");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("an entry of a folder", () => {
  test("that is there", () => expect(entryRecord(folder, "file")?.path).toBe(join(folder, "file")));
  test.each([
    ["that is absent", folder],
    ["whose folder is absent", join(folder, "none")],
    ["whose folder is a file, as .git in a linked worktree", join(folder, "file")],
  ])("%s is none", (_, parent) => expect(entryRecord(parent, "absent")).toBeUndefined());
});
