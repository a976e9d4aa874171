import type { DecisionKind } from "../../core/decision.ts";

/** One word of a rule's command: the words that may stand there. `*` alone stands for any one word. */
export type RuleWord = readonly string[];

export const ANY_WORD = "*";

export type RuleAccess = "read" | "write";

/** A pattern for one argument of a tool; `key` may lead into objects (`options.force`). */
interface ArgumentPattern {
  readonly key: string;
  readonly patterns: readonly string[];
}

/** A line of `match` or `not_match`: tried when the policy is loaded. */
export interface RuleCase {
  readonly text: string;
  /** Whether the rule must match it. */
  readonly matches: boolean;
  readonly line: number | undefined;
}

/** One `[[rule]]` of a policy file, checked. Either `command` is given or some of the others. */
export interface Rule {
  readonly id: string;
  readonly decision: DecisionKind;
  readonly reason: string | undefined;
  readonly command: readonly RuleWord[] | undefined;
  /** Pattern for the name of a tool. */
  readonly tool: string | undefined;
  /** Globs of which one must match a file that the request names. */
  readonly path: readonly string[] | undefined;
  /** Undefined: reading and writing. */
  readonly access: RuleAccess | undefined;
  /** All must match. */
  readonly args: readonly ArgumentPattern[] | undefined;
  readonly cases: readonly RuleCase[];
  readonly origin: RuleOrigin;
}

/** Where a rule stands. */
interface RuleOrigin {
  /** The file as it was named, or `preset NAME`. */
  readonly path: string;
  readonly line: number | undefined;
  /** Lines of the rule's own keys. */
  readonly keys: Readonly<Record<string, number>>;
}
