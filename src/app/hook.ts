import { PROTOCOLS } from "../agents/protocols.ts";
import type { AgentProtocol, BeforeEvent, HookEvent, HookReply } from "../agents/types.ts";
import { unwrapCommand, wrapCommand } from "../agents/wrapper.ts";
import type { Decision } from "../core/decision.ts";
import { PaldronError } from "../core/errors.ts";
import type { Workspace } from "../core/request.ts";
import { isJsonObject, type JsonObject, parseStrictJson } from "../core/strict-json.ts";
import { ownProgram } from "../host/own-program.ts";
import { realPathOf } from "../host/real-path.ts";
import { readStdinWithin } from "../host/stdin.ts";
import type { Policy, PolicySource } from "../policy/types.ts";
import { agentTool } from "../tools/agent-tools.ts";
import { judgeAgentCall, MAX_REQUEST_BYTES } from "./agent-call.ts";
import { cleanOutput } from "./hook-output.ts";
import { hookReason } from "./hook-reason.ts";

/** Below every client's own time limit (Copilot's 30 s is the shortest), because most of them go on at theirs. */
const DEADLINE_MS = 10_000;

export interface RunHookOptions {
  /** A key of `PROTOCOLS`. */
  readonly agent: string;
  /**
   * Policy and workspace; `root` is the folder that the client was opened for, where that is known. A function, because
   * what is wrong with them is a block in the client's protocol.
   */
  readonly judgement: (root: string | undefined) => HookJudgement;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: standard input. */
  readonly bytes?: Uint8Array | undefined;
}

/** What calls are judged by, and where. */
interface HookJudgement {
  readonly policy: Policy;
  readonly source: PolicySource;
  readonly workspace: Workspace;
}

interface Place extends HookJudgement {
  readonly env: RunHookOptions["env"];
}

/** Judges the payload of an agent's hook. Whatever goes wrong is that protocol's block; nothing is allowed by it. */
export async function runHook(options: RunHookOptions): Promise<HookReply> {
  const protocol = Object.hasOwn(PROTOCOLS, options.agent) ? PROTOCOLS[options.agent] : undefined;
  if (protocol === undefined) throw new PaldronError("usage", `unknown agent '${options.agent}'`);
  let event: HookEvent | undefined;
  try {
    const bytes = options.bytes ?? (await readStdinWithin(MAX_REQUEST_BYTES, DEADLINE_MS));
    const payload = parseStrictJson(bytes, { what: "payload", maxBytes: MAX_REQUEST_BYTES });
    if (!isJsonObject(payload)) throw new PaldronError("request", "the payload is not one object");
    event = protocol.decode(payload);
    return await reply(protocol, event, options);
  } catch (error) {
    // The text of an error that is not Paldron's own could repeat what was sent.
    const why = error instanceof PaldronError ? error.message : "internal error";
    const reason = `the call could not be judged: ${why}`;
    // A call that was understood is denied in its own form: in some clients only that shows the reason.
    return event?.kind === "before"
      ? protocol.answer(event, { kind: "deny", reason })
      : protocol.block(reason);
  }
}

async function reply(protocol: AgentProtocol, event: HookEvent, options: RunHookOptions): Promise<HookReply> {
  const silence: HookReply = { exit: 0, stdout: "", stderr: "" };
  switch (event.kind) {
    case "nothing":
      return silence;
    case "settings":
      // A project could switch the gate off while it runs; a person's own settings lie outside of its reach.
      return /user|policy|managed/i.test(event.source)
        ? silence
        : protocol.block("settings of the project changed during the session; start again to use them");
    case "before":
      return protocol.answer(event, await judge(event, place(protocol, event.root, options)));
    case "after": {
      const cleaned = cleanOutput(event.output, place(protocol, event.root, options));
      return cleaned === undefined ? silence : protocol.clean(event, cleaned);
    }
  }
}

function place(protocol: AgentProtocol, root: string | undefined, options: RunHookOptions): Place {
  const { env } = options;
  const named = protocol.rootVariable === undefined ? undefined : env[protocol.rootVariable];
  return { ...options.judgement(root ?? (named === "" ? undefined : named)), env };
}

type Answer = Parameters<AgentProtocol["answer"]>[1];

async function judge(event: BeforeEvent, where: Place): Promise<Answer> {
  const { policy, source, workspace } = where;
  const own = {
    ...ownProgram(),
    policy: source.path === undefined ? undefined : realPathOf(source.path),
    workspace: workspace.root,
  };
  const command = commandOf(event);
  const inner = command === undefined ? undefined : unwrapCommand(own, command.text);
  // What is not wrapped, and cannot be, is judged as a command that nothing bounds.
  const confined = command !== undefined && (event.rewrites || inner !== undefined);
  const text = inner ?? command?.text;
  const args =
    command === undefined || text === undefined ? event.args : { ...event.args, [command.key]: text };
  const { tool, folder } = event;
  const decision = await judgeAgentCall({ ...where, tool, args, folder, confined });
  const wrapped = (approved: boolean): JsonObject | undefined => {
    if (command === undefined || text === undefined || !event.rewrites) return undefined;
    const value = wrapCommand(own, text, approved);
    return value === command.text ? undefined : { ...event.args, [command.key]: value };
  };
  const reason = (): string => hookReason(decision, { text, policy, workspace });
  return answerOf({ decision, asks: event.asks, wrapped, reason });
}

interface AnswerInput {
  readonly decision: Decision;
  readonly asks: boolean;
  readonly wrapped: (approved: boolean) => JsonObject | undefined;
  readonly reason: () => string;
}

function answerOf({ decision, asks, wrapped, reason }: AnswerInput): Answer {
  if (decision.decision === "allow") return { kind: "allow", args: wrapped(false) };
  if (decision.decision === "deny") return { kind: "deny", reason: reason() };
  if (asks) return { kind: "ask", reason: reason(), args: wrapped(true) };
  return { kind: "deny", reason: `${reason()} needs approval, and this client cannot ask for it here` };
}

/** The shell command of a call, where it is text: what can be run confined. */
function commandOf({ tool, args }: BeforeEvent): { readonly key: string; readonly text: string } | undefined {
  const known = agentTool(tool);
  if (known?.kind !== "shell") return undefined;
  for (const [key, value] of Object.entries(args)) {
    if (known.args?.[key] === "command" && typeof value === "string") return { key, text: value };
  }
  return undefined;
}
