import { parse as parseToml, TomlError } from "smol-toml";
import * as v from "valibot";
import { PaldronError } from "../core/errors.ts";
import { printable } from "../core/printable.ts";
import type { JsonSchema } from "./fields.ts";
import { keyLines } from "./key-lines.ts";
import { FIELDS, isKey, KEYS, type Key } from "./keys.ts";
import { nearest } from "./nearest.ts";
import type { Policy } from "./types.ts";

const LIMIT_KEYS = [
  "timeout_sec",
  "max_processes",
  "max_memory_mb",
  "max_open_files",
  "cpu_time_sec",
  "max_file_size_mb",
] as const satisfies readonly Key[];

/** The values that a policy file gave, checked; a key that is absent or zero is left out. */
type Given = { readonly [K in Key]?: v.InferOutput<(typeof FIELDS)[K]["schema"]> };

/** Reads a policy. A mistake is a {@link PaldronError} that names file, line and key; of several, the first in the file. */
export function parsePolicy(text: string, source: { readonly path: string }): Policy {
  const document = parseDocument(text.startsWith("\ufeff") ? text.slice(1) : text, source.path);
  const names = Object.keys(document);
  const given: Record<string, unknown> = {};
  const mistakes = new Map<string, string>();
  for (const name of names) {
    if (!isKey(name)) {
      mistakes.set(name, unknownKey(name));
      continue;
    }
    const result = v.safeParse<v.GenericSchema>(FIELDS[name].schema, document[name], { abortEarly: true });
    if (result.success) given[name] = result.output;
    else mistakes.set(name, `key \`${name}\` ${printable(result.issues[0].message, 300)}`);
  }
  if (mistakes.size > 0) throw firstMistake(mistakes, text, source.path);
  return toPolicy(given as Given);
}

/** The policy when no file is named. */
export const DEFAULT_POLICY: Policy = toPolicy({});

function parseDocument(text: string, path: string): Record<string, unknown> {
  try {
    return parseToml(text, { integersAsBigInt: true });
  } catch (error) {
    if (error instanceof TomlError) {
      const why = printable(error.message.split("\n")[0]?.replace(/^Invalid TOML document: /, "") ?? "");
      throw new PaldronError("policy", `${path}:${error.line}: not valid TOML: ${why}`, { cause: error });
    }
    throw new PaldronError("policy", `${path}: not valid TOML`, { cause: error });
  }
}

function unknownKey(name: string): string {
  const near = nearest(name, KEYS);
  return `key \`${printable(name)}\` is not known${near === undefined ? "" : `; did you mean \`${near}\`?`}`;
}

function firstMistake(mistakes: ReadonlyMap<string, string>, text: string, path: string): PaldronError {
  const lines = keyLines(text);
  let line = Number.POSITIVE_INFINITY;
  let message = "";
  for (const [name, what] of mistakes) {
    const at = lines.get(name) ?? Number.MAX_SAFE_INTEGER;
    if (at >= line) continue;
    line = at;
    message = what;
  }
  const where = line < Number.MAX_SAFE_INTEGER ? `${path}:${line}` : path;
  return new PaldronError("policy", `${where}: ${message}`);
}

/** Zero means the default, and is not "set". */
function orPreset(given: number | undefined, key: Key): number {
  const preset = FIELDS[key].json["default"];
  return given === undefined || given === 0 ? Number(preset) : given;
}

function toPolicy(given: Given): Policy {
  return {
    allowPaths: given.allow_paths ?? [],
    denyGlobs: given.deny_globs ?? [],
    secretExceptions: given.secret_exceptions ?? [],
    laterExceptions: given.later_exceptions ?? [],
    allowNetwork: given.allow_network ?? false,
    allowBinaries: given.allow_binaries ?? [],
    requireOsIsolation: given.require_os_isolation ?? true,
    timeoutSec: orPreset(given.timeout_sec, "timeout_sec"),
    maxProcesses: orPreset(given.max_processes, "max_processes"),
    maxMemoryMb: orPreset(given.max_memory_mb, "max_memory_mb"),
    maxOpenFiles: orPreset(given.max_open_files, "max_open_files"),
    cpuTimeSec: orPreset(given.cpu_time_sec, "cpu_time_sec"),
    maxFileSizeMb: orPreset(given.max_file_size_mb, "max_file_size_mb"),
    setLimits: new Set(LIMIT_KEYS.filter((key) => (given[key] ?? 0) !== 0)),
    writePaths: given.write_paths,
    readPaths: given.read_paths ?? [],
    require: given.require,
    unknownTools: given.unknown_tools ?? "ask",
    jevVerdict: given.jev_verdict ?? false,
    jevThreshold: orPreset(given.jev_threshold, "jev_threshold"),
    jevOnError: given.jev_on_error ?? "deny",
  };
}

/** The JSON Schema of the policy file, for editors. */
export function policyJsonSchema(): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Paldron policy",
    type: "object",
    properties: Object.fromEntries(KEYS.map((key) => [key, FIELDS[key].json])),
    additionalProperties: false,
  };
}
