import { PaldronError } from "../../core/errors.ts";
import { printable } from "../../core/printable.ts";
import type { ToolRequest, Workspace } from "../../core/request.ts";
import { DEFAULT_POLICY } from "../../policy/parse.ts";
import { cleanPath } from "../../policy/paths.ts";
import type { Rule, RuleCase } from "../../policy/rules/types.ts";
import { analyze } from "../../shell/analyze.ts";
import { type GateContext, gateContext } from "../context.ts";
import type { FileView } from "../file-view.ts";
import { type Facts, factsOf, factsOfAnalyses } from "./facts.ts";
import { mayMatch, surelyCommand, surelyTool } from "./match.ts";

const WORKSPACE: Workspace = { root: "/workspace", names: [], cwd: "/workspace" };

/** A disk with nothing on it but programs: what a rule matches does not hang on the machine that loads it. */
const EMPTY_DISK: FileView = {
  home: "/home/user",
  lexists: () => false,
  resolve: (path) => cleanPath(path) ?? path,
  findProgram: (name, cwd) =>
    name.includes("/") ? cleanPath(name.startsWith("/") ? name : `${cwd}/${name}`) : `/usr/bin/${name}`,
  isSpecial: () => false,
  isFolder: (path) => path === "/" || path === WORKSPACE.root,
  list: () => undefined,
  isTracked: () => true,
  isPublicPem: () => false,
};

/**
 * Tries the `match` and `not_match` lines of every rule. Those of presets are tried by Paldron's own tests.
 * @throws PaldronError `policy` with file, line and case for the first that fails.
 */
export function checkRuleCases(rules: readonly Rule[], options: { readonly presets?: boolean } = {}): void {
  const context = gateContext({
    policy: DEFAULT_POLICY,
    workspace: WORKSPACE,
    view: EMPTY_DISK,
    kind: "tool",
    shell: undefined,
  });
  for (const rule of rules) {
    if (rule.origin.path.startsWith("preset ") && options.presets !== true) continue;
    for (const one of rule.cases) {
      const problem = caseProblem(rule, one, context);
      if (problem !== undefined) throw failed(rule, one, problem);
    }
  }
}

function failed(rule: Rule, { line, text }: RuleCase, problem: string): PaldronError {
  const { path } = rule.origin;
  const where = line === undefined ? path : `${path}:${line}`;
  return new PaldronError(
    "policy",
    `${where}: rule \`${printable(rule.id)}\` ${problem} \`${printable(text)}\``,
  );
}

function caseProblem(rule: Rule, { matches, text }: RuleCase, context: GateContext): string | undefined {
  const facts = readCase(rule, text, context);
  if (facts === undefined) return `takes \`TOOL {"argument": …}\` in its lines, not`;
  if (rule.command !== undefined && facts.analyses.some((analysis) => !analysis.complete))
    return "has a line that cannot be read as shell text:";
  if (doesMatch(rule, facts, context) === matches) return undefined;
  return matches ? "does not match" : "matches";
}

function doesMatch(rule: Rule, facts: Facts, context: GateContext): boolean {
  if (rule.decision !== "allow") return mayMatch(rule, facts, context) !== undefined;
  if (rule.command === undefined) return surelyTool(rule, facts, context);
  return facts.commands.some((effect) => surelyCommand(rule, effect, context));
}

/** Shell text for a command, `TOOL {…}` for a tool, a path for a path alone. */
function readCase(rule: Rule, text: string, context: GateContext): Facts | undefined {
  if (rule.command !== undefined) return factsOfAnalyses([analyze(text, { cwd: WORKSPACE.cwd })]);
  if (rule.tool === undefined && rule.args === undefined) return pathCase(text, rule);
  const [, tool = "", json] = /^\s*([^\s{]+)\s*(\{.*\})?\s*$/s.exec(text) ?? [];
  const args = parseObject(json ?? "{}");
  if (tool === "" || args === undefined) return undefined;
  const request: ToolRequest = { kind: "tool", tool, args, workspace: WORKSPACE };
  return factsOf(request, { ...context, workspace: WORKSPACE });
}

function pathCase(text: string, rule: Rule): Facts {
  const word = { kind: "literal", text } as const;
  const file = { word, access: rule.access, look: "path", origin: "call", cwds: [WORKSPACE.cwd] } as const;
  return { tool: { tool: "", args: {} }, commands: [], files: [file], analyses: [] };
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
