import { HOOK_TABLES, sameJson } from "../agents/install/hooks.ts";
import { handlerCall, type OwnCall } from "../agents/install/own-handler.ts";
import { isJsonObject, type Json } from "../core/strict-json.ts";
import type { AgentFault, AgentFile, AgentHook, FaultCode } from "./doctor-agents-types.ts";

/** What can be said of hooks by what stands in the files. Pure. */

export type HookKind =
  | { readonly kind: "own"; readonly call: OwnCall }
  /** Paldron's, for another agent. */
  | { readonly kind: "other-agent"; readonly call: OwnCall }
  /** It names Paldron in a form that cannot be tried without running something else. */
  | { readonly kind: "unclear" }
  | { readonly kind: "foreign" };

export function kindOf(agent: string, { handler, event }: AgentHook): HookKind {
  const call = handlerCall(handler);
  if (call !== undefined) return { kind: call.agent === agent ? "own" : "other-agent", call };
  const isPlugin = event === "tool.execute.before";
  return isPlugin || /\bpaldron\b.*\bhook\b/s.test(JSON.stringify(handler))
    ? { kind: "unclear" }
    : { kind: "foreign" };
}

/** Events in which a call can be stopped. */
export function gateEvents(agent: string): readonly string[] {
  if (agent === "opencode") return ["tool.execute.before"];
  return (HOOK_TABLES[agent]?.events ?? []).filter(({ gate }) => gate).map(({ event }) => event);
}

export function initLine(agent: string, scope: AgentFile["scope"], undo = false): string {
  const option = { managed: " --managed", user: "", project: " --scope=project", local: "" }[scope];
  return `paldron init ${agent}${option}${undo ? " --undo" : ""}`;
}

function fault(agent: string, { file }: AgentHook, code: FaultCode, what: string): AgentFault {
  return { code, where: file.path, what, remedy: `run \`${initLine(agent, file.scope)}\`` };
}

const EVERYTHING: readonly (Json | undefined)[] = [undefined, "", "*", ".*"];

/** Faults that show without trying: a hook with one is never started. */
export function staticFaults(agent: string, hook: AgentHook, call: OwnCall): readonly AgentFault[] {
  const { event, handler, matcher } = hook;
  const found = (code: FaultCode, what: string): AgentFault => fault(agent, hook, code, `${event}: ${what}`);
  const faults: AgentFault[] = [];
  if (call.node === undefined || !call.node.startsWith("/") || !call.program.startsWith("/")) {
    const what = call.node === undefined && call.program.startsWith("/") ? "looks up node" : "is looked up";
    faults.push(
      found("relative", `the program ${what} by a name: one that is planted there would run instead`),
    );
  }
  if (call.policy !== undefined && !call.policy.startsWith("/")) {
    faults.push(found("relative", "the policy is named by a relative path: another one may hold"));
  }
  if (!EVERYTHING.includes(matcher)) faults.push(found("matcher", "the matcher does not take every tool"));
  const when = ["async", "once", "if", "env", "cwd", "shell"].filter(
    (key) => key in handler && handler[key] !== false,
  );
  if (when.length > 0)
    faults.push(found("conditional", `\`${when.join("`, `")}\` changes when or how it runs`));
  if (handler["type"] !== undefined && handler["type"] !== "command") {
    faults.push(found("conditional", "its type is not `command`"));
  }
  return faults;
}

/** A hook that works, and lets calls pass where it fails. */
export function laxRemark(
  agent: string,
  { event, handler, file }: AgentHook,
  call: OwnCall,
): string | undefined {
  const { node = "", program, policy } = call;
  const strict = HOOK_TABLES[agent]?.handler({ node, program, policy }, event) ?? {};
  for (const key of ["onFailure", "failClosed"]) {
    if (key in strict && !sameJson(strict[key], handler[key])) {
      return `${file.path}: ${event}: without \`${key}\` a call goes on where the hook fails (${initLine(agent, file.scope)})`;
    }
  }
  return undefined;
}

/** Settings that keep this hook from running. */
export function disabledBy(
  agent: string,
  hook: AgentHook,
  files: readonly AgentFile[],
): readonly AgentFault[] {
  return files.flatMap((file) => {
    const key = switchIn(agent, hook, file);
    if (key === undefined) return [];
    const what = `${hook.event}: \`${key}\` switches it off`;
    const where = file.path;
    return [
      {
        code: "disabled" as const,
        where,
        what,
        remedy: `remove it, or use \`${initLine(agent, "managed")}\``,
      },
    ];
  });
}

function switchIn(agent: string, hook: AgentHook, { scope, path, value }: AgentFile): string | undefined {
  const at = (...keys: readonly string[]): Json | undefined =>
    keys.reduce<Json | undefined>((now, key) => (isJsonObject(now) ? now[key] : undefined), value);
  if (agent === "gemini") {
    const names = at("hooksConfig", "disabled");
    const { name, command } = hook.handler;
    // This list is put together from all scopes: nothing resists it.
    if (Array.isArray(names) && names.some((off: Json) => off === name || off === command))
      return "hooksConfig.disabled";
  }
  const resists = hook.file.scope === "managed" && scope !== "managed";
  if (agent === "codex") {
    const isFeature = path.endsWith("/config.toml") && at("features", "hooks") === false;
    return isFeature && !hook.file.path.endsWith("/requirements.toml") ? "features.hooks = false" : undefined;
  }
  if (resists) return undefined;
  if (agent === "gemini") return at("hooksConfig", "enabled") === false ? "hooksConfig.enabled" : undefined;
  if (agent === "claude" && hook.file.scope !== "managed" && at("allowManagedHooksOnly") === true) {
    return "allowManagedHooksOnly";
  }
  return agent !== "cursor" && at("disableAllHooks") === true ? "disableAllHooks" : undefined;
}

/** Variables that change what a hook does before it begins. */
const LOADERS = [
  "NODE_OPTIONS",
  "LD_PRELOAD",
  "LD_LIBRARY_PATH",
  "LD_AUDIT",
  "BASH_ENV",
  "ENV",
  "PALDRON_POLICY",
];

export function environmentFaults(files: readonly AgentFile[]): readonly AgentFault[] {
  return files.flatMap(({ path, value }) => {
    const env = isJsonObject(value) ? value["env"] : undefined;
    const names = isJsonObject(env) ? LOADERS.filter((name) => name in env) : [];
    return names.map((name) => ({
      code: "settings" as const,
      where: path,
      what: `\`env.${name}\` changes how the hook itself runs`,
      remedy: "remove it",
    }));
  });
}

/** The first version in which `onFailure` was seen for sure; earlier ones ignore it without a word. */
const CLAUDE_LEAST = [2, 1, 290] as const;

export function tooOld(agent: string, version: string | undefined): string | undefined {
  if (agent !== "claude" || version === undefined) return undefined;
  const parts = version.split(".").map(Number);
  const at = CLAUDE_LEAST.findIndex((least, index) => parts[index] !== least);
  if (at < 0 || (parts[at] ?? 0) > (CLAUDE_LEAST[at] ?? 0)) return undefined;
  return `version ${version} does not know \`onFailure\` for sure: a call goes on where the hook fails`;
}
