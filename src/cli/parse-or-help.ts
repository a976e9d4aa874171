import { PaldronError } from "../core/errors.ts";
import type { CommandSpec } from "./commands.ts";
import type { Context } from "./context.ts";
import { type ParsedArgs, type ParseOptions, parseArgs } from "./parse.ts";
import { commandHelp, usageLine } from "./usage.ts";

/** The parsed arguments; undefined when help was asked for and has been printed. */
export function parseOrHelp(
  spec: CommandSpec,
  args: readonly string[],
  context: Context,
  options?: ParseOptions,
): ParsedArgs | undefined {
  const parsed = parseArgs(spec, args, options);
  if (!parsed.help) return parsed;
  context.out(commandHelp(spec));
  return undefined;
}

export function noOperands(spec: CommandSpec, parsed: ParsedArgs): void {
  const first = parsed.operands[0];
  if (first === undefined) return;
  throw new PaldronError("usage", `unexpected argument '${first}' (${usageLine(spec)})`);
}
