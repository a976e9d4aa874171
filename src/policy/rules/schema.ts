import type { JsonSchema } from "../fields.ts";
import { RULE_KEYS } from "./parse-rules.ts";

const TEXT = { type: "string", minLength: 1 } as const;
const PATTERNS = { anyOf: [TEXT, { type: "array", items: TEXT, minItems: 1 }] } as const;
const LINES = { type: "array", items: { type: "string" } } as const;

const PROPERTIES: Readonly<Record<(typeof RULE_KEYS)[number], JsonSchema>> = {
  id: { ...TEXT, description: "Name of the rule in decisions. Default: rule[N]." },
  command: {
    type: "array",
    minItems: 1,
    items: PATTERNS,
    description: 'The words that a command starts with. "*": any word. A list: alternatives for one word.',
  },
  tool: { ...TEXT, description: "Name of a tool; `*` stands for any characters." },
  path: { ...PATTERNS, description: "Globs for the files that a request names." },
  access: { enum: ["read", "write"], description: "Which use of the path counts. Default: both." },
  args: {
    type: "object",
    additionalProperties: { anyOf: [...PATTERNS.anyOf, { type: "object" }] },
    minProperties: 1,
    description: "Patterns for arguments of a tool; `*` stands for any characters.",
  },
  decision: { enum: ["allow", "ask", "deny"], description: "The strictest of all decisions wins." },
  reason: { ...TEXT, description: "What a person is told." },
  match: { ...LINES, description: "Requests that the rule must match, tried when the policy is loaded." },
  not_match: { ...LINES, description: "Requests that the rule must not match." },
};

/** The JSON Schema of `[[rule]]`. */
export function rulesJsonSchema(): JsonSchema {
  return {
    type: "array",
    description: "Rules, strictest first: docs/rules.md.",
    items: {
      type: "object",
      properties: Object.fromEntries(RULE_KEYS.map((key) => [key, PROPERTIES[key]])),
      required: ["decision"],
      anyOf: ["command", "tool", "path", "args"].map((key) => ({ required: [key] })),
      additionalProperties: false,
    },
  };
}
