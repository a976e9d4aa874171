import { runHook } from "../app/hook.ts";
import { PaldronError } from "../core/errors.ts";
import { EXIT } from "../core/exit-codes.ts";
import { COMMANDS } from "./commands.ts";
import type { Context } from "./context.ts";
import { parseOrHelp } from "./parse-or-help.ts";
import { judgementOf } from "./policy-option.ts";
import { usageLine } from "./usage.ts";

export async function run(args: readonly string[], context: Context): Promise<number> {
  const parsed = parseOrHelp(COMMANDS.hook, args, context);
  if (parsed === undefined) return EXIT.allow;
  const agent = parsed.values.get("--agent");
  if (agent === undefined || parsed.operands.length > 0) {
    throw new PaldronError("usage", usageLine(COMMANDS.hook));
  }
  const { env } = context;
  const reply = await runHook({
    agent,
    judgement: (root) => judgementOf(parsed, env, root),
    env,
  });
  const said = context.put(2, reply.stderr);
  // An answer that nobody got must not look like silence, which most clients take for a yes.
  if (reply.stdout !== "" && !context.put(1, reply.stdout)) return EXIT.deny;
  return said ? reply.exit : EXIT.deny;
}
