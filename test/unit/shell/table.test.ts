import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { analyzeArgv } from "../../../src/shell/analyze.ts";
import { SHELLS, WRAPPERS } from "../../../src/shell/table/wrappers.ts";
import { ROOT } from "../../meta/sources.ts";

const entries = Object.entries({ ...WRAPPERS, ...SHELLS });
const page = readFileSync(join(ROOT, "docs/shell.md"), "utf8");

/** The names of the programs that an argument vector would start. */
function started(argv: readonly string[]): readonly string[] {
  return analyzeArgv(argv, { cwd: "/w" }).effects.flatMap((effect) =>
    effect.kind === "command" && effect.name.kind === "literal" ? [effect.name.text] : [],
  );
}

describe("the table of wrappers", () => {
  it.each(entries.map(([name]) => [name]))("%s is documented", (name) => {
    expect(page).toContain(`\`${name}\``);
  });

  const plain = entries.filter(([, spec]) => /^(?:assign )?argv$/.test(spec.operands ?? ""));
  it("most take a command right away", () => expect(plain.length).toBeGreaterThan(25));
  it.each(plain.map(([name]) => [name]))("%s is looked through", (name) => {
    expect(started([name, "prog", "-x"])).toContain("prog");
    expect(started([name, "--", "prog", "-x"])).toContain("prog");
  });

  it.each([
    [
      ["timeout", "-k", "5", "10", "prog"],
      ["timeout", "prog"],
    ],
    [
      ["env", "-u", "A", "B=c", "prog"],
      ["env", "prog"],
    ],
    [
      ["env", "-S", "prog -x"],
      ["env", "prog"],
    ],
    [
      ["sudo", "-u", "root", "nice", "-n", "5", "prog"],
      ["sudo", "nice", "prog"],
    ],
    [
      ["sh", "-ec", "one; two | three"],
      ["sh", "one", "two", "three"],
    ],
    [
      ["find", ".", "-exec", "prog", "{}", ";"],
      ["find", "prog"],
    ],
    [
      ["xargs", "-n1", "-P", "2", "prog"],
      ["xargs", "prog"],
    ],
    [
      ["git", "-c", "core.pager=prog", "log"],
      ["git", "prog"],
    ],
    [
      ["eval", "prog", "x"],
      ["eval", "prog"],
    ],
    [
      ["tar", "cf", "x", "--checkpoint-action=exec=prog", "."],
      ["tar", "prog"],
    ],
    [
      ["ip", "netns", "exec", "n", "prog"],
      ["ip", "prog"],
    ],
  ])("%j", (argv, names) => expect(started(argv)).toEqual(names));

  it("does not understand a wrapper's option that is not listed", () => {
    expect(analyzeArgv(["nice", "--odd", "prog"], { cwd: "/w" }).complete).toBe(false);
    expect(analyzeArgv(["nice", "-n", "5", "prog"], { cwd: "/w" }).complete).toBe(true);
  });
});
