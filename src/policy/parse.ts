import { PaldronError } from "../core/errors.ts";
import { printable } from "../core/printable.ts";
import { mergeParts, toPolicy } from "./combine.ts";
import { collectParts, type ReadExtended } from "./extends.ts";
import type { JsonSchema } from "./fields.ts";
import { FIELDS, KEYS } from "./keys.ts";
import { rulesJsonSchema } from "./rules/schema.ts";
import type { Policy } from "./types.ts";

export interface PolicyTextSource {
  readonly path: string;
  /** Reads what the text extends. Without it a text that extends something is a mistake. */
  readonly read?: ReadExtended;
}

/**
 * Reads a policy with all that it extends. A mistake is a `PaldronError` that names file, line and key; of several,
 * the first in the file.
 */
export function parsePolicy(text: string, { path, read = refuse }: PolicyTextSource): Policy {
  return toPolicy(mergeParts(collectParts({ text, path, identity: path }, read)));
}

function refuse(entry: string): never {
  throw new PaldronError(
    "policy",
    `\`extends\` needs files, and there are none here: \`${printable(entry)}\``,
  );
}

/** The policy when no file is named. */
export const DEFAULT_POLICY: Policy = toPolicy({ given: {}, rules: [] });

/** The JSON Schema of the policy file, for editors. */
export function policyJsonSchema(): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Paldron policy",
    type: "object",
    properties: {
      ...Object.fromEntries(KEYS.map((key) => [key, FIELDS[key].json])),
      rule: rulesJsonSchema(),
    },
    additionalProperties: false,
  };
}
