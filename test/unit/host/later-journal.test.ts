import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeAbandoned, writeJournal } from "../../../src/host/later-journal.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "later-journal-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The number of a process that is over. */
function gone(): number {
  return spawnSync("true").pid;
}

test("what one that was killed had begun to write is removed, what one that lives writes is not", () => {
  writeFileSync(join(folder, `${gone()}-a.new`), '{"ow');
  writeFileSync(join(folder, `${process.pid}-b.new`), '{"ow');
  takeAbandoned(folder, () => expect.unreachable());
  expect(readdirSync(folder)).toEqual([`${process.pid}-b.new`]);
});

test("a journal whose owner lives is left alone, another is given once", () => {
  const forget = writeJournal(folder, { what: 1 });
  writeFileSync(join(folder, "1-x"), JSON.stringify({ owner: `${gone()} 1`, what: 2 }));
  const seen: object[] = [];
  const take = (): void => takeAbandoned(folder, (journal) => seen.push(journal));
  take();
  take();
  expect(seen).toEqual([expect.objectContaining({ what: 2 })]);
  expect(readdirSync(folder).length).toBe(1);
  forget();
  expect(readdirSync(folder)).toEqual([]);
});
