import { type Decision, type DecisionKind, strictest } from "../../core/decision.ts";
import { printable } from "../../core/printable.ts";
import type { Request } from "../../core/request.ts";
import type { Rule } from "../../policy/rules/types.ts";
import type { GateContext } from "../context.ts";
import type { RuleJudge } from "../rule-judge.ts";
import { shownWord } from "../words.ts";
import { checkRuleCases } from "./cases.ts";
import { type Facts, factsOf } from "./facts.ts";
import { mayMatch, surelyCommand, surelyTool } from "./match.ts";

export const ruleJudge: RuleJudge = { judge };

/** Policies whose rules have been tried by their own lines. */
const tried = new WeakSet<readonly Rule[]>();

function judge(request: Request, without: Decision, context: GateContext): Decision {
  const { rules } = context.policy;
  if (!tried.has(rules)) {
    checkRuleCases(rules);
    tried.add(rules);
  }
  if (without.decision === "deny") return without;
  const facts = factsOf(request, context);
  const decisions = rulesThatHold(rules, facts, context).map((held) => decisionOf(held));
  const worst = decisions.reduce(strictest, { ...without, decision: "allow" as DecisionKind });
  if (worst.decision === "deny" || without.decision === "allow") return strictest(without, worst);
  if (worst.decision === "ask") return worst;
  return allowed(without, facts, context) ?? without;
}

/** A rule with what of the request it means. */
interface Held {
  readonly rule: Rule;
  readonly what: string;
}

/** The rules that ask or deny, of those that may mean the request, in their order. */
function rulesThatHold(rules: readonly Rule[], facts: Facts, context: GateContext): readonly Held[] {
  return rules.flatMap((rule) => {
    if (rule.decision === "allow") return [];
    const what = mayMatch(rule, facts, context);
    return what === undefined ? [] : [{ rule, what }];
  });
}

function decisionOf({ rule, what }: Held): Decision {
  const reason = rule.reason ?? `rule ${rule.id}`;
  return { decision: rule.decision, rule: rule.id, code: "rule", what: printable(what), reason };
}

/**
 * What a rule that allows can do: answer a question that Paldron asks by itself, about a tool that it does not know
 * or about code that it cannot read, where rules allow all of the request.
 */
function allowed(without: Decision, facts: Facts, context: GateContext): Decision | undefined {
  const rules = context.policy.rules.filter((rule) => rule.decision === "allow");
  const rule =
    without.code === "unknown_tool"
      ? rules.find((one) => surelyTool(one, facts, context))
      : without.code === "opaque"
        ? allCommands(rules, facts, context)
        : undefined;
  return rule === undefined ? undefined : { ...decisionOf({ rule, what: without.what }) };
}

/** The rule that allows the last command, where every command of the request is allowed by one. */
function allCommands(rules: readonly Rule[], facts: Facts, context: GateContext): Rule | undefined {
  const programs = facts.commands.filter((effect) => !effect.internal);
  const found = programs.map((effect) => rules.find((rule) => surelyCommand(rule, effect, context)));
  return found.includes(undefined) ? undefined : found.at(-1);
}

/** Every rule that matches a request, with what it matches. */
export function matchingRules(facts: Facts, context: GateContext): readonly Held[] {
  const { rules } = context.policy;
  const allowing = rules.flatMap((rule) => {
    if (rule.decision !== "allow") return [];
    const command = facts.commands.find((effect) => surelyCommand(rule, effect, context));
    if (command !== undefined) return [{ rule, what: shownWord(command.name) }];
    return surelyTool(rule, facts, context) ? [{ rule, what: facts.tool?.tool ?? "" }] : [];
  });
  return [...rulesThatHold(rules, facts, context), ...allowing];
}
