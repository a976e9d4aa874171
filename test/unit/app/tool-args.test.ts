import { describe, expect, it } from "vitest";
import { parseToolArgs } from "../../../src/app/tool-args.ts";
import { PaldronError } from "../../../src/core/errors.ts";

const nested = (depth: number) => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

describe("parseToolArgs", () => {
  it("reads one object, or null for none", () => {
    expect(parseToolArgs('{"a": [1, {"b": "x"}]}')).toEqual({ a: [1, { b: "x" }] });
    expect(parseToolArgs("null")).toEqual({});
    expect(Object.hasOwn(parseToolArgs('{"__proto__": 1}'), "__proto__")).toBe(true);
    expect(parseToolArgs('{"a": "[[[["}')).toEqual({ a: "[[[[" });
  });

  it("takes 10,000 levels and no more", () => {
    expect(parseToolArgs(nested(10_000))).toHaveProperty("a");
    expect(() => parseToolArgs(nested(10_001))).toThrow(/deeper/);
  });

  it.each([
    "",
    " ",
    "{",
    "[]",
    '"s"',
    "1",
    "true",
    "{} x",
    "{}{}",
    "{'a':1}",
    "{/*x*/}",
    '{"a":1,}',
    "\ufeff{}",
    '{"a":1e999}',
    '{"a":[-1e999]}',
  ])("refuses %j", (text) => expect(() => parseToolArgs(text)).toThrow(PaldronError));

  it("never repeats the text", () => {
    expect(() => parseToolArgs('{"token": hunter2')).toThrow(
      /^bad JSON arguments: not (one whole JSON value|JSON at character \d+)$/,
    );
  });
});
