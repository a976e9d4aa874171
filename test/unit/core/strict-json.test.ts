import { describe, expect, it } from "vitest";
import { parseStrictJson } from "../../../src/core/strict-json.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseStrictJson(bytesOf(text), { what: "request", maxBytes: 1000 });

describe("one document", () => {
  it.each([
    "{}",
    ' {"a" : [1, -2.5e3, "x\\n\\u00e9", true, false, null, {}]} \r\n\t',
    '"text"',
    '{"__proto__": 1}',
    '{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}',
    '"\\ud83d\\ude00"',
    "0",
  ])("%s is read as JSON.parse reads it", (text) => {
    expect(JSON.stringify(parse(text))).toBe(JSON.stringify(JSON.parse(text)));
  });
  it("objects have no prototype", () => {
    expect(Object.getPrototypeOf(parse("{}"))).toBe(null);
    expect(Object.keys(parse('{"__proto__": {}}') as object)).toEqual(["__proto__"]);
  });
});

describe("what two readers could understand differently", () => {
  it.each([
    ["", "it is empty"],
    [" \n", "it is empty"],
    ["{} {}", "more follows the first value at character 4"],
    ["{}\0", "more follows the first value at character 3"],
    ['{"a":1,"a":2}', "a key stands twice in one object at character 11"],
    ['[{"x":{"a":1,"\\u0061":2}}]', "a key stands twice in one object at character 22"],
    ["\ufeff{}", "it starts with a byte order mark"],
    ['"\\ud800"', "half a character at character 9"],
    ["1e999", "a number out of range at character 1"],
    ["01", "more follows the first value at character 2"],
    ["[1,]", "not JSON at character 4"],
    ["{'a':1}", "not JSON at character 2"],
    ['{"a":1,}', "not JSON at character 8"],
    ["// x\n{}", "not JSON at character 1"],
    ['"a\nb"', "not JSON at character 3"],
    ['"a', "not JSON at character 3"],
    ['"\\x"', "not JSON at character 5"],
    ["NaN", "not JSON at character 1"],
    ["nul", "not JSON at character 1"],
    ["\u00a0{}", "not JSON at character 1"],
    ["[".repeat(300), "nested deeper than 200 levels"],
    [`"${"x".repeat(1000)}"`, "longer than 1000 bytes"],
  ])("%.40j is refused", (text, why) => {
    expect(() => parse(text)).toThrow(`the request cannot be read: ${why}`);
  });
  it.each([
    ["overlong", [0x22, 0xc0, 0xae, 0x22]],
    ["half a sequence", [0x22, 0xc3, 0x22]],
    ["UTF-16", [0x7b, 0, 0x7d, 0]],
  ])("%s is refused", (_, bytes) => {
    expect(() => parseStrictJson(Uint8Array.from(bytes), { what: "request", maxBytes: 9 })).toThrow(
      /cannot be read: (?:not UTF-8|not JSON)/,
    );
  });
});
