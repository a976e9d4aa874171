import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "./sources.ts";

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "paldron-reporter-"));
  symlinkSync(join(ROOT, "node_modules"), join(dir, "node_modules"));
  const reporter = JSON.stringify(join(ROOT, "test/meta/summary-reporter.ts"));
  writeFileSync(join(dir, "vitest.config.mjs"), `export default { test: { reporters: [${reporter}] } };\n`);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function vitest(
  body: string,
  mustWork: string,
): { status: number | null; lastLine: string | undefined; out: string } {
  writeFileSync(join(dir, "a.test.mjs"), `import { expect, test } from "vitest";\n${body}\n`);
  const args = [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--root", dir];
  const env = { ...process.env, PALDRON_MUST_WORK: mustWork };
  const run = spawnSync(process.execPath, args, { cwd: dir, env, encoding: "utf8" });
  return { status: run.status, lastLine: run.stdout.trimEnd().split("\n").at(-1), out: run.stdout };
}

const PASS = 'test("pass", () => expect(1).toBe(1));';
const CAUSE = 'test("caused", (context) => context.skip("no such kernel"));';

test("a skip with a cause is listed and counted", () => {
  const run = vitest(PASS + CAUSE, "0");
  expect(run.out).toContain("skipped: caused: no such kernel");
  expect(run).toMatchObject({ status: 0, lastLine: "1 passed, 0 failed, 1 skipped" });
});
test("where all must work, a skip is a failure", () => {
  expect(vitest(PASS + CAUSE, "1")).toMatchObject({ status: 1, lastLine: "1 passed, 1 failed, 0 skipped" });
});
test("a skip without a cause is a failure everywhere", () => {
  const run = vitest(`${PASS} test.skip("bare", () => {});`, "0");
  expect(run).toMatchObject({ status: 1, lastLine: "1 passed, 1 failed, 0 skipped" });
});
test("a group that cannot clean up is a failure", () => {
  const hook = 'afterAll(() => { throw new Error("left behind"); });';
  const run = vitest(
    `import { afterAll, describe } from "vitest"; describe("group", () => { ${PASS} ${hook} });`,
    "0",
  );
  expect(run).toMatchObject({ status: 1, lastLine: "1 passed, 1 failed, 0 skipped" });
});
test("a file that cannot be read as tests is a failure", () => {
  expect(vitest('throw new Error("broken file");', "0")).toMatchObject({
    status: 1,
    lastLine: "0 passed, 1 failed, 0 skipped",
  });
});
