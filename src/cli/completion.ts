import { PaldronError } from "../core/errors.ts";
import { EXIT } from "../core/exit-codes.ts";
import { COMMANDS, SHELLS } from "./commands.ts";
import { completionScript } from "./completion-scripts.ts";
import type { Context } from "./context.ts";
import { parseOrHelp } from "./parse-or-help.ts";
import { usageLine } from "./usage.ts";

export function run(args: readonly string[], context: Context): number {
  const parsed = parseOrHelp(COMMANDS.completion, args, context);
  if (parsed === undefined) return EXIT.allow;
  const [name, ...rest] = parsed.operands;
  const shell = SHELLS.find((known) => known === name);
  if (shell === undefined || rest.length > 0) throw new PaldronError("usage", usageLine(COMMANDS.completion));
  context.out(completionScript(shell));
  return EXIT.allow;
}
