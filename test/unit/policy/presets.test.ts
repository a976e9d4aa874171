import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkRuleCases } from "../../../src/gate/rules/cases.ts";
import { loadPolicyText } from "../../../src/host/policy-file.ts";
import { PRESETS } from "../../../src/policy/presets.ts";

describe("presets", () => {
  it("are the files of presets/", () => {
    const files = readdirSync(join(import.meta.dirname, "../../../presets"));
    expect(files.sort()).toEqual(PRESETS.map((name) => `${name}.toml`).sort());
  });

  it.each(PRESETS)("%s does what its own lines say", (name) => {
    const { policy } = loadPolicyText(`extends = ["${name}"]`, "p");
    expect(policy.rules.length).toBeGreaterThan(0);
    for (const rule of policy.rules) {
      expect(rule.id.startsWith(`${name}:`), rule.id).toBe(true);
      expect(rule.reason, rule.id).toBeDefined();
      expect(
        rule.cases.some((one) => one.matches),
        rule.id,
      ).toBe(true);
      expect(() => checkRuleCases([rule], { presets: true })).not.toThrow();
    }
  });

  it("go together", () => {
    const { policy } = loadPolicyText(`extends = [${PRESETS.map((name) => `"${name}"`).join(", ")}]`, "p");
    expect(new Set(policy.rules.map((rule) => rule.id)).size).toBe(policy.rules.length);
  });
});
