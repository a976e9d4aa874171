import type { Decision, DecisionKind } from "../core/decision.ts";
import type { Request } from "../core/request.ts";
import type { Analysis, Effect } from "../shell/types.ts";
import type { CallEffect } from "./call-effects.ts";
import type { GateContext } from "./context.ts";
import { judgeArgument } from "./judge-argument.ts";
import { type Facts, factsOf } from "./rules/facts.ts";
import { matchingRules } from "./rules/judge.ts";
import { judgeEffect } from "./shell.ts";
import { showEffect } from "./shell-effects.ts";
import { shownWord } from "./words.ts";

/** One thing that a request would do, and what is decided about it alone. */
export interface ExplainedEffect extends CallEffect {
  /** How it comes to run: `pipeline`, `via env`, … */
  readonly context: readonly string[];
  /** Undefined: nothing against it. */
  readonly decision: Decision | undefined;
}

/** A command line or argument vector as it was read. */
interface ExplainedText {
  readonly complete: boolean;
  readonly problems: readonly string[];
  readonly effects: readonly ExplainedEffect[];
}

interface ExplainedRule {
  readonly id: string;
  readonly decision: DecisionKind;
  readonly what: string;
  readonly path: string;
  readonly line: number | undefined;
}

export interface Explanation {
  /** Files and the like that a tool call names by itself. */
  readonly named: readonly ExplainedEffect[];
  readonly texts: readonly ExplainedText[];
  /** The rules that match, whatever they decide. */
  readonly rules: readonly ExplainedRule[];
  /** What the decision is about. */
  readonly deciding: CallEffect;
}

/** Everything that was seen of a request on the way to a decision. It decides nothing. */
export function explain(request: Request, decision: Decision, context: GateContext): Explanation {
  const facts = factsOf(request, context);
  const named = namedBy(facts, context);
  const texts = facts.analyses.map((analysis) => explainText(analysis, context));
  const rules = matchingRules(facts, context).map(({ rule, what }) => ({
    id: rule.id,
    decision: rule.decision,
    what,
    path: rule.origin.path,
    line: rule.origin.line,
  }));
  const effects = [...named, ...texts.flatMap((text) => text.effects)];
  return { named, texts, rules, deciding: decidingOf(decision, effects, texts) };
}

function explainText(analysis: Analysis, given: GateContext): ExplainedText {
  const context = { ...given, hidden: analysis.hidden, inShell: true };
  const effects = analysis.effects.map((effect: Effect) => ({
    ...showEffect(effect),
    context: effect.context,
    decision: judgeEffect(effect, context),
  }));
  return { complete: analysis.complete, problems: analysis.problems, effects };
}

/** Files of a tool call that are not those of its commands. */
function namedBy({ files, tool }: Facts, context: GateContext): readonly ExplainedEffect[] {
  if (tool === undefined) return [];
  return files.flatMap(({ word, access, look, origin }) => {
    if (origin !== "call") return [];
    const what = shownWord(word);
    return [{ kind: access ?? "unknown", what, context: [], decision: judgeArgument(what, look, context) }];
  });
}

/** The effect that the decision is about: the one that gets it alone, or that holds what it names. */
function decidingOf(
  decision: Decision,
  effects: readonly ExplainedEffect[],
  texts: readonly ExplainedText[],
): CallEffect {
  const found =
    effects.find(
      (effect) => effect.decision?.rule === decision.rule && effect.decision.what === decision.what,
    ) ??
    effects.find((effect) => effect.decision?.rule === decision.rule) ??
    effects.find((effect) => effect.what === decision.what) ??
    effects.find((effect) => decision.what !== "" && effect.what.includes(decision.what)) ??
    effects.find((effect) => effect.decision?.decision === decision.decision);
  if (found !== undefined) return { kind: found.kind, what: found.what };
  const problem = texts.flatMap((text) => text.problems)[0];
  return {
    kind: "unknown",
    what: problem === undefined ? decision.what : `a part that could not be read: ${problem}`,
  };
}
