import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileGlob, globProblem } from "../../src/policy/glob.ts";
import { secretMatcher } from "../../src/policy/secrets.ts";

const name = fc.string({
  unit: fc.constantFrom("a", "b", "A", ".", "*", "-", "é", "k"),
  minLength: 1,
  maxLength: 4,
});
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const piece = fc.constantFrom(
  "a",
  "b",
  "A",
  ".",
  "*",
  "**",
  "?",
  "/",
  "[ab]",
  "[!a]",
  "{a,b}",
  "{a/b,}",
  "\\*",
  "é",
  "k",
  "..",
);
const pattern = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(""));

/** The launcher's matcher of docs/wire.md: `*`, `?` as one byte, ASCII case aside, names that are not ASCII always. */
function wireMatches(wire: string, part: string): boolean {
  if (/[^\p{ASCII}]/u.test(part)) return true;
  const source = wire
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*/g, "[^]*")
    .replace(/\?/g, "[^]");
  return new RegExp(`^${source}$`, "i").test(part);
}

describe("globs, for any input", () => {
  it("name patterns never miss a path that the glob matches", () => {
    let matched = 0;
    fc.assert(
      fc.property(pattern, path, (glob, candidate) => {
        const compiled = compileGlob(glob);
        if (!compiled.matches(candidate)) return;
        matched += 1;
        const parts = candidate.split("/");
        expect(compiled.namePatterns().some((wire) => parts.some((part) => wireMatches(wire, part)))).toBe(
          true,
        );
      }),
      { numRuns: 5000 },
    );
    expect(matched).toBeGreaterThan(300);
  });

  it("name patterns of the built-in secrets never miss one", () => {
    const matcher = secretMatcher({ denyGlobs: ["build/**/*.key"], secretExceptions: [] });
    const words = fc.constantFrom(
      ".env",
      ".ENV.x",
      "k.pem",
      "secrets",
      "ID_RSA",
      ".aws",
      "credentials",
      "build",
      "a",
      "x.key",
    );
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), (parts) => {
        if (matcher.match(parts.join("/")) === undefined) return;
        expect(matcher.namePatterns().some((wire) => parts.some((part) => wireMatches(wire, part)))).toBe(
          true,
        );
      }),
    );
  });

  it("never throws, whatever the pattern and the path", () => {
    const odd = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom("{", "}", ",", "[", "]", "\\", "*", "/", "!", "\0", "\ud800"),
        maxLength: 60,
      }),
    );
    fc.assert(
      fc.property(odd, odd, (glob, candidate) => {
        const compiled = compileGlob(glob);
        compiled.matches(candidate);
        compiled.namePatterns();
        globProblem(glob);
      }),
      { numRuns: 3000 },
    );
  });

  it("a match on a folder covers everything in it", () => {
    fc.assert(
      fc.property(pattern, path, path, (glob, folder, rest) => {
        const compiled = compileGlob(glob);
        fc.pre(compiled.matches(folder));
        expect(compiled.matches(`${folder}/${rest}`)).toBe(true);
      }),
    );
  });

  it("case never hides a path", () => {
    fc.assert(
      fc.property(pattern, path, (glob, candidate) => {
        const compiled = compileGlob(glob);
        expect(compiled.matches(candidate.toUpperCase())).toBe(compiled.matches(candidate.toLowerCase()));
      }),
    );
  });
});

describe("the work of a match", () => {
  const hostile: readonly (readonly [string, string])[] = [
    ["*a".repeat(500), "a".repeat(4000)],
    ["a*".repeat(500), `${"a".repeat(4000)}!`],
    [`${"**/a/".repeat(150)}b`, "a/".repeat(1500)],
    [`${"?*".repeat(400)}x`, "y".repeat(3000)],
    ["{a,b}*{a,b}*{a,b}*{a,b}*{a,b}*{a,b}*z", "ab".repeat(2000)],
  ];
  it.each(hostile)("is bounded by the product of the lengths: %.20s", (glob, candidate) => {
    const counter = { steps: 0 };
    compileGlob(glob).matches(candidate, counter);
    expect(counter.steps).toBeGreaterThan(0);
    const alternatives = compileGlob(glob).namePatterns().length;
    expect(counter.steps).toBeLessThanOrEqual(3 * alternatives * (glob.length + 2) * (candidate.length + 2));
  });

  it("braces beyond the bound stay literal instead of exploding", () => {
    const bomb = "{a,b}".repeat(40);
    expect(globProblem(bomb)).toMatch(/alternatives/);
    expect(compileGlob(bomb).namePatterns()).toHaveLength(1);
    expect(compileGlob(bomb).matches(bomb)).toBe(true);
  });
});
