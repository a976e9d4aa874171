import type { Json, JsonObject } from "../../core/strict-json.ts";
import { shellQuote } from "../wrapper.ts";
import type { Registration } from "./own-handler.ts";

/** What `init` writes into the settings of each agent that has hook commands. */
export interface HookTable {
  /** By event, in the order in which they are written. */
  readonly events: readonly HookEventSpec[];
  /** `hooks[event]` holds groups `{matcher, hooks: [handler]}`; else handlers themselves. */
  readonly grouped: boolean;
  /** `version: 1` beside `hooks`. */
  readonly version?: 1;
  readonly handler: (own: Registration, event: string) => JsonObject;
}

export interface HookEventSpec {
  readonly event: string;
  /** Absent: the event has none. */
  readonly matcher?: string;
  /** A call can be stopped there; what else is written is told only what came out. */
  readonly gate: boolean;
}

/** Seconds. Longer than the hook's own deadline, shorter than a person waits. */
const TIMEOUT = 20;

/** One line for the agent's shell, where it has no form without one. */
export function hookLine(agent: string, own: Registration): string {
  return hookWords(agent, own)
    .map((word) => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : shellQuote(word)))
    .join(" ");
}

export function hookWords(agent: string, { node, program, policy }: Registration): readonly string[] {
  return [node, program, "hook", `--agent=${agent}`, ...(policy === undefined ? [] : [`--policy=${policy}`])];
}

const gates = (events: string, matcher?: string): readonly HookEventSpec[] =>
  events.split(" ").map((event) => ({ event, gate: true, ...(matcher === undefined ? {} : { matcher }) }));
const after = (event: string, matcher?: string): HookEventSpec => ({
  event,
  gate: false,
  ...(matcher === undefined ? {} : { matcher }),
});

export const HOOK_TABLES: Readonly<Record<string, HookTable>> = {
  claude: {
    grouped: true,
    events: [
      ...gates("PreToolUse PreSkillShellCommand", "*"),
      after("PostToolUse", "*"),
      ...gates("ConfigChange"),
    ],
    handler: (own, event) => {
      const [command = "", ...args] = hookWords("claude", own);
      // What comes after a call cannot be undone, so that a failure there stops nothing.
      const strict: JsonObject = event === "PostToolUse" ? {} : { onFailure: "block" };
      return { type: "command", command, args, timeout: TIMEOUT, ...strict };
    },
  },
  codex: {
    grouped: true,
    events: [...gates("PreToolUse", "*"), after("PostToolUse", "*")],
    handler: (own) => ({ type: "command", command: hookLine("codex", own), timeout: TIMEOUT }),
  },
  gemini: {
    grouped: true,
    events: [...gates("BeforeTool", "*"), after("AfterTool", "*")],
    handler: (own, event) => ({
      type: "command",
      name: event === "BeforeTool" ? "paldron" : "paldron-output",
      command: hookLine("gemini", own),
      timeout: TIMEOUT * 1000,
    }),
  },
  qwen: {
    grouped: true,
    events: [...gates("PreToolUse", "*"), after("PostToolUse", "*")],
    handler: (own) => ({ type: "command", command: hookLine("qwen", own), timeout: TIMEOUT * 1000 }),
  },
  copilot: {
    grouped: false,
    version: 1,
    events: [...gates("preToolUse"), after("postToolUse")],
    handler: (own) => ({ type: "command", bash: hookLine("copilot", own), timeoutSec: TIMEOUT }),
  },
  cursor: {
    grouped: false,
    version: 1,
    events: gates("preToolUse beforeShellExecution beforeMCPExecution beforeReadFile"),
    handler: (own) => ({ command: hookLine("cursor", own), timeout: TIMEOUT, failClosed: true }),
  },
};

/** What stands in `hooks[event]`. */
export function hookEntry(table: HookTable, spec: HookEventSpec, own: Registration): JsonObject {
  const handler = table.handler(own, spec.event);
  if (!table.grouped) return handler;
  return { ...(spec.matcher === undefined ? {} : { matcher: spec.matcher }), hooks: [handler] };
}

export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return left.length === right.size && left.every(([key, value]) => sameJson(value, right.get(key)));
}
