import { PaldronError } from "../core/errors.ts";

const MAX_DEPTH = 10_000;
const MAX_LENGTH = 16 * 1024 * 1024;

/**
 * Reads the JSON arguments of a tool call: one object, or null for none. The message never repeats the text, which
 * may hold a secret.
 */
export function parseToolArgs(text: string): Readonly<Record<string, unknown>> {
  if (text.length > MAX_LENGTH) throw bad("too long");
  if (isTooDeep(text)) throw bad(`nested deeper than ${MAX_DEPTH} levels`);
  const value = parse(text);
  if (value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    throw bad(`must be one object, not ${Array.isArray(value) ? "a list" : `a ${typeof value}`}`);
  }
  refuseInfinite(value);
  return value as Record<string, unknown>;
}

function bad(why: string): PaldronError {
  return new PaldronError("request", `bad JSON arguments: ${why}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    throw bad(
      position === undefined ? "not one whole JSON value" : `not JSON at character ${Number(position) + 1}`,
    );
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (inString) {
      if (char === "\\") i += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "[" || char === "{") {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (char === "]" || char === "}") depth -= 1;
  }
  return false;
}

/** `1e999` is a number in JSON and none in JavaScript. */
function refuseInfinite(value: object): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.pop();
    if (typeof item === "number" && !Number.isFinite(item)) throw bad("a number is out of range");
    if (typeof item === "object" && item !== null) for (const inner of Object.values(item)) open.push(inner);
  }
}
