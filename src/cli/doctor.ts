import { runDoctor } from "../app/doctor.ts";
import { runDoctorWorkspace } from "../app/doctor-workspace.ts";
import { placesOf } from "../app/init.ts";
import { PaldronError } from "../core/errors.ts";
import { EXIT } from "../core/exit-codes.ts";
import { watchInterrupts } from "../host/interrupts.ts";
import { workspaceFolder } from "../host/workspace.ts";
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
  if (parsed.values.has("--agents")) return await runAgents(parsed, context);
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

/** Hooks name their own policy, and the project is the workspace. */
async function runAgents(parsed: ParsedArgs, context: Context): Promise<number> {
  if (parsed.values.has("--policy")) {
    throw new PaldronError("usage", "--agents takes no --policy: each hook names its own");
  }
  const { runDoctorAgents } = await import("../app/doctor-agents.ts");
  const { agentsJson, agentsText } = await import("./agents-render.ts");
  const project = workspaceFolder({ option: parsed.values.get("--workspace") || undefined }).root;
  const report = await runDoctorAgents(placesOf(context.env, project, ""));
  if (parsed.values.has("--json")) context.out(`${visibleJson(agentsJson(report), 2)}\n`);
  else context.out(agentsText(report));
  return report.ok ? EXIT.allow : EXIT.broken;
}

/** `--workspace` alone means the current folder, as no `--workspace` does elsewhere. */
function currentAsDefault(parsed: ParsedArgs): ParsedArgs {
  if (parsed.values.get("--workspace") !== "") return parsed;
  const others = [...parsed.values].filter(([name]) => name !== "--workspace");
  return { ...parsed, values: new Map(others) };
}
