import * as v from "valibot";
import { nearest } from "./nearest.ts";

/** A JSON Schema (draft 2020-12), as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One key of the policy file: how it is checked, and how an editor learns of it. */
export interface Field<T> {
  /** Made when a file gives the key: most files give few. */
  readonly schema: () => v.GenericSchema<unknown, T>;
  readonly json: JsonSchema;
}

export function flag(options: { readonly preset: boolean; readonly about: string }): Field<boolean> {
  return {
    schema: () => v.boolean(({ received }) => `must be true or false, not ${received}`),
    json: { type: "boolean", default: options.preset, description: options.about },
  };
}

export interface WholeOptions {
  readonly preset: number;
  readonly max: number;
  readonly about: string;
}

/** A whole number; 0 stands for the preset. TOML integers arrive as bigint, so that `30.0` can be told from `30`. */
export function whole(options: WholeOptions): Field<number> {
  const range = `must be between 0 and ${options.max} (0 means ${options.preset})`;
  return {
    schema: () =>
      v.pipe(
        v.bigint(({ received }) => `must be a whole number, not ${received}`),
        v.minValue(0n, range),
        v.maxValue(BigInt(options.max), range),
        v.transform(Number),
      ),
    json: {
      type: "integer",
      minimum: 0,
      maximum: options.max,
      default: options.preset,
      description: `${options.about} 0 means the default.`,
    },
  };
}

/** A probability; 0 stands for the preset. */
export function probability(options: { readonly preset: number; readonly about: string }): Field<number> {
  return {
    schema: () =>
      v.pipe(
        v.union([v.number(), v.bigint()], ({ received }) => `must be a number, not ${received}`),
        v.transform(Number),
        v.check((value) => value >= 0 && value <= 1, "must be between 0 and 1"),
      ),
    json: {
      type: "number",
      minimum: 0,
      maximum: 1,
      default: options.preset,
      description: `${options.about} 0 means the default.`,
    },
  };
}

export interface ChoiceOptions<T extends string> {
  readonly values: readonly T[];
  readonly preset: T;
  readonly about: string;
}

/** One of a few words; the empty string stands for the preset. */
export function choice<T extends string>(options: ChoiceOptions<T>): Field<T> {
  const message = `must be ${options.values.map((value) => `"${value}"`).join(" or ")}`;
  return {
    schema: () =>
      v.pipe(
        v.picklist([...options.values, ""] as const, message),
        v.transform((value) => (value === "" ? options.preset : (value as T))),
      ),
    json: { enum: [...options.values, ""], default: options.preset, description: options.about },
  };
}

export interface ListOptions {
  readonly about: string;
  /** What is wrong with an entry, or undefined. */
  readonly problem?: (entry: string) => string | undefined;
}

const MAX_ENTRIES = 1000;
const MAX_ENTRY_LENGTH = 4096;

/** A list of strings. */
export function list(options: ListOptions): Field<string[]> {
  return {
    schema: () =>
      v.pipe(
        v.array(
          v.string(({ received }) => `must hold strings, not ${received}`),
          ({ received }) => `must be a list of strings, not ${received}`,
        ),
        v.maxLength(MAX_ENTRIES, `must have at most ${MAX_ENTRIES} entries`),
        v.rawCheck(({ dataset, addIssue }) => {
          if (!dataset.typed) return;
          for (const entry of dataset.value) {
            const problem = tooLong(entry) ?? options.problem?.(entry);
            if (problem !== undefined) addIssue({ message: `has an entry \`${entry}\` that ${problem}` });
          }
        }),
      ),
    json: {
      type: "array",
      items: { type: "string" },
      maxItems: MAX_ENTRIES,
      default: [],
      description: options.about,
    },
  };
}

/** A list of words from a fixed set. */
export function wordList<T extends string>(options: {
  readonly values: readonly T[];
  readonly about: string;
}): Field<T[]> {
  const field = list({
    about: options.about,
    problem: (entry) => {
      if ((options.values as readonly string[]).includes(entry)) return undefined;
      const near = nearest(entry, options.values);
      return `is not known${near === undefined ? "" : `; did you mean \`${near}\`?`}`;
    },
  });
  return {
    schema: () =>
      v.pipe(
        field.schema(),
        v.transform((entries) => entries as T[]),
      ),
    json: {
      type: "array",
      items: { enum: [...options.values] },
      uniqueItems: true,
      description: options.about,
    },
  };
}

function tooLong(entry: string): string | undefined {
  if (entry.length > MAX_ENTRY_LENGTH) return `is longer than ${MAX_ENTRY_LENGTH} characters`;
  return entry.includes("\0") ? "holds a NUL character" : undefined;
}
