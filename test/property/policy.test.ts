import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PaldronError } from "../../src/core/errors.ts";
import { keyLines } from "../../src/policy/key-lines.ts";
import { KEYS } from "../../src/policy/keys.ts";
import { parsePolicy } from "../../src/policy/parse.ts";

const value = fc.constantFrom(
  "1",
  "0",
  "-1",
  "1.5",
  "nan",
  "true",
  '"x"',
  "'''\nx = 1\n'''",
  "[]",
  '["a", "]"]',
  "[1]",
  "{a = 1}",
  "1979-05-27",
  '"""\n[k]\n"""',
  "[\n # ]\n]",
);
const key = fc.oneof(
  fc.constantFrom(...KEYS),
  fc.constantFrom("bogus", '"a b"', "'c'", '"\\u00e9"', "__proto__", "x.y"),
);
const line = fc.oneof(
  fc.tuple(key, value).map(([name, text]) => `${name} = ${text}`),
  fc.constantFrom("# comment [", "", "[table]", "[[list]]", "  ", "\t"),
);
const document = fc.array(line, { maxLength: 8 }).map((lines) => lines.join("\n"));

describe("any policy text", () => {
  it("is accepted, or refused with file and one line, and never throws anything else", () => {
    let refused = 0;
    let accepted = 0;
    const text = fc.oneof({ weight: 3, arbitrary: document }, fc.string({ unit: "binary", maxLength: 80 }));
    fc.assert(
      fc.property(text, (source) => {
        try {
          parsePolicy(source, { path: "p" });
          accepted += 1;
        } catch (error) {
          refused += 1;
          expect(error).toBeInstanceOf(PaldronError);
          expect((error as PaldronError).message).toMatch(/^p(:\d+)?: [^\n]+$/u);
        }
      }),
      { numRuns: 3000 },
    );
    expect(accepted).toBeGreaterThan(50);
    expect(refused).toBeGreaterThan(500);
  });

  it("a mistake is found on its own line", () => {
    const filler = fc.constantFrom(
      "# x",
      "",
      "allow_paths = [\n'a',\n]",
      'deny_globs = ["""\nbogus = 2\n"""]',
      "timeout_sec = 1",
    );
    fc.assert(
      fc.property(fc.uniqueArray(filler, { maxLength: 5 }), (lines) => {
        const before = lines.map((text) => `${text}\n`).join("");
        const at = before.split("\n").length;
        expect(() => parsePolicy(`${before}bogus = 1\n`, { path: "p" })).toThrow(`p:${at}: key \`bogus\``);
      }),
    );
  });

  it("keyLines ends on any text", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('"', "'", "[", "]", "\n", "\\", "#", "a", "=", " "),
          maxLength: 60,
        }),
        (text) => {
          keyLines(text);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
