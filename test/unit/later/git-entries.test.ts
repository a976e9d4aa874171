import { expect, test } from "vitest";
import { parseGitConfig } from "../../../src/later/git-config.ts";
import { entryMatcher, newHarmfulKeys } from "../../../src/later/git-keys.ts";
import { gitEntryProblem } from "../../../src/policy/git-entry.ts";

const HUSKY = ["core.hooksPath=.husky/_", "filter.Big.clean=big %f"];

function harmful(before: string, after: string): readonly string[] {
  const entries = (text: string) => parseGitConfig(text) ?? [];
  return newHarmfulKeys(entries(before), entries(after), {
    worktreeInside: () => false,
    excepted: entryMatcher(HUSKY),
  });
}

test("an excepted entry may be set, with that value only", () => {
  expect(harmful("", "[core]\n\thooksPath = .husky/_\n")).toEqual([]);
  expect(harmful("", '[core]\n\thookspath = .husky/_\n[filter "Big"]\nclean = big %f')).toEqual([]);
  expect(harmful("", "[core]\n\thooksPath = .husky\n")).toEqual(["core.hookspath"]);
  expect(harmful("", "[core]\n\thooksPath = .Husky/_\n")).toEqual(["core.hookspath"]);
  expect(harmful("", '[filter "big"]\nclean = big %f')).toEqual(["filter.big.clean"]);
  expect(harmful("", "[core]\n\thooksPath = .husky/_\n\tfsmonitor = x\n")).toEqual(["core.fsmonitor"]);
  expect(harmful("", "[core]\n\thooksPath = .husky/_\n\thooksPath = evil\n")).toEqual(["core.hookspath"]);
});

test("what is no entry is a mistake", () => {
  for (const entry of [...HUSKY, "a.b=", "remote.x.y.vcs=z"]) expect(gitEntryProblem(entry)).toBeUndefined();
  for (const entry of ["", "core", "core.hooksPath", "hooksPath=x", "=x", ".x=y", "core.=y"])
    expect(gitEntryProblem(entry)).toBeDefined();
});
