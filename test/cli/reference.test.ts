import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { layFixture, type Row, readRows } from "../tables/fixture.ts";
import { PALDRON } from "./paldron.ts";

/** Rows that need the whole program: its options, schema, version, other commands. */
const ROWS: readonly Row[] = [
  ...readRows("cli.jsonl"),
  ...readRows("policy.jsonl").filter((row) => row.argv[0] !== "check"),
].filter((row) => row.want.exit !== null);

function runRow(row: Row): { exit: number | null; stdout: string; stderr: string } {
  const fixture = layFixture({ files: row.files, setup: row.setup });
  try {
    if (typeof row.policy === "string")
      writeFileSync(join(fixture.top, "policy.toml"), fixture.fill(row.policy));
    const [program = PALDRON, ...args] = [...(row.prefix ?? []), PALDRON, ...row.argv].map(fixture.fill);
    const { PATH = "" } = process.env;
    const run = spawnSync(program, args, {
      cwd: join(fixture.workspace, row.cwd ?? "."),
      env: { PATH, HOME: join(fixture.top, "home") },
      encoding: "utf8",
      input: "",
    });
    return { exit: run.status, stdout: run.stdout, stderr: run.stderr };
  } finally {
    fixture.remove();
  }
}

describe("recorded behaviours of the command line", () => {
  test("there are rows to try", () => expect(ROWS.length).toBeGreaterThan(20));
  test.each(ROWS.map((row) => [row.id, row] as const))("%s", (_, row) => {
    const run = runRow(row);
    expect(run.exit, run.stderr).toBe(row.want.exit);
    expect(run.stderr).not.toMatch(/\n {4}at /);
    if (run.exit === 2) expect(run.stderr).toMatch(/^paldron: deny: /m);
    if (run.exit === 1) expect(run.stderr).toMatch(/^paldron: /);
  });
});
