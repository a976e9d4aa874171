import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describe as sentence } from "../../src/core/decision.ts";
import { PRESETS } from "../../src/policy/presets.ts";
import {
  layShellFixture,
  listsFor,
  readShellRows,
  type ShellFixture,
  type ShellRow,
} from "./shell-fixture.ts";

/** What people of each world do all day, which its preset must not stand in the way of. */
const WORLDS = JSON.parse(
  readFileSync(join(import.meta.dirname, "presets/ordinary.json"), "utf8"),
) as Readonly<Record<string, readonly string[]>>;
const ALL = ["attacks.jsonl", "secrets.jsonl", "collected.jsonl", "ordinary.jsonl"].flatMap(readShellRows);
const PLAIN = ALL.filter((row) => row.setup === undefined);
const REFUSED = PLAIN.filter((row) => row.want !== "allow");
const ALLOWED = PLAIN.filter((row) => row.want === "allow" && row.ruleless !== true);

let fixture: ShellFixture;
beforeAll(() => {
  fixture = layShellFixture();
});
afterAll(() => fixture.remove());

const lists = (row: ShellRow): readonly (readonly string[] | undefined)[] => listsFor(row).slice(0, 1);

describe.each(PRESETS)("preset %s", (preset) => {
  it("opens nothing", () => {
    const passed = REFUSED.filter((row) =>
      lists(row).some((list) => fixture.judge(row, list, preset).decision === "allow"),
    );
    expect(passed.map((row) => row.command)).toEqual([]);
    expect(REFUSED.length).toBeGreaterThan(700);
  });

  it("refuses of the ordinary commands only what its rules are about", () => {
    const odd = ALLOWED.flatMap((row) => {
      const decision = fixture.judge(row, undefined, preset);
      const isOwn = decision.decision === "allow" || decision.rule.startsWith(`${preset}:`);
      return isOwn ? [] : [`${row.command}: ${sentence(decision)}`];
    });
    expect(odd).toEqual([]);
  });

  it("leaves its own world to work", () => {
    const commands = WORLDS[preset] ?? [];
    expect(commands.length).toBeGreaterThan(15);
    const stopped = commands.flatMap((command) => {
      const decision = fixture.judge({ command, want: "allow" }, undefined, preset);
      return decision.decision === "allow" ? [] : [`${command}: ${sentence(decision)}`];
    });
    expect(stopped).toEqual([]);
  });
});

it("explain names the rule and the effect of everything that is refused", async () => {
  const silent: string[] = [];
  for (const row of REFUSED) {
    const [list] = lists(row);
    const { decision, deciding } = await fixture.explain(row, list);
    const isTold = decision.rule !== "" && decision.code !== "" && deciding.what.trim() !== "";
    if (decision.decision === "allow" || !isTold) silent.push(`${row.command}: ${sentence(decision)}`);
  }
  expect(silent).toEqual([]);
});
