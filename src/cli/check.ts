import { runCheck } from "../app/check.ts";
import { type Decision, describe } from "../core/decision.ts";
import { PaldronError } from "../core/errors.ts";
import { EXIT } from "../core/exit-codes.ts";
import { loadPolicyFile } from "../host/policy-file.ts";
import { COMMANDS } from "./commands.ts";
import type { Context } from "./context.ts";
import { visible, visibleJson } from "./escape.ts";
import { parseOrHelp } from "./parse-or-help.ts";
import { policyPath } from "./policy-option.ts";
import { usageLine } from "./usage.ts";
import { workspaceOf } from "./workspace-option.ts";

export async function run(args: readonly string[], context: Context): Promise<number> {
  const parsed = parseOrHelp(COMMANDS.check, args, context);
  if (parsed === undefined) return EXIT.allow;
  const [tool, argsText, ...rest] = parsed.operands;
  if (tool === undefined) throw new PaldronError("usage", usageLine(COMMANDS.check));
  if (rest.length > 0) {
    throw new PaldronError(
      "usage",
      `unexpected argument '${rest[0] ?? ""}' (a check takes a tool and one JSON object)`,
    );
  }
  const { env } = context;
  const { policy } = loadPolicyFile(policyPath(parsed, env));
  const workspace = workspaceOf(parsed, env, policy);
  const { decision } = await runCheck({ tool, argsText, policy, workspace, env });
  if (parsed.values.has("--json")) context.out(`${visibleJson(jsonOf(decision))}\n`);
  else if (decision.decision === "allow") context.out(`paldron: allow ${visible(tool)}\n`);
  if (decision.decision === "allow") return EXIT.allow;
  context.say(`deny: ${describe(decision)}${decision.decision === "ask" ? " needs approval" : ""}`);
  return EXIT.deny;
}

/** All keys, always, in this order. */
function jsonOf({ decision, rule, code, reason, what }: Decision): Record<string, string | null> {
  return { decision, rule, code, reason: reason ?? null, what };
}
