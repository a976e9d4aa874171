import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DecisionKind, strictestOf } from "../../src/core/decision.ts";
import { loadPolicyText } from "../../src/host/policy-file.ts";
import { mergeParts } from "../../src/policy/combine.ts";
import { parsePart } from "../../src/policy/part.ts";
import { tighten } from "../../src/policy/tighten.ts";
import { type Asked, decide } from "../tables/pure-gate.ts";

const quoted = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(", ");
const word = fc.constantFrom("git", "push", "npm", "run", "*", "-f", "--force", "rm", "x");
const decision = fc.constantFrom<DecisionKind>("allow", "ask", "deny");
const matcher = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `command = [${quoted(words)}]`),
  fc.constantFrom("*", "Bash", "mcp__*", "write_file").map((tool) => `tool = "${tool}"`),
  fc.constantFrom("**", "/src/**", "*.ts", "infra/").map((glob) => `path = "${glob}"`),
  fc.constantFrom("**", "/src/**", "*.ts").map((glob) => `path = "${glob}"\naccess = "write"`),
  fc.constantFrom("*", "*push*").map((pattern) => `args = { command = "${pattern}" }`),
);
const rule = fc.tuple(matcher, decision).map(([match, kind]) => `[[rule]]\n${match}\ndecision = "${kind}"\n`);
const rules = fc.array(rule, { maxLength: 5 });
const keys = fc
  .subarray([
    'allow_binaries = ["git", "npm"]',
    'allow_paths = ["src"]',
    'deny_globs = ["*.lock"]',
    "allow_network = true",
    'unknown_tools = "allow"',
    'secret_exceptions = [".env"]',
    'write_paths = ["src"]',
  ])
  .map((lines) => `${lines.join("\n")}\n`);

const argument = fc.constantFrom(
  "git",
  "push",
  "-f",
  "--force",
  "run",
  "src/a.ts",
  "infra/b",
  ".env",
  "$x",
  "*",
  "-C",
  "--",
);
const command = fc.tuple(
  fc.constantFrom("git", "npm", "rm", "cat", "sudo git", "$x", "touch"),
  fc.array(argument, { maxLength: 4 }),
);
const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc
    .array(command, { minLength: 1, maxLength: 2 })
    .map((list) => list.map(([name, args]) => [name, ...args].join(" ")).join(" && ")),
  command.map(([name, args]) => [...name.split(" "), ...args]),
  fc
    .tuple(fc.constantFrom("mcp__a__b", "write_file", "Read"), argument)
    .map(([tool, path]) => ({ tool, args: { path: `/ws/${path}` } })),
);

const RUNS = { numRuns: 1500 };
const seen = (): Record<DecisionKind, number> => ({ allow: 0, ask: 0, deny: 0 });

describe("rules", () => {
  it("that deny never make a decision less strict, and neither do those that ask", () => {
    const counts = seen();
    fc.assert(
      fc.property(keys, rules, rule, asked, (flat, list, more, request) => {
        fc.pre(!more.includes('"allow"'));
        const before = decide(request, flat + list.join("")).decision;
        const after = decide(request, flat + [...list, more].join("")).decision;
        counts[after] += 1;
        // A question that a rule answered stays answered unless a rule asks again.
        expect(strictestOf(before, after)).toBe(after);
      }),
      RUNS,
    );
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(30);
  });

  it("decide the same in any order", () => {
    const shuffled = rules.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(keys, shuffled, asked, (flat, [list, other], request) => {
        expect(decide(request, flat + list.join("")).decision).toBe(
          decide(request, flat + other.join("")).decision,
        );
      }),
      RUNS,
    );
  });

  it("that allow open nothing that is denied without them", () => {
    fc.assert(
      fc.property(keys, matcher, asked, (flat, match, request) => {
        fc.pre(decide(request, flat).decision === "deny");
        expect(decide(request, `${flat}[[rule]]\n${match}\ndecision = "allow"\n`).decision).toBe("deny");
      }),
      RUNS,
    );
  });
});

describe("a project's policy", () => {
  it("never loosens the user's", () => {
    let tighter = 0;
    fc.assert(
      fc.property(fc.tuple(keys, rules), fc.tuple(keys, rules), asked, (own, other, request) => {
        const user = loadPolicyText(own[0] + own[1].join(""), "user").policy;
        const part = parsePart(other[0] + other[1].join(""), { path: "project", prefix: "project:" });
        const both = tighten(user, mergeParts([part]));
        const before = decide(request, user).decision;
        const after = decide(request, both).decision;
        expect(strictestOf(before, after)).toBe(after);
        if (before !== after) tighter += 1;
        expect(both.allowNetwork && !user.allowNetwork).toBe(false);
        expect(both.timeoutSec).toBeLessThanOrEqual(user.timeoutSec);
      }),
      RUNS,
    );
    expect(tighter).toBeGreaterThan(30);
  });
});
