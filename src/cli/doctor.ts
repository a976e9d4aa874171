import { runDoctor } from "../app/doctor.ts";
import { runDoctorWorkspace } from "../app/doctor-workspace.ts";
import { EXIT } from "../core/exit-codes.ts";
import { watchInterrupts } from "../host/interrupts.ts";
import { COMMANDS } from "./commands.ts";
import type { Context } from "./context.ts";
import { doctorJson, doctorText } from "./doctor-render.ts";
import { visibleJson } from "./escape.ts";
import type { ParsedArgs } from "./parse.ts";
import { noOperands, parseOrHelp } from "./parse-or-help.ts";
import { judgementOf, policyOf } from "./policy-option.ts";

export async function run(args: readonly string[], context: Context): Promise<number> {
  const parsed = parseOrHelp(COMMANDS.doctor, args, context);
  if (parsed === undefined) return EXIT.allow;
  noOperands(COMMANDS.doctor, parsed);
  const { env } = context;
  const interrupts = watchInterrupts();
  const options = { env, signal: interrupts.signal };
  const report = parsed.values.has("--workspace")
    ? await runDoctorWorkspace({ ...options, ...judgementOf(currentAsDefault(parsed), env) })
    : await runDoctor({ ...options, ...policyOf(parsed, env) });
  interrupts.stop();
  if (parsed.values.has("--json")) context.out(`${visibleJson(doctorJson(report), 2)}\n`);
  else context.out(doctorText(report));
  return report.ok ? EXIT.allow : EXIT.broken;
}

/** `--workspace` alone means the current folder, as no `--workspace` does elsewhere. */
function currentAsDefault(parsed: ParsedArgs): ParsedArgs {
  if (parsed.values.get("--workspace") !== "") return parsed;
  const others = [...parsed.values].filter(([name]) => name !== "--workspace");
  return { ...parsed, values: new Map(others) };
}
