import { ANY_WORD, type RuleWord } from "../../policy/rules/types.ts";
import type { Word } from "../../shell/types.ts";
import { type Token, tokensOf } from "./tokens.ts";
import { isMany, literalText, mayBe, mayBeText, surelyIs } from "./words.ts";

/**
 * Whether the arguments of a command may be those of a rule. Options between the rule's words are skipped with their
 * values; an option of the rule may stand anywhere. What is not known counts as whatever the rule wants.
 */
export function mayMatchArguments(
  rule: readonly RuleWord[],
  program: string,
  args: readonly Word[],
): boolean {
  if (startsWith(rule, program, args)) return true;
  const tokens = tokensOf(program, args);
  const given = new Set(tokens.flatMap((token) => token.options));
  const isGiven = (choice: RuleWord): boolean => choice.some((text) => mayBeGiven(text, tokens, given));
  return rule.filter(isOptionWord).every(isGiven) && wordsInOrder(rule, tokens);
}

/** Whether they surely are: word for word, but for git's own options before its command. */
export function surelyMatchesArguments(
  rule: readonly RuleWord[],
  program: string,
  args: readonly Word[],
): boolean {
  const from = program === "git" ? gitCommandIndex(args) : 0;
  return rule.every((choice, index) => {
    const word = args[from + index];
    return word !== undefined && surelyIs(word, choice);
  });
}

function gitCommandIndex(args: readonly Word[]): number {
  const at = tokensOf("git", args).findIndex((token) => token.kind === "operand");
  return Math.max(at, 0);
}

/** The words one after the other, as they stand. Of git, whose options are known, `*` is none. */
function startsWith(rule: readonly RuleWord[], program: string, args: readonly Word[]): boolean {
  for (const [index, choice] of rule.entries()) {
    const word = args[index];
    if (word === undefined || !mayBe(word, choice)) return false;
    if (program === "git" && choice.includes(ANY_WORD) && literalText(word)?.startsWith("-") === true)
      return false;
    if (isMany(word)) return true;
  }
  return true;
}

function isOptionWord(choice: RuleWord): boolean {
  return choice.every((word) => word.startsWith("-") && word !== "-");
}

/** Whether an option that a rule wants may be among those of a command. */
function mayBeGiven(wanted: string, tokens: readonly Token[], given: ReadonlySet<string>): boolean {
  if (given.has(wanted)) return true;
  // `-rf`: every letter, in whatever clusters.
  const letters = wanted.startsWith("--") ? [] : [...wanted.slice(1)];
  if (letters.length > 1 && letters.every((letter) => given.has(`-${letter}`))) return true;
  return tokens.some(
    ({ kind, word, unsure, abbreviation = "--" }) =>
      (kind === "end" && wanted === "--") ||
      (unsure && mayBeText(word, wanted)) ||
      (kind === "option" && literalText(word) === wanted) ||
      (abbreviation.length > 2 && wanted.startsWith(abbreviation)),
  );
}

/** Whether the rule's words that are no options may stand among the operands in this order, the first ones first. */
function wordsInOrder(rule: readonly RuleWord[], tokens: readonly Token[]): boolean {
  let reached = new Set([0]);
  let afterOption = false;
  for (const choice of rule) {
    if (isOptionWord(choice)) {
      afterOption = true;
      continue;
    }
    reached = step(choice, { tokens, reached, afterOption });
    if (reached.size === 0) return false;
    afterOption = false;
  }
  return true;
}

interface Step {
  readonly tokens: readonly Token[];
  /** Where the next word of the rule may be looked for. */
  readonly reached: ReadonlySet<number>;
  /** The word before in the rule is an option, whose value this one may be. */
  readonly afterOption: boolean;
}

function step(choice: RuleWord, { tokens, reached, afterOption }: Step): Set<number> {
  const next = new Set<number>();
  let isHere = false;
  for (const [index, token] of tokens.entries()) {
    isHere ||= reached.has(index);
    if (!isHere) continue;
    const counts =
      token.kind === "operand" || (token.kind === "value" && afterOption) || isWanted(token, choice);
    if (counts && mayBe(token.word, choice)) {
      next.add(index + 1);
      if (isMany(token.word)) next.add(index);
    }
    if (token.kind === "operand" && !token.unsure) isHere = false;
  }
  return next;
}

/** An option whose own text is among the alternatives of a word that need not be one. */
function isWanted(token: Token, choice: RuleWord): boolean {
  return token.kind === "option" && choice.some((text) => text !== ANY_WORD && mayBeText(token.word, text));
}
