import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commandWords } from "../../../src/tools/command-words.ts";

function words(text: string): readonly string[] | undefined {
  const read = commandWords(text);
  return read.kind === "words" ? read.words : undefined;
}

describe("words of a command", () => {
  test.each([
    ["ls -la", ["ls", "-la"]],
    ["  a\t b  ", ["a", "b"]],
    [`a 'b c' "d e"`, ["a", "b c", "d e"]],
    [`a''b"" ''`, ["ab", ""]],
    [String.raw`a\ b \"c "d\"e\\f\g" 'h\i'`, ["a b", '"c', 'd"e\\f\\g', "h\\i"]],
    ["find . -exec cat {} +", ["find", ".", "-exec", "cat", "{}", "+"]],
    ["a#b c~d --x=~/e", ["a#b", "c~d", "--x=~/e"]],
    ["echo 'a;b|c$d`e'", ["echo", "a;b|c$d`e"]],
    ["grüße '🙂'", ["grüße", "🙂"]],
  ])("%s", (text, expected) => expect(words(text)).toEqual(expected));

  test.each([
    "",
    "   ",
    "a;b",
    "a|b",
    "a&",
    "a>b",
    "a<b",
    "$a",
    '"$a"',
    '"`a`"',
    "`a`",
    "(a)",
    "a*",
    "a?",
    "[a]",
    "{a,b}",
    "~/a",
    "#a",
    "a #b",
    "a\nb",
    "A=1 b",
    "A+=1",
    "'a",
    '"a',
    "a\\",
  ])("a shell is needed for %j", (text) => expect(words(text)).toBeUndefined());

  test("are those that a shell makes of it", () => {
    const piece = fc.constantFrom("a", "b", " ", "'", '"', "\\", "=", "-", "/", "{}", "é");
    let read = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const found = words(text);
        if (found === undefined) return;
        read += 1;
        const shell = spawnSync("sh", ["-c", `printf '%s\\0' ${text}`], { encoding: "utf8" });
        expect(shell.stdout).toBe(found.map((word) => `${word}\0`).join(""));
      }),
      { numRuns: 60 },
    );
    expect(read).toBeGreaterThan(5);
  });
});
