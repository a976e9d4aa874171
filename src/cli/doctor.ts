import { runDoctor } from "../app/doctor.ts";
import { EXIT } from "../core/exit-codes.ts";
import { watchInterrupts } from "../host/interrupts.ts";
import { COMMANDS } from "./commands.ts";
import type { Context } from "./context.ts";
import { doctorJson, doctorText } from "./doctor-render.ts";
import { visibleJson } from "./escape.ts";
import { noOperands, parseOrHelp } from "./parse-or-help.ts";
import { policyOf } from "./policy-option.ts";

export async function run(args: readonly string[], context: Context): Promise<number> {
  const parsed = parseOrHelp(COMMANDS.doctor, args, context);
  if (parsed === undefined) return EXIT.allow;
  noOperands(COMMANDS.doctor, parsed);
  const { env } = context;
  const { policy } = policyOf(parsed, env);
  const interrupts = watchInterrupts();
  const report = await runDoctor({ policy, env, signal: interrupts.signal });
  interrupts.stop();
  if (parsed.values.has("--json")) context.out(`${visibleJson(doctorJson(report), 2)}\n`);
  else context.out(doctorText(report));
  return report.ok ? EXIT.allow : EXIT.broken;
}
