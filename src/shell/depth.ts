import { LIMITS } from "./limits.ts";

/** Parsers read substitutions within substitutions over and over, so deep ones are refused before. */
export function isTooDeep(text: string): boolean {
  if (!/[$<>]\(|\$\{/.test(text)) return false;
  let depth = 0;
  // By character: matches of an expression are objects, and a text may hold tens of thousands.
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === ")" || char === "}") depth = Math.max(0, depth - 1);
    else if (opens(char, text[at + 1])) {
      depth += 1;
      at += 1;
    }
    if (depth > LIMITS.depth) return true;
  }
  return false;
}

function opens(char: string | undefined, next: string | undefined): boolean {
  if (char === "$") return next === "(" || next === "{";
  return (char === "<" || char === ">") && next === "(";
}
