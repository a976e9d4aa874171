import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The rows of a file of this folder, one JSON object a line. */
export function readRows<T>(name: string): readonly T[] {
  const lines = readFileSync(join(import.meta.dirname, name), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

/** The same with what a test of a row is called. */
export function named<T extends { readonly id: string; readonly title: string }>(
  rows: readonly T[],
): readonly (readonly [string, T])[] {
  return rows.map((row) => [`${row.id} ${row.title}`, row]);
}
