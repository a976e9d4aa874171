import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describe as sentence } from "../../src/core/decision.ts";
import {
  layShellFixture,
  listsFor,
  readShellRows,
  type ShellFixture,
  type ShellRow,
} from "./shell-fixture.ts";

const TABLES = [
  ["attacks.jsonl", 500],
  ["secrets.jsonl", 200],
  ["ordinary.jsonl", 250],
  ["collected.jsonl", 200],
  ["written.jsonl", 160],
  ["written-ordinary.jsonl", 80],
] as const;

function verify(row: ShellRow, fixture: ShellFixture): void {
  const wanted = row.want === "refuse" ? ["deny", "ask"] : [row.want];
  for (const list of listsFor(row)) {
    const decision = fixture.judge(row, list);
    expect(wanted, `${row.command}: ${sentence(decision)}`).toContain(decision.decision);
  }
}

describe.each(TABLES)("shell text: %s", (file, least) => {
  let shared: ShellFixture;
  beforeAll(() => {
    shared = layShellFixture();
  });
  afterAll(() => shared.remove());

  const rows = readShellRows(file);
  it("there are rows to try", () => expect(rows.length).toBeGreaterThan(least));
  it.each(rows.map((row) => [row.command, row] as const))("%.100j", (_, row) => {
    const fixture = row.setup === undefined ? shared : layShellFixture(row.setup);
    try {
      verify(row, fixture);
    } finally {
      if (row.setup !== undefined) fixture.remove();
    }
  });
});
