import { EXIT } from "../core/exit-codes.ts";
import { VERSION } from "../core/version.ts";
import { COMMANDS } from "./commands.ts";
import type { Context } from "./context.ts";
import { noOperands, parseOrHelp } from "./parse-or-help.ts";

export function run(args: readonly string[], context: Context): number {
  const parsed = parseOrHelp(COMMANDS.version, args, context);
  if (parsed === undefined) return EXIT.allow;
  noOperands(COMMANDS.version, parsed);
  context.out(`paldron ${VERSION}\n`);
  return EXIT.allow;
}
