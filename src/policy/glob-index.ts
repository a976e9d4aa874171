import type { Glob, PreparedPath } from "./glob.ts";

/**
 * Rules in their order, without those that surely do not match: a path that holds none of the names which rules ask
 * for letter by letter (`.env`, `.ssh/`) is compared only with the rules that have a wildcard everywhere.
 */
export function indexRules<R extends { readonly glob: Glob }>(
  rules: readonly R[],
): (path: PreparedPath) => readonly R[] {
  const names = new Set<string>();
  const open: R[] = [];
  for (const rule of rules) {
    const needed = rule.glob.neededParts();
    if (needed === undefined) open.push(rule);
    else for (const name of needed) names.add(name);
  }
  return ({ folded }) => {
    for (const part of folded) if (typeof part === "string" && names.has(part)) return rules;
    return open;
  };
}
