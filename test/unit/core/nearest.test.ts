import { expect, test } from "vitest";
import { nearest } from "../../../src/core/nearest.ts";

const KNOWN = ["allow_paths", "deny_globs", "allow_network", "--policy", "check"];

test.each([
  ["alow_paths", "allow_paths"],
  ["deny_glob", "deny_globs"],
  ["ALLOW_NETWORK", "allow_network"],
  ["--polciy", "--policy"],
  ["chekc", "check"],
  ["check", "check"],
])("%s means %s", (word, meant) => expect(nearest(word, KNOWN)).toBe(meant));

test.each(["", "x", "timeout", "zzzzzzzzzz"])("%j means none of them", (word) => {
  expect(nearest(word, KNOWN)).toBeUndefined();
});

test("a very long word is not compared letter by letter", () => {
  expect(nearest("a".repeat(1_000_000), KNOWN)).toBeUndefined();
});
