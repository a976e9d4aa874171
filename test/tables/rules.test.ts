import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Asked, decide } from "./pure-gate.ts";

interface Table {
  readonly title: string;
  /** The policy. Its last rule is the one that must have matched. */
  readonly policy: readonly string[];
  /** Decisions, each with the requests that must get it. */
  readonly cases: Readonly<Record<string, readonly Asked[]>>;
}

const TABLES: readonly Table[] = JSON.parse(
  readFileSync(join(import.meta.dirname, "rules/rules.json"), "utf8"),
);

describe.each(TABLES)("$title", ({ policy, cases }) => {
  const rows = Object.entries(cases).flatMap(([want, list]) => list.map((asked) => ({ want, asked })));
  test.each(rows)("$want: $asked", ({ want, asked }) => {
    const decision = decide(asked, policy.join("\n"));
    expect(`${decision.decision} ${decision.what}`).toMatch(new RegExp(`^${want} `));
  });
});
