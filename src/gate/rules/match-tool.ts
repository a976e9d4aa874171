import type { ToolRequest } from "../../core/request.ts";
import type { Rule } from "../../policy/rules/types.ts";
import { matchesText } from "../../policy/text-pattern.ts";
import { agentTool } from "../../tools/agent-tools.ts";
import { toolKey } from "../../tools/network.ts";

/** `strict`: as written, for what a rule allows. Otherwise case and the style of a key do not count. */
interface Strictness {
  readonly strict: boolean;
}

export function matchesTool(pattern: string, tool: string, { strict }: Strictness): boolean {
  if (strict) return matchesText(pattern, tool, { folds: false });
  const wanted = toolKey(pattern);
  if (matchesText(wanted, toolKey(tool), { folds: true })) return true;
  return wanted.startsWith("mcp__") && serverNames(tool).some((name) => matchesJoined(wanted, name));
}

/**
 * A tool that may be an MCP server's, as `mcp__server__tool`: clients write `mcp_server_tool`, `server-tool` and
 * `server_tool` for it.
 */
function serverNames(tool: string): readonly string[] {
  const name = toolKey(tool);
  if (name.startsWith("mcp")) return [name];
  return agentTool(tool) === undefined && /[a-z0-9][_.:/-]+[a-z0-9]/.test(name) ? [`mcp_${name}`] : [];
}

function matchesJoined(pattern: string, name: string): boolean {
  const joined = (text: string): string => text.replace(/[_.:/-]+/g, "_");
  return matchesText(joined(pattern), joined(name), { folds: true });
}

/** Whether every argument that a rule names is there with a value that fits. */
export function matchesArguments(
  wanted: NonNullable<Rule["args"]>,
  args: ToolRequest["args"],
  strictness: Strictness,
): boolean {
  return wanted.every(({ key, patterns }) => {
    const texts = valuesAt(args, key, strictness).flatMap(textsOf);
    const fits = (text: string): boolean =>
      patterns.some((pattern) => matchesText(pattern, text, { folds: !strictness.strict }));
    return texts.length > 0 && (strictness.strict ? texts.every(fits) : texts.some(fits));
  });
}

/** The values under a dotted key. */
function valuesAt(args: ToolRequest["args"], key: string, { strict }: Strictness): unknown[] {
  const plain = (name: string): string => (strict ? name : name.toLowerCase().replace(/[_-]/g, ""));
  const found: unknown[] = [];
  const visit = (value: unknown, rest: string): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, rest);
      return;
    }
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (plain(name) === rest) found.push(inner);
      else if (rest.startsWith(`${plain(name)}.`)) visit(inner, rest.slice(plain(name).length + 1));
    }
  };
  visit(args, plain(key));
  return found;
}

/** A value as text; a list counts by each of its items, an object by each of its values. */
function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.pop();
    if (typeof item === "object" && item !== null) for (const inner of Object.values(item)) open.push(inner);
    else texts.push(typeof item === "string" ? item : String(item));
  }
  return texts;
}
