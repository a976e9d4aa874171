/** Bounds of one analysis. Whatever lies beyond one of them makes the analysis incomplete, never shorter. */
export const LIMITS = {
  /** UTF-16 units of text, nested texts included. */
  text: 64 * 1024,
  /** The same of programs in other languages that the text writes and runs. */
  code: 256 * 1024,
  /** Scripts within scripts: substitutions, `sh -c`, functions. */
  depth: 40,
  effects: 1_500,
  /** Commands interpreted, each inlined function call counted again. */
  steps: 1_500,
  /** Words of all commands together. */
  words: 10_000,
  /** Variables followed. */
  variables: 200,
  /** Values that one variable may have at one place, and folders the shell may be in. */
  alternatives: 8,
  /** Combinations of values that one command is read with. */
  runs: 32,
  /** Words one brace expansion may yield. */
  braces: 256,
  /** Characters of one known value. */
  value: 16 * 1024,
} as const;
