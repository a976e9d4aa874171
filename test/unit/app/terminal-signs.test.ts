import { expect, test } from "vitest";
import { terminalSigns } from "../../../src/app/terminal-signs.ts";

const NONE = new Uint8Array();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ["clipboard", "\x1b]52;c;ZXZpbA==\x07", "strings"],
  ["title", "a\x1b]0;t\x07", "strings"],
  ["title by one character", "\u009d0;t\x07", "strings"],
  ["device control", "\x1bP1$r\x1b\\", "strings"],
  ["cursor up", "\x1b[1A", "movement"],
  ["erase the line", "\x1b[2K", "movement"],
  ["erase by one character", "\u009b2J", "movement"],
  ["report of the cursor", "\x1b[6n", "movement"],
  ["reset", "\x1bc", "movement"],
  ["other screen", "\x1b[?1049h", "movement"],
  ["after bytes that are no text", "\x1b[31m\ud800\x1b[H", "movement"],
])("%s", (_, text, what) => {
  const [found, ...more] = terminalSigns({ stdout: NONE, stderr: bytes(text) });
  expect([found?.code, found?.stream, more]).toEqual(["terminal-sequences", "stderr", []]);
  expect(found?.text).toContain(what);
});

test.each([
  ["text", "plain\n\ttext\r\n"],
  ["colours", "\x1b[1;31mred\x1b[0m \x1b[38;5;12mx\x1b[m"],
  ["colours of grep", "\x1b[01;31m\x1b[Kx\x1b[m\x1b[K"],
  ["signs of other languages", "é © ñ \u00a0 日本語"],
  ["a sequence that is cut off", "\x1b["],
])("%s: nothing", (_, text) => {
  expect(terminalSigns({ stdout: bytes(text), stderr: bytes(text) })).toEqual([]);
});

test("both streams, in time that grows with their size", () => {
  const text = bytes("\x1b[".repeat(500_000));
  expect(terminalSigns({ stdout: text, stderr: bytes("\x1b]0;a\x07\x1b[A") })).toHaveLength(1);
});
