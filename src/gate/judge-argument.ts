import type { Decision } from "../core/decision.ts";
import type { GateContext } from "./context.ts";
import { judgeMention, judgePath } from "./judge-path.ts";
import { carriedPaths, shapeOf, wordsOf } from "./shape.ts";

/**
 * How much is known of an argument:
 * `path` the program opens it, whatever it looks like; `plain` its looks decide; `name` it is a name of something
 * else (a branch, a package, a URL) unless such a file exists; `mention` it is only shown or stored.
 */
export type ArgumentKind = "path" | "plain" | "name" | "mention";

export function judgeArgument(text: string, kind: ArgumentKind, context: GateContext): Decision | undefined {
  // `-/../../x` is no option to whoever cleans it up as a path.
  if (/\/\.\.(?:\/|$)/.test(text)) return judgePath(text, context) ?? judgeCarried(text, context);
  if (text.startsWith("-") && text !== "-") return judgeCarried(text, context);
  if (kind === "mention") return judgeMention(text, context);
  if (kind === "path" && text.trim() !== "" && text !== "-") return judgePath(text, context);
  const shape = shapeOf(text, context);
  if (shape === "path" && (kind === "plain" || isRooted(text) || existsHere(text, context))) {
    return judgePath(text, context) ?? judgeCarried(text, context);
  }
  if (shape === "path" || shape === "word") return judgeMention(text, context) ?? judgeCarried(text, context);
  // A command's argument with blanks is a message, a pattern or code; in a tool's it may be a command line.
  return shape === "text" && context.kind === "tool" ? judgeText(text, context) : undefined;
}

/** A string in code: in code that was read it is only a name, elsewhere it may be a file. */
export function judgeLiteral(text: string, reach: string, context: GateContext): Decision | undefined {
  return judgeArgument(text, reach === "known" ? "mention" : "name", context);
}

function judgeCarried(text: string, context: GateContext): Decision | undefined {
  for (const value of carriedPaths(text)) {
    // `@scope/package` names a file only where there is one.
    const decision = judgeArgument(value, text.startsWith("@") ? "name" : "plain", context);
    if (decision !== undefined && !isSystemOption(text, value, context)) return { ...decision, what: text };
  }
  return undefined;
}

/** `-I/usr/include`, `--prefix=/usr`: the system's own folders, which the sandbox grants for reading anyway. */
function isSystemOption(text: string, value: string, context: GateContext): boolean {
  if (context.kind !== "exec" || !text.startsWith("-") || value.includes("..")) return false;
  return (
    /^\/(?:usr|bin|sbin|lib|lib32|lib64|opt)(?:\/|$)/.test(value) &&
    judgeMention(value, context) === undefined
  );
}

/** Free text: only the secrets and denied names among its words. */
function judgeText(text: string, context: GateContext): Decision | undefined {
  for (const word of wordsOf(text)) {
    const decision = [word, ...carriedPaths(word)]
      .map((part) => judgeMention(part, context))
      .find((found) => found !== undefined);
    if (decision !== undefined) return { ...decision, what: text };
  }
  return undefined;
}

function isRooted(text: string): boolean {
  return /^(?:\/|~|\.\.?(?:\/|$)|\$|file:)/i.test(text) || text.includes("\0");
}

function existsHere(text: string, context: GateContext): boolean {
  const first = text.split("/")[0] ?? "";
  return context.view.lexists(`${context.workspace.cwd}/${first}`);
}
