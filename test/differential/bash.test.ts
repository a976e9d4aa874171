import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { analyzed, compare, type Difference } from "./compare.ts";
import { Generator } from "./generator.ts";
import { trace } from "./traced.ts";

/** Snippets in a usual run; the nightly one asks for more. */
const COUNT = Number(process.env["PALDRON_DIFFERENTIAL"] ?? 2_000);
const BATCH = 500;
const SEED = Number(process.env["PALDRON_SEED"] ?? 1);

const hasBash = spawnSync("bash", ["-c", "exit 0"]).status === 0;
const mustWork = process.env["PALDRON_MUST_WORK"] === "1";

describe.skipIf(!hasBash && !mustWork)("what bash runs (skipped: no bash on this machine)", () => {
  it("lists every command and file, or says that it does not know", { timeout: 1_800_000 }, () => {
    const differences: Difference[] = [];
    let executed = 0;
    let complete = 0;
    for (let start = 0; start < COUNT; start += BATCH) {
      const size = Math.min(BATCH, COUNT - start);
      const texts = Array.from({ length: size }, (_, index) =>
        new Generator(SEED * 1_000_003 + start + index).script(),
      );
      trace(texts).forEach((result, index) => {
        const text = texts[index] ?? "";
        const analysis = analyzed(text, result);
        if (analysis.complete) {
          complete += 1;
          executed += result.executed.length;
        }
        differences.push(...compare(text, result, analysis));
      });
    }
    expect(differences.slice(0, 10)).toEqual([]);
    // The comparison must not be empty: most snippets are understood, and they run something.
    expect(complete / COUNT).toBeGreaterThan(0.4);
    expect(executed / COUNT).toBeGreaterThan(0.8);
  });
});
