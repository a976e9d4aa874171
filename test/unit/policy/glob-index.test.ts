import { expect, test } from "vitest";
import { compileGlob, preparePath } from "../../../src/policy/glob.ts";
import { indexRules } from "../../../src/policy/glob-index.ts";

const PATTERNS = [
  ".env",
  "*.pem",
  "{a,b*}/x",
  "**/secrets/**",
  "ÄPFEL",
  "[x]y",
  "/top",
  ".ssh/",
  "a?c",
  "K.txt",
  "",
];
const PATHS = [
  ".env",
  "A/.ENV/b",
  "x.pem",
  "a/x",
  "bb/x",
  "B/X",
  "q/Secrets/t",
  "äpfel",
  "xy",
  "top",
  "u/top",
  ".ssh",
  "n/.SSH/k",
  "abc",
  "\u212a.txt",
  "src/main.ts",
  "",
  "./.env",
  ".//secrets",
];
const rules = PATTERNS.map((pattern) => ({ glob: compileGlob(pattern) }));
const candidates = indexRules(rules);

test.each(PATHS)("no rule that matches %j is left out, and the order stays", (text) => {
  const path = preparePath(text);
  const matching = (from: readonly (typeof rules)[number][]) =>
    from.filter(({ glob }) => glob.matches(path)).map(({ glob }) => glob.pattern);
  expect(matching(candidates(path))).toEqual(matching(rules));
});

test("a path without a name that is asked for is compared with the open patterns only", () => {
  const left = candidates(preparePath("src/main.ts")).map(({ glob }) => glob.pattern);
  expect(left).toEqual(["*.pem", "ÄPFEL", "[x]y", "a?c"]);
});
