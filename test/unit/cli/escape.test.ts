import { describe, expect, test } from "vitest";
import { visible, visibleJson } from "../../../src/cli/escape.ts";

const HOSTILE = [
  ["\u001b[31mred", "\\u{1b}[31mred"],
  ["\u009b31m", "\\u{9b}31m"],
  ["a\nb\rc\td", "a\\nb\\rc\\td"],
  ["\u0007\u0000\u007f", "\\u{7}\\u{0}\\u{7f}"],
  ["x\u202egpj.exe", "x\\u{202e}gpj.exe"],
  ["\u2066a\u2069", "\\u{2066}a\\u{2069}"],
  ["zero\u200bwidth\ufeff", "zero\\u{200b}width\\u{feff}"],
  ["\u2028\u2029", "\\u{2028}\\u{2029}"],
  ["\u{e0041}tag", "\\u{e0041}tag"],
  ["byte \udcff", "byte \\xff"],
  ["lone \ud800", "lone \\u{d800}"],
] as const;

describe("visible", () => {
  test.each(HOSTILE)("%j", (text, shown) => expect(visible(text)).toBe(shown));
  test.each(["plain", "naïve – ünï", "日本語", "a\\b", "🙂"])("leaves %j", (text) =>
    expect(visible(text)).toBe(text),
  );
});

describe("visibleJson", () => {
  test.each(HOSTILE)("keeps the value of %j and shows nothing raw", (text) => {
    const json = visibleJson({ text });
    expect(JSON.parse(json)).toEqual({ text });
    expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  });
  test("indents", () => expect(visibleJson({ a: 1 }, 2)).toBe('{\n  "a": 1\n}'));
});
