import { ANY_WORD, type RuleWord } from "../../policy/rules/types.ts";
import type { Word, WordPart } from "../../shell/types.ts";
import { plainLook } from "./look-alike.ts";

/** Whether a word can become any number of arguments. */
export function isMany(word: Word): boolean {
  return word.kind !== "literal" && word.many;
}

export function literalText(word: Word): string | undefined {
  return word.kind === "literal" ? word.text : undefined;
}

/** The characters that a word surely starts with. */
export function knownStart(word: Word): string {
  if (word.kind === "literal") return word.text;
  const first = word.kind === "partial" ? word.parts[0] : undefined;
  return typeof first === "string" ? first : "";
}

/** Whether the word may turn out to be one of the alternatives of a rule's word. */
export function mayBe(word: Word, choice: RuleWord): boolean {
  return choice.some((text) => text === ANY_WORD || mayBeText(word, text));
}

/** Whether it surely is. */
export function surelyIs(word: Word, choice: RuleWord): boolean {
  if (word.kind !== "literal") return false;
  return choice.some((text) => text === ANY_WORD || text === word.text);
}

export function mayBeText(word: Word, text: string): boolean {
  if (word.kind === "literal") return word.text === text || plainLook(word.text) === text;
  return word.kind === "unknown" || word.many || fits(word.parts, text);
}

/** Whether the written characters of a word stand in a text in their order, the first and last at its ends. */
function fits(parts: readonly WordPart[], text: string): boolean {
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (typeof part !== "string") continue;
    const isLast = index === parts.length - 1;
    const found = index === 0 ? 0 : isLast ? text.length - part.length : text.indexOf(part, at);
    if (found < at || !text.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return typeof parts.at(-1) !== "string" || at === text.length;
}
