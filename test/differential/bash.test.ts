import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Bench, type Ran } from "./bash.ts";
import { type Comparison, compare } from "./compare.ts";
import { shellText } from "./statements.ts";
import { Tape } from "./tape.ts";

/** `PALDRON_BASH_TEXTS=20000` tries as many; `PALDRON_BASH_SEED` others. A text is several commands. */
const COUNT = Number(process.env["PALDRON_BASH_TEXTS"] ?? 400);
const SEED = Number(process.env["PALDRON_BASH_SEED"] ?? 1);
const BATCH = 200;
const LENGTH = 150;

const tapes = fc.array(fc.nat(2 ** 28), { minLength: LENGTH, maxLength: LENGTH, size: "max" });
const texts = fc.sample(tapes, { seed: SEED, numRuns: COUNT }).map((tape) => shellText(new Tape(tape)));

/** Texts in which bash does what the analysis is known to follow: each must be found, and found to be whole. */
const FOLLOWED: readonly (readonly [text: string, started: string])[] = [
  ["alpha 'b c'", "alpha"],
  ["v=beta; $v x", "beta"],
  ["echo gamma | xargs -I{} alpha {}", "alpha"],
  ["f() { $1 y; }; f delta", "delta"],
  ["bash <<EOF\nalpha $((1+1))\nEOF", "alpha"],
  ["trap 'beta end' EXIT; :", "beta"],
];

describe("what bash runs is what the analysis lists", () => {
  let bench: Bench;
  beforeAll(() => {
    if (process.platform === "linux") bench = new Bench();
  });
  afterAll(() => bench?.remove());
  beforeEach((context) => {
    if (process.platform !== "linux") context.skip("needs Linux");
  });

  const tryAll = (
    all: readonly string[],
  ): { readonly ran: readonly Ran[]; readonly found: readonly Comparison[] } => {
    const ran = bench.run(all);
    return { ran, found: ran.map((one, index) => compare(all[index] ?? "", one, bench)) };
  };

  it("sees what was started, and misses what is not listed", () => {
    const { ran, found } = tryAll(FOLLOWED.map(([text]) => text));
    FOLLOWED.forEach(([text, program], index) => {
      expect(
        ran[index]?.started.map(({ name }) => name),
        text,
      ).toContain(program);
      expect(found[index], text).toMatchObject({ known: true, missing: [] });
    });
    const [one] = ran;
    if (one === undefined) throw new Error("nothing ran");
    expect(compare("beta 'b c'", one, bench).missing).toHaveLength(1);
    expect(compare("alpha b c", one, bench).missing).toHaveLength(1);
    expect(compare("cd sub && alpha 'b c'", one, bench).missing).toHaveLength(1);
    expect(
      compare(":", { started: [], written: [`${bench.cwd}/new`], late: false }, bench).missing,
    ).toHaveLength(1);
  });

  it(`${COUNT} generated texts`, { timeout: 120_000 + COUNT * 2_000 }, () => {
    const misses: string[] = [];
    let [known, started] = [0, 0];
    for (let at = 0; at < texts.length; at += BATCH) {
      const batch = texts.slice(at, at + BATCH);
      const { ran, found } = tryAll(batch);
      found.forEach((one, index) => {
        known += one.known ? 1 : 0;
        started += ran[index]?.started.length ?? 0;
        if (one.missing.length > 0) misses.push(`${JSON.stringify(batch[index])}: ${one.missing.join("; ")}`);
      });
    }
    expect(misses.sort((a, b) => a.length - b.length).slice(0, 10)).toEqual([]);
    // An analysis that understood little would miss nothing either.
    expect(known / COUNT).toBeGreaterThan(0.55);
    expect(started / COUNT).toBeGreaterThan(1.5);
  });
});
