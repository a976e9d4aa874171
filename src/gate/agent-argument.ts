import type { Decision } from "../core/decision.ts";
import { ask, denySentence, type GateContext } from "./context.ts";
import { evaluateTool } from "./evaluate-tool.ts";
import { judgeFileRead, judgeFileWrite, judgePattern } from "./judge-file.ts";
import { judgeMention, judgePath } from "./judge-path.ts";
import { type AgentArgumentInput, judgePatch, judgeShellArgument, judgeTyped } from "./judge-typed.ts";
import { locate } from "./location.ts";
import { toolStrings } from "./tool-strings.ts";

/** Arguments that may be a list of strings; everywhere else a list is an odd type. */
const LISTS = new Set(["paths", "target_directories", "file_paths", "files", "urls", "include", "exclude"]);
/** What an argument that loosens a protection says when it does not. */
const STRICT = new Set<unknown>([
  false,
  "",
  "use_default",
  "sync",
  "async",
  "default",
  "plan",
  "background",
  "worktree",
]);

/** Judges one known argument of a known tool; undefined where there is nothing against it. */
export function judgeAgentArgument(input: AgentArgumentInput, context: GateContext): Decision | undefined {
  const { role, name, value, tool } = input;
  switch (role) {
    case "read":
      return eachString(name, value, (text) => judgeFileRead(text, context));
    case "write":
      return eachString(name, value, (text) => judgeFileWrite(text, context));
    case "search":
    case "folder":
      return eachString(name, value, (text) => judgePath(text, context));
    case "glob":
      return eachString(name, value, (text) => judgePattern(text, "content", context));
    case "names":
      return eachString(name, value, (text) => judgePattern(text, "names", context));
    case "command":
      return judgeShellArgument(input, context);
    case "patch":
      return eachString(name, value, (text) => judgePatch(text, context));
    case "url":
      return eachString(name, value, (text) => judgeUrl(text, context));
    case "typed":
      return eachString(name, value, (text) => judgeTyped(text, context));
    case "edits":
      return judgeEdits(name, value, context);
    case "loosen":
      return STRICT.has(value) ? undefined : loosened(name);
    case "text":
      return typeof value === "string" ? undefined : oddType(name);
    case "scalar":
      return typeof value === "object" ? oddType(name) : undefined;
    case "data":
      return tool.kind === "shell" ? oddType(name) : undefined;
  }
}

/** The context from the folder that the call names on, or why it may not be there. */
export function judgeFolder(value: unknown, context: GateContext, name: string): GateContext | Decision {
  if (typeof value !== "string") return oddType(name);
  if (value === "") return context;
  const decision = judgePath(value, { ...context, allowed: [] });
  if (decision !== undefined) return decision;
  const { absolute } = locate(value, context);
  if (absolute === undefined) return denySentence("argument", `argument '${name}' is no folder`);
  return { ...context, workspace: { ...context.workspace, cwd: context.view.resolve(absolute) } };
}

function eachString(
  name: string,
  value: unknown,
  judge: (text: string) => Decision | undefined,
): Decision | undefined {
  const texts: readonly unknown[] = Array.isArray(value) && LISTS.has(name) ? value : [value];
  let asked: Decision | undefined;
  for (const text of texts) {
    if (typeof text !== "string") return oddType(name);
    const decision = judge(text);
    if (decision?.decision === "deny") return decision;
    asked ??= decision;
  }
  return asked;
}

function oddType(name: string): Decision {
  return denySentence("argument", `argument '${name}' has an odd type`);
}

function loosened(name: string): Decision {
  const reason = "takes a protection away";
  return ask({ rule: "builtin:loosen", code: "loosen", what: `argument '${name}'`, reason });
}

/** Several edits in one call may name a file each. */
function judgeEdits(name: string, value: unknown, context: GateContext): Decision | undefined {
  if (typeof value !== "object") return oddType(name);
  let asked: Decision | undefined;
  const { workspace } = context;
  const call = { kind: "tool", tool: "edits", args: { [name]: value }, workspace } as const;
  for (const argument of toolStrings(call)) {
    if (argument.role !== "path") continue;
    const decision = judgeFileWrite(argument.value, context);
    if (decision?.decision === "deny") return decision;
    asked ??= decision;
  }
  return evaluateTool(call, context) ?? asked;
}

function judgeUrl(text: string, context: GateContext): Decision | undefined {
  if (!/^https?:\/\/[^\s\p{C}\\]+$/iu.test(text))
    return denySentence("argument", "the URL is not plain http");
  return judgeMention(text, context);
}
