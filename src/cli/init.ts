import { hookLine } from "../agents/install/hooks.ts";
import type { Places, Scope } from "../agents/install/places.ts";
import { planTrust } from "../app/codex-trust.ts";
import { applyInit, type InitPlan, placesOf, planInit } from "../app/init.ts";
import { encodeBytes } from "../core/bytes.ts";
import { PaldronError } from "../core/errors.ts";
import { EXIT } from "../core/exit-codes.ts";
import { nearest } from "../core/nearest.ts";
import { clientProgram } from "../host/find-program.ts";
import { watchInterrupts } from "../host/interrupts.ts";
import { ownProgram } from "../host/own-program.ts";
import { askPerson } from "../host/person.ts";
import { loadPolicyFile } from "../host/policy-file.ts";
import { realPathOf } from "../host/real-path.ts";
import { workspaceFolder } from "../host/workspace.ts";
import { AGENTS, COMMANDS } from "./commands.ts";
import type { Context } from "./context.ts";
import { changesText } from "./init-render.ts";
import type { ParsedArgs } from "./parse.ts";
import { parseOrHelp } from "./parse-or-help.ts";
import { usageLine } from "./usage.ts";

/** A person who has not answered by then is not there. */
const TIMEOUT_MS = 120_000;

export async function run(args: readonly string[], context: Context): Promise<number> {
  const parsed = parseOrHelp(COMMANDS.init, args, context);
  if (parsed === undefined) return EXIT.allow;
  const agent = agentOf(parsed);
  const undo = parsed.values.has("--undo");
  const policy = policyPath(parsed, undo);
  if (agent === "generic") {
    context.out(`${hookLine(agent, { ...ownProgram(), policy })}\n`);
    return EXIT.allow;
  }
  const places = placesOf(context.env, workspaceFolder({}).root, "");
  const scope = scopeOf(parsed);
  const plan = planInit({ agent, scope, undo, policy, places });
  for (const note of plan.notes) context.say(note);
  const dry = parsed.values.has("--dry-run");
  const trusts = agent === "codex" && scope !== "managed" && !undo;
  if (plan.changes.length > 0) {
    context.out(changesText(plan));
    if (dry) return EXIT.allow;
    if (!parsed.values.has("--yes") && !(await isConfirmed(trusts))) {
      context.say("needs approval: nothing was written (answer yes on a terminal, or give --yes)");
      return EXIT.deny;
    }
    apply(plan, context);
  } else context.out(undo ? "nothing to undo\n" : "nothing to change\n");
  if (trusts && !dry) await trust(places, scope, context);
  return EXIT.allow;
}

function agentOf({ operands }: ParsedArgs): string {
  const [name, ...rest] = operands;
  if (name === undefined || rest.length > 0) throw new PaldronError("usage", usageLine(COMMANDS.init));
  if ((AGENTS as readonly string[]).includes(name)) return name;
  const meant = nearest(name, AGENTS);
  const hint = meant === undefined ? AGENTS.join(", ") : `did you mean '${meant}'?`;
  throw new PaldronError("usage", `unknown agent '${name}' (${hint})`);
}

function scopeOf({ values }: ParsedArgs): Scope {
  const scope = values.get("--scope");
  if (!values.has("--managed")) return scope === "project" ? "project" : "user";
  if (scope === undefined) return "managed";
  throw new PaldronError("usage", "--managed and --scope exclude each other");
}

/** The absolute path of a policy that can be loaded: a hook with a broken one would block every call. */
function policyPath({ values }: ParsedArgs, undo: boolean): string | undefined {
  const option = values.get("--policy");
  if (option === undefined) return undefined;
  if (undo) throw new PaldronError("usage", "--undo needs no --policy");
  loadPolicyFile(option);
  const path = realPathOf(option);
  if (/\p{Surrogate}/u.test(path)) throw new PaldronError("usage", "the path of the policy is not utf-8");
  return path;
}

async function isConfirmed(trusts: boolean): Promise<boolean> {
  const interrupts = watchInterrupts();
  const more = trusts ? ", and record Codex's trust in these hooks" : "";
  const text = encodeBytes(`paldron: write this${more}? [y/N] `);
  const answer = await askPerson({ text, timeoutMs: TIMEOUT_MS, signal: interrupts.signal });
  interrupts.stop();
  return ["y", "yes"].includes(answer.trim().toLowerCase());
}

function apply(plan: InitPlan, context: Context): void {
  applyInit(plan);
  for (const { file, text } of plan.changes)
    context.say(`${text === undefined ? "removed" : "wrote"} ${file.path}`);
}

async function trust(places: Places, scope: Scope, context: Context): Promise<void> {
  const program = clientProgram("codex", places);
  const { change, note } = await planTrust({ program, scope, places });
  if (note !== undefined) context.say(note);
  if (change === undefined) return;
  const plan = { changes: [change], notes: [] };
  context.out(changesText(plan));
  apply(plan, context);
}
