import type { InitPlan } from "../app/init.ts";
import { Redactor } from "../secrets/find.ts";
import { visible } from "./escape.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** A member of a settings file whose name says that its value is nobody else's business. */
const TELLING = /("[^"]*(?:key|token|secret|passw|auth|cred)[^"]*"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;

/** What changes, as `diff -u` shows it, without the secrets that stand beside it. */
export function changesText({ changes }: InitPlan): string {
  const redactor = new Redactor([]);
  return changes
    .map(({ file, text }) => unifiedDiff(file.path, file.text, text))
    .map((diff) => redactor.clean(diff).replace(TELLING, '$1"[hidden]"'))
    .flatMap((diff) => diff.split("\n"))
    .map((line) => `${visible(line)}\n`)
    .join("");
}
