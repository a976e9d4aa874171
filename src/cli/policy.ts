import { lintPolicy } from "../app/policy-lint.ts";
import { showPolicy } from "../app/policy-show.ts";
import { PaldronError } from "../core/errors.ts";
import { EXIT } from "../core/exit-codes.ts";
import { checkRuleCases } from "../gate/rules/cases.ts";
import { COMMANDS } from "./commands.ts";
import type { Context } from "./context.ts";
import { visibleJson } from "./escape.ts";
import { parseOrHelp } from "./parse-or-help.ts";
import { type Judgement, judgementOf } from "./policy-option.ts";
import { lintText, showJson, showText } from "./policy-render.ts";
import { usageLine } from "./usage.ts";

export function run(args: readonly string[], context: Context): number {
  const parsed = parseOrHelp(COMMANDS.policy, args, context);
  if (parsed === undefined) return EXIT.allow;
  const [what, ...rest] = parsed.operands;
  if ((what !== "show" && what !== "lint") || rest.length > 0)
    throw new PaldronError("usage", usageLine(COMMANDS.policy));
  const judgement = judgementOf(parsed, context.env);
  checkRuleCases(judgement.policy.rules);
  const json = parsed.values.has("--json");
  return what === "show" ? show(judgement, json, context) : lint(judgement, json, context);
}

function show(judgement: Judgement, json: boolean, context: Context): number {
  const shown = showPolicy(judgement);
  context.out(json ? `${visibleJson(showJson(shown), 2)}\n` : showText(shown));
  return EXIT.allow;
}

function lint({ policy, workspace }: Judgement, json: boolean, context: Context): number {
  const findings = lintPolicy({ policy, workspace, env: context.env });
  context.out(json ? `${visibleJson({ findings }, 2)}\n` : lintText(findings));
  return findings.some(({ severity }) => severity === "warning") ? EXIT.broken : EXIT.allow;
}
