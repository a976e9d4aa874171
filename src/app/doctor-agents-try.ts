import { handlerWords, type OwnCall } from "../agents/install/own-handler.ts";
import { type HookVerdict, readVerdict, tryPayloads } from "../agents/install/try-payloads.ts";
import type { JsonObject } from "../core/strict-json.ts";
import { isProgram } from "../host/find-program.ts";
import { fireHook } from "../host/fire-hook.ts";
import { ownProgram } from "../host/own-program.ts";
import { realPathOf } from "../host/real-path.ts";
import { initLine } from "./doctor-agents-judge.ts";
import type { AgentFault, AgentHook, FaultCode } from "./doctor-agents-types.ts";

export interface TryInput {
  readonly agent: string;
  readonly hook: AgentHook;
  readonly call: OwnCall;
  /** An empty folder that stands for a workspace. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_TIMEOUT_MS = 20_000;
const MOST_MS = 60_000;

/** Starts a hook as it is registered, if it is this Paldron and nothing else, and looks at what it answers. */
export async function tryHook(input: TryInput): Promise<AgentFault | undefined> {
  const { agent, hook, call, folder } = input;
  const found = (code: FaultCode, what: string): AgentFault => ({
    code,
    where: hook.file.path,
    what: `${hook.event}: ${what}`,
    remedy: `run \`${initLine(agent, hook.file.scope)}\``,
  });
  for (const path of [call.node ?? "", call.program]) {
    if (!isProgram(path)) return found("not-found", `${path} is not there, or cannot be started`);
  }
  const own = ownProgram();
  // INVARIANT: nothing is started but the interpreter and the program that run here.
  if (realPathOf(call.program) !== own.program || realPathOf(call.node ?? "") !== realPathOf(own.node)) {
    return found(
      "other-installation",
      `starts ${call.node} ${call.program}, which is not this one and was not tried`,
    );
  }
  const payloads = tryPayloads(agent, hook.event, call.workspace ?? folder);
  if (payloads === undefined) return undefined;
  const [deny, allow] = await Promise.all([fire(input, payloads.deny), fire(input, payloads.allow)]);
  if (deny === "timeout" || allow === "timeout") return found("timeout", "no answer within its time limit");
  if (deny === "broken" || allow === "broken") {
    return found("broken", "blocks every call: the policy or the workspace that it names cannot be used");
  }
  if (deny !== "deny") return found("wrong-answer", `a call that must be denied got: ${deny}`);
  // A policy may deny or ask about this one, too; what it may not do is to say nothing that the agent understands.
  return allow === "wrong"
    ? found("wrong-answer", "a call that may pass got an answer that nobody understands")
    : undefined;
}

async function fire(
  { agent, hook, folder, env }: TryInput,
  payload: JsonObject,
): Promise<HookVerdict | "timeout"> {
  const { handler } = hook;
  const { command, bash, args } = handler;
  const words = args === undefined ? undefined : handlerWords(handler);
  const fired = await fireHook({
    command: words ?? String(command ?? bash),
    cwd: folder,
    env,
    input: JSON.stringify(payload),
    timeoutMs: timeoutOf(agent, handler),
  });
  return fired.timedOut ? "timeout" : readVerdict(agent, fired);
}

function timeoutOf(agent: string, handler: JsonObject): number {
  const value = handler["timeout"] ?? handler["timeoutSec"];
  if (typeof value !== "number") return DEFAULT_TIMEOUT_MS;
  const ms = agent === "gemini" || agent === "qwen" ? value : value * 1000;
  return Math.min(Math.max(ms, 1), MOST_MS);
}
