import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shellQuote, unwrapCommand, wrapCommand } from "../../src/agents/wrapper.ts";

const own = { node: "/n o/node", program: "/p'q/paldron", policy: "/a/p.toml", workspace: "/w\n$s" };
/** Text that a command can hold: anything but NUL and halves of characters. */
const text = fc
  .oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom("'", '"', "\\", "$", "`", "!", "\n", "\r", " ", "a", "é", "😀"),
      maxLength: 30,
    }),
  )
  .filter((value) => !value.includes("\0") && !/\p{Surrogate}/u.test(value));

describe("quoting", () => {
  it.each(["bash", "sh"])("is exact for %s", (shell) => {
    const all = fc.sample(text, 300);
    const script = all.map((value) => `printf '%s\\0' ${shellQuote(value)}`).join("\n");
    const printed = execFileSync(shell, ["-c", script]).toString("utf8").split("\0").slice(0, -1);
    expect(printed).toEqual(all);
  });
  it("of a whole wrapper is what its shell starts", () => {
    fc.assert(
      fc.property(text, (value) => {
        const wrapped = wrapCommand(own, value, false);
        const printed = execFileSync("bash", ["-c", `printf '%s\\0' ${wrapped}`]).toString("utf8");
        expect(printed.split("\0").slice(0, -1)).toEqual([
          own.node,
          own.program,
          "exec",
          "--exit=child",
          `--policy=${own.policy}`,
          `--workspace=${own.workspace}`,
          "--",
          "bash",
          "-c",
          value,
        ]);
      }),
      { numRuns: 60 },
    );
  });
});

describe("unwrapping", () => {
  it("gives back what was wrapped", () => {
    fc.assert(
      fc.property(text, fc.boolean(), (value, approved) => {
        expect(unwrapCommand(own, wrapCommand(own, value, approved))).toBe(value);
      }),
    );
  });
  it("takes nothing that differs in a single place", () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.constantFrom("", "x", "'", " ", "\n"), (value, at, inserted) => {
        const wrapped = wrapCommand(own, value, false);
        const place = at % wrapped.length;
        const changed = wrapped.slice(0, place) + inserted + wrapped.slice(place + (inserted === "" ? 1 : 0));
        const inner = unwrapCommand(own, changed);
        // What is still a wrapper is the wrapper of what is in it.
        if (inner !== undefined) {
          expect([wrapCommand(own, inner, false), wrapCommand(own, inner, true)]).toContain(changed);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
