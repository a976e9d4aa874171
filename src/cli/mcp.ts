import { PaldronError } from "../core/errors.ts";
import { EXIT } from "../core/exit-codes.ts";
import { watchInterrupts } from "../host/interrupts.ts";
import { COMMANDS } from "./commands.ts";
import type { Context } from "./context.ts";
import { parseOrHelp } from "./parse-or-help.ts";
import { judgementOf } from "./policy-option.ts";
import { usageLine } from "./usage.ts";

export async function run(args: readonly string[], context: Context): Promise<number> {
  const parsed = parseOrHelp(COMMANDS.mcp, args, context);
  if (parsed === undefined) return EXIT.allow;
  if (parsed.operands.length > 0) throw new PaldronError("usage", usageLine(COMMANDS.mcp));
  const { env } = context;
  const desk = { ...judgementOf(parsed, env), env };
  const { signal } = watchInterrupts();
  const warn = (warning: string): void => context.say(`warning: ${warning}`);
  // Loaded here, so that what is wrong with the policy is told first.
  const { serveTools } = await import("../app/mcp/server.ts");
  await serveTools({ desk, signal, warn });
  return EXIT.allow;
}
