import { describe, expect, it } from "vitest";
import { compileGlob, type GlobOptions } from "../../../src/policy/glob.ts";

interface Row {
  readonly glob: string;
  readonly yes: readonly string[];
  readonly no: readonly string[];
  readonly options?: GlobOptions;
}

const rows: readonly Row[] = [
  { glob: "b", yes: ["b", "x/b", "b/x", "B"], no: ["bb", "x/bb", ""] },
  { glob: "/src", yes: ["src", "src/x"], no: ["x/src"] },
  { glob: "./src", yes: ["src", "x/src"], no: ["srcs"] },
  { glob: "src/", yes: ["src", "src/x", "x/src/y"], no: ["srcdir"] },
  { glob: "src/**", yes: ["src", "src/x/y"], no: ["srcs/x"] },
  { glob: "src/*", yes: ["src/x", "src/x/y"], no: ["src"] },
  { glob: "a/**/b", yes: ["a/b", "a/x/b", "a/x/y/b", "z/a/b"], no: ["ab", "b/a"] },
  { glob: "**/*.log", yes: ["x.log", "d/x.log", "x.log/y"], no: ["x.logs"] },
  { glob: "dir*/**", yes: ["dir", "dir2/x"], no: ["x/adir"] },
  { glob: "**", yes: ["", "a", "a/b"], no: [] },
  { glob: "*", yes: ["a", "a/b"], no: [""] },
  { glob: "*/*", yes: ["a/b", "a/b/c"], no: ["a"] },
  { glob: ".", yes: ["", "a"], no: [] },
  { glob: "/", yes: ["", "a"], no: [] },
  { glob: "", yes: [], no: ["", "a"] },
  { glob: "..", yes: [], no: ["", "a", ".."] },
  { glob: "src/../docs", yes: ["docs"], no: ["src"] },
  { glob: "[ab].log", yes: ["a.log", "B.log"], no: ["c.log", "ab.log"] },
  { glob: "[!ab].log", yes: ["c.log"], no: ["a.log", "A.log"] },
  { glob: "[A-C]x", yes: ["ax", "Bx"], no: ["dx"] },
  { glob: "[]]x", yes: ["]x"], no: ["x"] },
  { glob: "[ab", yes: ["[ab"], no: ["a"] },
  { glob: "{a,b}.log", yes: ["a.log", "b.log"], no: ["c.log", "{a,b}.log"] },
  { glob: "{a/b,c{d,e}}", yes: ["a/b", "cd", "ce/x"], no: ["a", "c"] },
  { glob: "{a}", yes: ["{a}"], no: ["a"] },
  { glob: "\\*", yes: ["*"], no: ["a"] },
  { glob: "na?ve", yes: ["naïve", "nai\u0308ve"], no: ["nave"] },
  { glob: "ÉTÉ", yes: ["e\u0301te\u0301"], no: ["ete"] },
  { glob: "keys", yes: ["\u212aey\u017f"], no: ["keyz"] },
  { glob: "/w s/[x]/src/a", yes: ["src/a"], no: ["x/src/a"], options: { roots: ["/w s/[x]"] } },
  { glob: "SRC", yes: ["SRC"], no: ["src"], options: { caseSensitive: true } },
  { glob: "[A-Z]x", yes: ["Ax"], no: ["ax"], options: { caseSensitive: true } },
  { glob: "src", yes: ["src/x"], no: ["x/src"], options: { anchored: true } },
];

describe("compileGlob", () => {
  it.each(rows)("$glob", ({ glob, yes, no, options }) => {
    const compiled = compileGlob(glob, options);
    expect(yes.filter((path) => !compiled.matches(path))).toEqual([]);
    expect(no.filter((path) => compiled.matches(path))).toEqual([]);
  });

  it.each([
    ["src/*.key", ["*.key"]],
    ["**/secrets/**", ["secrets"]],
    ["**", ["*"]],
    ["a[xy]?\\*é", ["a???*"]],
    ["{a,b}/c", ["c", "c"]],
  ])("name patterns of %s", (glob, expected) => {
    expect(compileGlob(glob).namePatterns()).toEqual(expected);
  });

  it.each([
    ["*", false],
    ["**/?*", false],
    ["b", true],
    ["*.pem", true],
  ])("%s is specific: %s", (glob, expected) => {
    expect(compileGlob(glob).specific).toBe(expected);
  });
});
