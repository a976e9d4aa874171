import { runCheck } from "../app/check.ts";
import { type Decision, describe } from "../core/decision.ts";
import { PaldronError } from "../core/errors.ts";
import { EXIT } from "../core/exit-codes.ts";
import { COMMANDS } from "./commands.ts";
import type { Context } from "./context.ts";
import { visible, visibleJson } from "./escape.ts";
import type { ParsedArgs } from "./parse.ts";
import { parseOrHelp } from "./parse-or-help.ts";
import { judgementOf } from "./policy-option.ts";
import { usageLine } from "./usage.ts";

export async function run(args: readonly string[], context: Context): Promise<number> {
  const parsed = parseOrHelp(COMMANDS.check, args, context);
  if (parsed === undefined) return EXIT.allow;
  if (parsed.values.has("--stdin")) return checkStdin(parsed, context);
  const [tool, argsText, ...rest] = parsed.operands;
  if (tool === undefined) throw new PaldronError("usage", usageLine(COMMANDS.check));
  if (rest.length > 0) {
    throw new PaldronError(
      "usage",
      `unexpected argument '${rest[0] ?? ""}' (a check takes a tool and one JSON object)`,
    );
  }
  const { env } = context;
  const { policy, workspace } = judgementOf(parsed, env);
  const { decision } = await runCheck({ tool, argsText, policy, workspace, env });
  return answer({ decision, json: jsonOf(decision), parsed, context });
}

interface Answer {
  readonly decision: Decision;
  readonly json: Readonly<Record<string, unknown>>;
  readonly parsed: ParsedArgs;
  readonly context: Context;
}

function answer({ decision, json, parsed, context }: Answer): number {
  const allowed = decision.decision === "allow";
  if (parsed.values.has("--json")) context.out(`${visibleJson(json)}\n`);
  else if (allowed) context.out(`paldron: allow ${visible(decision.what)}\n`);
  if (allowed) return EXIT.allow;
  context.say(`deny: ${describe(decision)}${decision.decision === "ask" ? " needs approval" : ""}`);
  return EXIT.deny;
}

/** The call of an agent's tool, as one JSON document on standard input. */
async function checkStdin(parsed: ParsedArgs, context: Context): Promise<number> {
  if (parsed.operands.length > 0)
    throw new PaldronError("usage", "--stdin takes the tool from standard input");
  const [{ runCheckStdin }, { MAX_REQUEST_BYTES }, { readStdin }] = await Promise.all([
    import("../app/check-stdin.ts"),
    import("../app/agent-call.ts"),
    import("../host/stdin.ts"),
  ]);
  const { env } = context;
  const { policy, source, workspace } = judgementOf(parsed, env);
  const bytes = readStdin(MAX_REQUEST_BYTES);
  const { decision, effects } = await runCheckStdin({ bytes, policy, source, workspace, env });
  const reason = decision.decision === "allow" ? null : describe(decision);
  const { rule, code } = decision;
  const json = { decision: decision.decision, rule, code, reason };
  const full = parsed.values.has("--json") ? { ...json, effects: await effects() } : json;
  return answer({ decision, json: full, parsed, context });
}

/** All keys, always, in this order. */
function jsonOf({ decision, rule, code, reason, what }: Decision): Record<string, string | null> {
  return { decision, rule, code, reason: reason ?? null, what };
}
