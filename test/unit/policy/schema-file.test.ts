import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { policyJsonSchema } from "../../../src/policy/parse.ts";

const FILE = join(import.meta.dirname, "../../../docs/policy.schema.json");

/** `UPDATE_SCHEMA=1 npx vitest run test/unit/policy/schema-file.test.ts` writes the file anew. */
it("docs/policy.schema.json is what `paldron schema --policy` prints", () => {
  const text = `${JSON.stringify(policyJsonSchema(), null, 2)}\n`;
  if (process.env["UPDATE_SCHEMA"] === "1") writeFileSync(FILE, text);
  expect(JSON.parse(readFileSync(FILE, "utf8"))).toEqual(JSON.parse(text));
});
