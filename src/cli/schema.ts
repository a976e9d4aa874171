import { policySchema, toolSchema } from "../app/schema.ts";
import { PaldronError } from "../core/errors.ts";
import { EXIT } from "../core/exit-codes.ts";
import { COMMANDS } from "./commands.ts";
import type { Context } from "./context.ts";
import { visibleJson } from "./escape.ts";
import { noOperands, parseOrHelp } from "./parse-or-help.ts";
import { usageLine } from "./usage.ts";

export function run(args: readonly string[], context: Context): number {
  const parsed = parseOrHelp(COMMANDS.schema, args, context);
  if (parsed === undefined) return EXIT.allow;
  noOperands(COMMANDS.schema, parsed);
  const tool = parsed.values.get("--tool");
  const policy = parsed.values.has("--policy");
  if ((tool === undefined) !== policy) throw new PaldronError("usage", usageLine(COMMANDS.schema));
  const schema = tool === undefined ? policySchema() : toolSchema(tool);
  context.out(`${visibleJson(schema, 2)}\n`);
  return EXIT.allow;
}
