import { PaldronError } from "../core/errors.ts";

const MAX_DEPTH = 1000;

/**
 * A copy of a tool call's arguments, made in one reading, without prototypes. What is judged is what JSON would
 * carry; anything that JSON has no word for is refused rather than judged as something else.
 * @throws PaldronError `request`; the message never repeats a value.
 */
export function copyJsonObject(value: unknown): Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) throw bad("must be one object");
  return copyObject(value, 1);
}

function bad(why: string): PaldronError {
  return new PaldronError("request", `bad arguments: ${why}`);
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm has another Object.prototype, whose own prototype is null all the same.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function copyObject(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = Object.create(null);
  for (const [name, inner] of Object.entries(value)) {
    // As JSON.stringify does: a key without a value is no key.
    if (inner !== undefined) copy[name] = copyValue(inner, depth);
  }
  return copy;
}

function copyValue(value: unknown, depth: number): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw bad("a number is out of range");
  }
  if (depth >= MAX_DEPTH) throw bad(`nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => copyValue(item, depth + 1));
  if (isPlainObject(value)) return copyObject(value, depth + 1);
  throw bad(`a value is no JSON (${typeof value})`);
}
