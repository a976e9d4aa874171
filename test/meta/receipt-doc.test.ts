import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NOT_RUN, type RunExecOptions } from "../../src/app/exec-types.ts";
import { makeReceipt } from "../../src/app/receipt.ts";
import { ROOT } from "./sources.ts";

const OPTIONS = {
  argv: ["true"],
  source: { path: undefined, sha256: undefined },
  workspace: { root: "/w", names: [], cwd: "/w" },
} as unknown as RunExecOptions;

test("docs/receipt.md lists the keys of a receipt, in their order", () => {
  const receipt = makeReceipt(OPTIONS, {
    ...NOT_RUN,
    verdict: "broken",
    reason: { code: "io", text: "x" },
    lines: ["x"],
    warnings: [],
    startedAt: new Date(0),
    durationMs: 0,
  });
  const rows = readFileSync(join(ROOT, "docs/receipt.md"), "utf8").matchAll(/^\| `([a-z_]+)` \|/gm);
  expect([...rows].map(([, key]) => key)).toEqual(Object.keys(receipt));
});
