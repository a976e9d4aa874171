import * as v from "valibot";
import { printable } from "../core/printable.ts";
import { keyLines } from "./key-lines.ts";
import { FIELDS, isKey, KEYS, type Key } from "./keys.ts";
import { firstMistake, type Mistake } from "./mistake.ts";
import { nearest } from "./nearest.ts";
import { parseRules } from "./rules/parse-rules.ts";
import type { Rule } from "./rules/types.ts";
import { parseDocument } from "./toml.ts";

/** The values that a policy file gave, checked; a key that is absent is left out. */
export type Given = { readonly [K in Key]?: v.InferOutput<ReturnType<(typeof FIELDS)[K]["schema"]>> };

/** One policy file by itself, before what it extends is added. */
export interface PolicyPart {
  /** The file as it was named, or `preset NAME`. */
  readonly path: string;
  readonly given: Given;
  /** Where each top-level key stands. */
  readonly lines: ReadonlyMap<string, number>;
  readonly rules: readonly Rule[];
}

export interface PartSource {
  readonly path: string;
  /** Stands before the ids of rules that name none. */
  readonly prefix?: string;
}

/** Reads one file. A mistake is a `PaldronError` that names file, line and key; of several, the first. */
export function parsePart(raw: string, source: PartSource): PolicyPart {
  const text = raw.startsWith("\ufeff") ? raw.slice(1) : raw;
  const { path, prefix = "" } = source;
  const document = parseDocument(text, path);
  const lines = keyLines(text);
  const given: Record<string, unknown> = {};
  const mistakes: Mistake[] = [];
  let rules: readonly Rule[] = [];
  for (const [name, value] of Object.entries(document)) {
    const line = lines.get(name);
    if (name === "rule") {
      const read = parseRules({ value, text, path, prefix, line });
      rules = read.rules;
      mistakes.push(...read.mistakes);
    } else if (!isKey(name)) mistakes.push({ line, message: unknownKey(name) });
    else {
      const result = v.safeParse<v.GenericSchema>(FIELDS[name].schema(), value, { abortEarly: true });
      if (result.success) given[name] = result.output;
      else mistakes.push({ line, message: `key \`${name}\` ${printable(result.issues[0].message, 300)}` });
    }
  }
  if (mistakes.length > 0) throw firstMistake(mistakes, path);
  return { path, given: given as Given, lines, rules };
}

function unknownKey(name: string): string {
  const near = nearest(name, [...KEYS, "rule"]);
  return `key \`${printable(name)}\` is not known${near === undefined ? "" : `; did you mean \`${near}\`?`}`;
}
