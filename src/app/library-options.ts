import type { Decision } from "../core/decision.ts";
import { PaldronError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import { printable } from "../core/printable.ts";

/** An environment: names to values; undefined means absent. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with a caller's options is `usage`: nothing was judged and nothing ran. */
function wrong(what: string): PaldronError {
  return new PaldronError("usage", what);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : typeof value;
}

/**
 * A copy of an options object without a prototype, made in one reading: what was checked is what is used, and nothing
 * that was put on `Object.prototype` counts as an option.
 * @throws PaldronError `usage` for something else than an object, and for a name that is no option.
 */
export function copyOptions(given: unknown, what: string, known: readonly string[]): Record<string, unknown> {
  const copy: Record<string, unknown> = Object.create(null);
  if (given === undefined) return copy;
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw wrong(`${what} must be an object, not ${kindOf(given)}`);
  }
  for (const name of Object.keys(given)) {
    const value: unknown = (given as Record<string, unknown>)[name];
    if (!known.includes(name)) throw wrong(unknownName(name, what, known));
    copy[name] = value;
  }
  return copy;
}

function unknownName(name: string, what: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  const hint = meant === undefined ? "" : `; did you mean \`${meant}\`?`;
  return `${what}: \`${printable(name)}\` is not known${hint}`;
}

export function optionalString(value: unknown, what: string): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw wrong(`${what} must be a string, not ${kindOf(value)}`);
}

export function oneOf<const T extends string>(
  value: unknown,
  what: string,
  choices: readonly [T, ...T[]],
): T {
  if (value === undefined) return choices[0];
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw wrong(`${what} must be ${choices.map((choice) => `"${choice}"`).join(" or ")}`);
}

/** Half a character that stands for no byte (`core/bytes`): it would reach the command as another one. */
const HALF = /[\ud800-\udc7f\udd00-\udfff]/u;

/** A copy of an argument vector: an array of strings, the program first. */
export function argumentVector(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw wrong(`argv must be an array of strings, not ${kindOf(value)}`);
  return Array.from(value, (word: unknown, index) => {
    if (typeof word !== "string") throw wrong(`argv[${index}] must be a string, not ${kindOf(word)}`);
    if (HALF.test(word)) throw wrong(`argv[${index}] holds half a character`);
    return word;
  });
}

/** A copy of an environment that a caller hands in. */
export function environment(value: unknown): Environment {
  const copy: Record<string, string> = Object.create(null);
  if (typeof value !== "object" || value === null) {
    throw wrong(`env must be an object, not ${kindOf(value)}`);
  }
  for (const [name, text] of Object.entries(value)) {
    if (text === undefined) continue;
    if (typeof text !== "string") throw wrong(`env.${printable(name)} must be a string, not ${kindOf(text)}`);
    copy[name] = text;
  }
  return copy;
}

export function abortSignal(value: unknown): AbortSignal | undefined {
  if (value === undefined || isAbortSignal(value)) return value;
  throw wrong(`signal must be an AbortSignal, not ${kindOf(value)}`);
}

/** By its shape: one of another realm, or of a polyfill, is as good. */
function isAbortSignal(value: unknown): value is AbortSignal {
  if (typeof value !== "object" || value === null) return false;
  const { aborted, addEventListener, removeEventListener } = value as Partial<AbortSignal>;
  return (
    typeof aborted === "boolean" &&
    typeof addEventListener === "function" &&
    typeof removeEventListener === "function"
  );
}

/** What a caller passes to be called back. Only its being a function can be checked. */
type Callback<T extends "onWarning" | "confirm"> = {
  onWarning: (warning: string) => void;
  confirm: (decision: Decision) => Promise<boolean>;
}[T];

export function callback<T extends "onWarning" | "confirm">(
  value: unknown,
  name: T,
): Callback<T> | undefined {
  if (value === undefined || typeof value === "function") return value as Callback<T> | undefined;
  throw wrong(`${name} must be a function, not ${kindOf(value)}`);
}
