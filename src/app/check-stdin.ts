import type { Decision } from "../core/decision.ts";
import { PaldronError } from "../core/errors.ts";
import type { Workspace } from "../core/request.ts";
import { isJsonObject, type JsonObject, parseStrictJson } from "../core/strict-json.ts";
import { type CallEffect, callEffects } from "../gate/call-effects.ts";
import { evaluate } from "../gate/evaluate.ts";
import { agentNeedsShell } from "../gate/needs-shell.ts";
import type { ShellJudge } from "../gate/shell-judge.ts";
import { fileView } from "../host/file-view.ts";
import { realPathOf } from "../host/real-path.ts";
import { sourcePaths } from "../policy/source-paths.ts";
import type { Policy, PolicySource } from "../policy/types.ts";
import { loadRules } from "./check.ts";

export const MAX_REQUEST_BYTES = 16 * 1024 * 1024;

export interface RunCheckStdinOptions {
  /** One JSON document: `{tool, args, cwd?}` or `{tool_name, tool_input, cwd?}`. */
  readonly bytes: Uint8Array;
  readonly policy: Policy;
  readonly source: PolicySource;
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A tool call as an agent made it. */
interface AgentCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly folder: string | undefined;
}

interface Judged {
  readonly decision: Decision;
  /** What the call would do; worked out when it is asked for. */
  readonly effects: () => readonly CallEffect[];
}

interface Shell {
  readonly judge: ShellJudge;
  readonly effects: (text: string, options: { cwd: string; home?: string }) => readonly CallEffect[];
}

async function loadShell(): Promise<Shell> {
  const [{ shellJudge }, { shellEffects }] = await Promise.all([
    import("../gate/shell.ts"),
    import("../gate/shell-effects.ts"),
  ]);
  return { judge: shellJudge, effects: shellEffects };
}

/** Judges the tool call of an agent that was read from standard input; runs nothing. */
export async function runCheckStdin(options: RunCheckStdinOptions): Promise<Judged> {
  const { policy, source, workspace, env } = options;
  const { tool, args, folder } = decodeCall(options.bytes);
  const view = fileView({ env, workspace });
  const request = { kind: "tool", tool, args, workspace } as const;
  const shell = agentNeedsShell(request, policy) ? await loadShell() : undefined;
  const decision = evaluate(request, policy, view, {
    shell: shell?.judge,
    rules: await loadRules(policy),
    unknownTools: policy.unknownTools,
    agent: true,
    folder,
    protectedFiles: sourcePaths(source).map(realPathOf),
  });
  const home = view.home === undefined ? {} : { home: view.home };
  const readShell = (text: string): readonly CallEffect[] =>
    shell?.effects(text, { cwd: folder ?? workspace.cwd, ...home }) ?? [];
  return { decision, effects: () => callEffects(tool, args, readShell) };
}

/** The keys of both forms, without case and separators: another spelling of one could be meant. */
const MEANT = new Map([
  ["tool", "tool"],
  ["args", "args"],
  ["cwd", "cwd"],
  ["toolname", "tool_name"],
  ["toolinput", "tool_input"],
  ["toolargs", "args"],
]);

function decodeCall(bytes: Uint8Array): AgentCall {
  const value = parseStrictJson(bytes, { what: "request", maxBytes: MAX_REQUEST_BYTES });
  if (!isJsonObject(value)) throw bad("it must be one object");
  for (const key of Object.keys(value)) {
    const meant = MEANT.get(key.toLowerCase().replace(/[\s_-]/g, ""));
    if (meant !== undefined && meant !== key)
      throw bad(`\`${key}\` is no key of it (did you mean \`${meant}\`?)`);
  }
  const own = "tool" in value || "args" in value;
  if (own && ("tool_name" in value || "tool_input" in value)) throw bad("it names two tools");
  const tool = value[own ? "tool" : "tool_name"];
  const args = value[own ? "args" : "tool_input"] ?? (own ? {} : undefined);
  const folder = value["cwd"];
  if (typeof tool !== "string" || tool.trim() === "") throw bad("the tool's name must be a string");
  if (!isJsonObject(args)) throw bad("the arguments must be one object");
  if (folder !== undefined && (typeof folder !== "string" || !folder.startsWith("/"))) {
    throw bad("`cwd` must be an absolute path");
  }
  return { tool, args, folder };
}

function bad(why: string): PaldronError {
  return new PaldronError("request", `bad request: ${why}`);
}
