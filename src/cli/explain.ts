import { type Explained, runExplain } from "../app/explain.ts";
import { PaldronError } from "../core/errors.ts";
import { EXIT } from "../core/exit-codes.ts";
import { agentTool } from "../tools/agent-tools.ts";
import { toolContract } from "../tools/contracts.ts";
import { COMMANDS } from "./commands.ts";
import type { Context } from "./context.ts";
import { visibleJson } from "./escape.ts";
import { explainJson, explainText } from "./explain-render.ts";
import type { ParsedArgs } from "./parse.ts";
import { parseOrHelp } from "./parse-or-help.ts";
import { judgementOf } from "./policy-option.ts";
import { usageLine } from "./usage.ts";

export async function run(args: readonly string[], context: Context): Promise<number> {
  const parsed = parseOrHelp(COMMANDS.explain, args, context, { operandsAreCommand: true });
  if (parsed === undefined) return EXIT.allow;
  const { policy, source, workspace } = judgementOf(parsed, context.env);
  const request = parsed.values.has("--stdin") ? await fromStdin(parsed) : fromOperands(parsed);
  const trace = await runExplain({ request, policy, source, workspace, env: context.env });
  if (parsed.values.has("--json")) context.out(`${visibleJson(explainJson(trace, source), 2)}\n`);
  else context.out(explainText(trace, source));
  return trace.decision.decision === "allow" ? EXIT.allow : EXIT.deny;
}

async function fromStdin(parsed: ParsedArgs): Promise<Explained> {
  if (parsed.operands.length > 0 || parsed.values.has("--as"))
    throw new PaldronError("usage", "--stdin takes the tool from standard input");
  const [{ MAX_REQUEST_BYTES }, { readStdin }] = await Promise.all([
    import("../app/agent-call.ts"),
    import("../host/stdin.ts"),
  ]);
  return { form: "stdin", bytes: readStdin(MAX_REQUEST_BYTES) };
}

function fromOperands(parsed: ParsedArgs): Explained {
  const { operands } = parsed;
  const [first, second] = operands;
  if (first === undefined) throw new PaldronError("usage", usageLine(COMMANDS.explain));
  const form = parsed.values.get("--as") ?? (looksLikeTool(operands) ? "tool" : "command");
  if (form === "command") return { form: "exec", argv: operands };
  if (operands.length > 2)
    throw new PaldronError("usage", "a tool call is a tool and one JSON object (or use --as=command)");
  return { form: "tool", tool: first, argsText: second };
}

function looksLikeTool([name = "", json, ...rest]: readonly string[]): boolean {
  if (rest.length > 0) return false;
  if (json !== undefined) return json.trimStart().startsWith("{");
  // `ls` alone is a program of every shell before it is a tool of some agent.
  return toolContract(name) !== undefined || (/^[A-Z]/.test(name) && agentTool(name) !== undefined);
}
