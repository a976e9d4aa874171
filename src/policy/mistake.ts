import { PaldronError } from "../core/errors.ts";

/** One thing wrong with a policy file. */
export interface Mistake {
  /** Undefined: not known. */
  readonly line: number | undefined;
  readonly message: string;
}

/** The error about the first mistake of a file; those without a line come last. */
export function firstMistake(mistakes: readonly Mistake[], path: string): PaldronError {
  const sorted = mistakes.toSorted((a, b) => (a.line ?? Number.MAX_VALUE) - (b.line ?? Number.MAX_VALUE));
  const [first] = sorted;
  const where = first?.line === undefined ? path : `${path}:${first.line}`;
  return new PaldronError("policy", `${where}: ${first?.message ?? "not a policy"}`);
}
