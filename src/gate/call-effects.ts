import type { AgentArgument } from "../tools/agent-arguments.ts";
import { agentTool } from "../tools/agent-tools.ts";
import { patchFiles } from "../tools/apply-patch.ts";

/** One thing that a tool call would do, for people and programs that read the answer of `check`. */
export interface CallEffect {
  readonly kind: "read" | "write" | "command" | "network" | "assign" | "unknown";
  readonly what: string;
}

const KINDS: Partial<Record<AgentArgument, CallEffect["kind"]>> = {
  read: "read",
  search: "read",
  glob: "read",
  write: "write",
  url: "network",
  typed: "unknown",
};

/** What shell text would do (`./shell-effects.ts`); loaded only where there is some. */
export type ShellReader = (text: string) => readonly CallEffect[];

/** What a tool call would do, as far as its arguments say so. It decides nothing. */
export function callEffects(
  name: string,
  args: Readonly<Record<string, unknown>>,
  readShell: ShellReader,
): readonly CallEffect[] {
  const tool = agentTool(name);
  if (tool === undefined) return [{ kind: "unknown", what: name }];
  return Object.entries(args).flatMap(([key, value]) => {
    const role = tool.args !== undefined && Object.hasOwn(tool.args, key) ? tool.args[key] : undefined;
    const texts = (Array.isArray(value) ? value : [value]).filter((text) => typeof text === "string");
    if (role === "patch") return texts.flatMap(patchEffects);
    if (role === "command") return Array.isArray(value) ? [command(texts)] : texts.flatMap(readShell);
    const kind = role === undefined ? undefined : KINDS[role];
    return kind === undefined ? [] : texts.map((what): CallEffect => ({ kind, what }));
  });
}

function patchEffects(text: string): readonly CallEffect[] {
  return (patchFiles(text) ?? []).map(({ path }) => ({ kind: "write", what: path }));
}

function command(words: readonly string[]): CallEffect {
  return { kind: "command", what: words.join(" ") };
}
