import { describe, expect, it } from "vitest";
import { analyze } from "../../../src/shell/analyze.ts";

const outcome = (text: string) => analyze(text, { cwd: "/w", home: "/h" });

describe("beyond a limit the text is not understood", () => {
  it.each([
    ["nesting", `echo ${"$(".repeat(500)}x${")".repeat(500)}`],
    ["commands", "x;".repeat(5_000)],
    ["words", `x ${"a ".repeat(20_000)}`],
    ["redirections", `x ${">x ".repeat(11_000)}`],
    ["length", `echo ${"a".repeat(70_000)}`],
    ["wrappers", `${"env ".repeat(500)}x`],
    ["a value that doubles", `x=a;${"x=$x$x;".repeat(100)}$x`],
    ["a NUL", "echo \0"],
    ["a parse error", "echo 'x"],
  ])("%s", (_, text) => expect(outcome(text).complete).toBe(false));

  it("is understood below it", () => {
    expect(outcome(`echo $(echo $(echo x)); ${"ls;".repeat(300)}`).complete).toBe(true);
    expect(outcome(`x ${">x ".repeat(9_000)}`).complete).toBe(true);
  });
});
