import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkRuleCases } from "../../../src/gate/rules/cases.ts";
import { loadPolicyText } from "../../../src/host/policy-file.ts";
import { defaultRequirements } from "../../../src/plan/requirements.ts";
import { FIELDS, KEYS } from "../../../src/policy/keys.ts";
import { SECRET_RULES } from "../../../src/policy/secrets.ts";

const doc = readFileSync(join(import.meta.dirname, "../../../docs/policy.md"), "utf8");

describe("docs/policy.md", () => {
  it("lists every key in the order of the table", () => {
    const listed = [...doc.matchAll(/^\| `([a-z_]+)` \| (?:list|boolean|integer|number|`)/gm)].map(
      ([, key]) => key,
    );
    expect(listed).toEqual(KEYS);
  });

  it.each(KEYS)("says the default and the bound of %s", (key) => {
    const row = new RegExp(`^\\| \`${key}\` .*$`, "m").exec(doc)?.[0] ?? "";
    const { default: preset, maximum } = FIELDS[key].json;
    if (typeof preset !== "object" && preset !== undefined)
      expect(row.replaceAll("`", "")).toContain(`| ${String(preset)} |`);
    if (typeof maximum === "number" && maximum > 1) expect(row).toContain(`at most ${maximum}`);
  });

  it("names every built-in secret that is one name", () => {
    const names = SECRET_RULES.map((rule) => rule.glob).filter((glob) => !glob.includes("{"));
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((glob) => !doc.includes(`\`${glob}\``))).toEqual([]);
  });

  it("names the default of require", () => {
    const sentence = /^The default of `require`.*$/m.exec(doc)?.[0] ?? "";
    const named = [...sentence.matchAll(/`([a-z-]+)`/g)]
      .map(([, name]) => name)
      .filter((name) => name !== "require");
    expect(named).toEqual(defaultRequirements(false));
  });

  it("has examples that are policies", () => {
    const text = doc + readFileSync(join(import.meta.dirname, "../../../docs/rules.md"), "utf8");
    const blocks = [...text.matchAll(/^```toml\n(.*?)^```/gms)].map(([, text]) => text ?? "");
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks) {
      expect(() => checkRuleCases(loadPolicyText(block, "docs").policy.rules)).not.toThrow();
    }
  });
});
