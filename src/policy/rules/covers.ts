import { matchesText } from "../text-pattern.ts";
import { ANY_WORD, type Rule, type RuleWord } from "./types.ts";

/** Whether one rule surely matches whatever another one matches. What cannot be told counts as no. */
export function covers(wide: Rule, narrow: Rule): boolean {
  if (wide.command !== undefined || narrow.command !== undefined) {
    const { command: words = [] } = wide;
    const { command: others = [] } = narrow;
    return (
      words.length > 0 &&
      words.length <= others.length &&
      words.every((word, at) => holds(word, others[at] ?? []))
    );
  }
  return coversTool(wide, narrow) && coversArguments(wide, narrow) && coversPath(wide, narrow);
}

function holds(wide: RuleWord, narrow: RuleWord): boolean {
  return wide.includes(ANY_WORD) || (narrow.length > 0 && narrow.every((word) => wide.includes(word)));
}

function coversTool(wide: Rule, narrow: Rule): boolean {
  if (wide.tool === undefined) return true;
  return narrow.tool !== undefined && matchesText(wide.tool, narrow.tool, { folds: true });
}

function coversArguments(wide: Rule, narrow: Rule): boolean {
  return (wide.args ?? []).every(({ key, patterns }) =>
    (narrow.args ?? []).some(
      (other) => other.key === key && other.patterns.every((text) => patterns.includes(text)),
    ),
  );
}

function coversPath(wide: Rule, narrow: Rule): boolean {
  if (wide.path === undefined) return true;
  if (narrow.path === undefined) return false;
  if (wide.access !== undefined && wide.access !== narrow.access) return false;
  const globs = wide.path;
  return globs.includes("**") || narrow.path.every((glob) => globs.includes(glob));
}
