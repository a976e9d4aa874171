import type { Desk } from "../app/mcp/desk.ts";
import { describe } from "../core/decision.ts";
import { PaldronError } from "../core/errors.ts";
import { EXIT } from "../core/exit-codes.ts";
import { watchInterrupts } from "../host/interrupts.ts";
import { COMMANDS } from "./commands.ts";
import type { Context } from "./context.ts";
import type { ParsedArgs } from "./parse.ts";
import { parseOrHelp } from "./parse-or-help.ts";
import { judgementOf } from "./policy-option.ts";
import { usageLine } from "./usage.ts";

const OF_PROXY = ["--name", "--env", "--unconfined"];

export async function run(args: readonly string[], context: Context): Promise<number> {
  const parsed = parseOrHelp(COMMANDS.mcp, args, context, { operandsAreCommand: true });
  if (parsed === undefined) return EXIT.allow;
  const isProxy = parsed.values.has("--proxy");
  if (isProxy !== parsed.operands.length > 0) throw new PaldronError("usage", usageLine(COMMANDS.mcp));
  const stray = OF_PROXY.find((name) => !isProxy && parsed.values.has(name));
  if (stray !== undefined) throw new PaldronError("usage", `${stray} belongs to --proxy`);
  const { env } = context;
  const desk = { ...judgementOf(parsed, env), env };
  if (isProxy) return await proxy(parsed, desk, context);
  const { signal } = watchInterrupts();
  const warn = (warning: string): void => context.say(`warning: ${warning}`);
  // Loaded here, so that what is wrong with the policy is told first.
  const { serveTools } = await import("../app/mcp/server.ts");
  await serveTools({ desk, signal, warn });
  return EXIT.allow;
}

async function proxy({ values, operands }: ParsedArgs, desk: Desk, context: Context): Promise<number> {
  const name = values.get("--name") ?? operands[0]?.split("/").at(-1) ?? "";
  if (!/^[A-Za-z0-9._-]+$/.test(name) || name.includes("__"))
    throw new PaldronError("usage", "--name takes letters, digits, `.`, `-` and single `_`");
  const variables = (values.get("--env") ?? "").split(",").filter((part) => part !== "");
  const odd = variables.find((variable) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable));
  if (odd !== undefined) throw new PaldronError("usage", `--env takes names of variables, not '${odd}'`);
  const unconfined = values.has("--unconfined");
  if (unconfined && variables.length > 0)
    throw new PaldronError("usage", "an --unconfined server has all variables: leave --env out");
  if (unconfined) context.say(`warning: ${name} runs unconfined; only calls of its tools are judged`);
  const { runProxy } = await import("../app/mcp/proxy.ts");
  const { signal } = watchInterrupts();
  const say = (message: string): void => context.say(message);
  const end = await runProxy({ desk, argv: operands, name, unconfined, variables, signal, say });
  if (end.kind === "done") return EXIT.allow;
  if (end.kind === "server-ended") {
    context.say(`the server ${end.how}`);
    return EXIT.broken;
  }
  const { decision } = end;
  context.say(`deny: ${describe(decision)}${decision.decision === "ask" ? " needs approval" : ""}`);
  return EXIT.deny;
}
