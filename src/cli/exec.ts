import { runExec } from "../app/exec.ts";
import type { ExecResult, RunExecOptions } from "../app/exec-types.ts";
import { makeReceipt } from "../app/receipt.ts";
import { PaldronError } from "../core/errors.ts";
import { CHILD_EXIT, EXIT } from "../core/exit-codes.ts";
import { watchInterrupts } from "../host/interrupts.ts";
import { openReceipt } from "../host/receipt-file.ts";
import { COMMANDS, EXEC_FORMATS, EXIT_MODES } from "./commands.ts";
import type { Context } from "./context.ts";
import { visibleJson } from "./escape.ts";
import { type ExitMode, execExitCode, execJson, execMessages, execReport } from "./exec-render.ts";
import type { ParsedArgs } from "./parse.ts";
import { parseOrHelp } from "./parse-or-help.ts";
import { judgementOf } from "./policy-option.ts";
import { usageLine } from "./usage.ts";

type Format = (typeof EXEC_FORMATS)[number];

export async function run(args: readonly string[], context: Context): Promise<number> {
  try {
    const parsed = parseOrHelp(COMMANDS.exec, args, context, { operandsAreCommand: true });
    if (parsed === undefined) return EXIT.allow;
    if (parsed.operands.length === 0) throw new PaldronError("usage", usageLine(COMMANDS.exec));
    return await execute(parsed, context);
  } catch (error) {
    context.complain(error);
    return asksForChildStatus(args) ? CHILD_EXIT.broken : EXIT.broken;
  }
}

/** Whether `--exit=child` was meant, also where the arguments as a whole could not be read. */
function asksForChildStatus(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  return own.some((word, i) => word === "--exit=child" || (word === "--exit" && own[i + 1] === "child"));
}

function choice<T extends string>(parsed: ParsedArgs, name: string, choices: readonly [T, ...T[]]): T {
  return choices.find((known) => known === parsed.values.get(name)) ?? choices[0];
}

async function execute(parsed: ParsedArgs, context: Context): Promise<number> {
  const { env } = context;
  const format = choice(parsed, "--format", EXEC_FORMATS);
  const exitMode = choice(parsed, "--exit", EXIT_MODES);
  const { policy, source, workspace } = judgementOf(parsed, env);
  const receiptPath = parsed.values.get("--receipt");
  const receiptFile = receiptPath === undefined ? undefined : openReceipt(receiptPath, workspace.cwd);
  const interrupts = watchInterrupts();
  const options: RunExecOptions = {
    argv: parsed.operands,
    policy,
    source,
    workspace,
    env,
    output: format === "stream" ? "stream" : "capture",
    stdin: "inherit",
    jobControl: true,
    signal: interrupts.signal,
    // Loaded where there is something to ask.
    confirm: async (decision) =>
      (await import("./ask.ts")).confirmAtTerminal(decision, parsed.operands, interrupts.signal),
    ...(parsed.values.has("--approved") ? { confirm: async () => true } : {}),
    onWarning: (warning) => context.say(`warning: ${warning}`),
  };
  const result = await runExec(options);
  interrupts.stop();
  try {
    receiptFile?.write(`${visibleJson(makeReceipt(options, result), 2)}\n`);
  } catch (error) {
    // What the run did is worth knowing all the more where it kept the receipt from being written.
    for (const message of execMessages(result, exitMode)) context.say(message);
    throw error;
  }
  return answer({ options, result, format, exitMode, context });
}

interface Answer {
  readonly options: RunExecOptions;
  readonly result: ExecResult;
  readonly format: Format;
  readonly exitMode: ExitMode;
  readonly context: Context;
}

function answer({ options, result, format, exitMode, context }: Answer): number {
  for (const message of execMessages(result, exitMode)) context.say(message);
  if (format === "report") context.outBytes(execReport(result));
  if (format === "json") context.out(`${visibleJson(execJson(result, makeReceipt(options, result)), 2)}\n`);
  return execExitCode(result, exitMode);
}
