import type { JsonObject } from "../../core/strict-json.ts";

/** Payloads with which a registered hook is tried: one that it must deny, and one that it must let pass. */
export interface TryPayloads {
  readonly deny: JsonObject;
  readonly allow: JsonObject;
}

const SUBAGENT: JsonObject = { description: "nothing", prompt: "nothing" };

/** Undefined: the event has no call to judge, or is not known. `folder` holds nothing; no hook opens what is named. */
export function tryPayloads(agent: string, event: string, folder: string): TryPayloads | undefined {
  const secret = `${folder}/.env`;
  const named = (tool: string, input: JsonObject): JsonObject => ({
    session_id: "paldron-doctor",
    cwd: folder,
    hook_event_name: event,
    tool_name: tool,
    tool_input: input,
  });
  switch (`${agent} ${event}`) {
    case "claude PreToolUse":
      return { deny: named("Read", { file_path: secret }), allow: named("Agent", SUBAGENT) };
    case "claude PreSkillShellCommand":
      return { deny: named("Bash", { command: "cat .env" }), allow: named("Bash", { command: "true" }) };
    case "claude ConfigChange":
      return {
        deny: { hook_event_name: event, source: "project_settings" },
        allow: { hook_event_name: event, source: "user_settings" },
      };
    case "codex PreToolUse":
      return {
        deny: named("Bash", { command: "cat .env" }),
        allow: named("spawn_agent", { message: "nothing" }),
      };
    case "gemini BeforeTool":
      return {
        deny: named("read_file", { file_path: secret }),
        allow: named("invoke_agent", { agent_name: "nothing", prompt: "nothing" }),
      };
    case "qwen PreToolUse":
      return { deny: named("read_file", { file_path: secret }), allow: named("task", SUBAGENT) };
    case "copilot preToolUse":
      return { deny: copilot(folder, "view", { path: secret }), allow: copilot(folder, "task", SUBAGENT) };
    case "opencode tool.execute.before":
      return {
        deny: opencode(folder, "read", { filePath: secret }),
        allow: opencode(folder, "task", SUBAGENT),
      };
    default:
      return agent === "cursor" ? cursor(event, folder) : undefined;
  }
}

function copilot(cwd: string, toolName: string, toolArgs: JsonObject): JsonObject {
  return { sessionId: "paldron-doctor", timestamp: 0, cwd, toolName, toolArgs };
}

function opencode(directory: string, tool: string, args: JsonObject): JsonObject {
  return { hook: "tool.execute.before", input: { tool }, output: { args }, directory };
}

function cursor(event: string, folder: string): TryPayloads | undefined {
  const common = { hook_event_name: event, workspace_roots: [folder] };
  const secret = `${folder}/.env`;
  switch (event) {
    case "preToolUse":
      return {
        deny: { ...common, tool_name: "Read", tool_input: { file_path: secret } },
        allow: { ...common, tool_name: "Task", tool_input: { prompt: "nothing" } },
      };
    case "beforeShellExecution":
      return { deny: { ...common, command: "cat .env" }, allow: { ...common, command: "true" } };
    case "beforeMCPExecution":
      return {
        deny: { ...common, tool_name: "read", tool_input: JSON.stringify({ path: secret }) },
        allow: { ...common, tool_name: "nothing", tool_input: "{}" },
      };
    case "beforeReadFile":
      return {
        deny: { ...common, file_path: secret, content: "" },
        allow: { ...common, file_path: `${folder}/plain.txt`, content: "" },
      };
    default:
      return undefined;
  }
}

export interface HookRun {
  /** Undefined: ended by a signal, or never started. */
  readonly exit: number | undefined;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** What an agent makes of an answer. `broken`: it could not judge, and blocks. */
export type HookVerdict = "allow" | "ask" | "deny" | "broken" | "wrong";

const DECISIONS: Readonly<Record<string, HookVerdict>> = { allow: "allow", ask: "ask", deny: "deny" };

/** Reads what a hook answered, as strictly as the agent that understands the least. */
export function readVerdict(agent: string, { exit, stdout, stderr }: HookRun): HookVerdict {
  const isBroken = /could not be judged/.test(stdout + stderr);
  if (exit === 2 && stderr.trim() !== "" && (stdout.trim() === "" || agent === "cursor")) {
    return isBroken ? "broken" : "deny";
  }
  if (exit !== 0) return "wrong";
  if (stdout.trim() === "") return "allow";
  const said = /"(?:permissionDecision|permission|decision)":"(\w+)"/.exec(stdout)?.[1];
  // A changed call without a decision goes on.
  const verdict = said === undefined && /"(?:updatedInput|modifiedArgs|args)":/.test(stdout) ? "allow" : said;
  return isBroken ? "broken" : (DECISIONS[verdict ?? ""] ?? "wrong");
}
