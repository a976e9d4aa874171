import type { Decision } from "../core/decision.ts";
import { relativeTo } from "../policy/paths.ts";
import { protectedWrite } from "../policy/protected.ts";
import { ask, deny, type GateContext } from "./context.ts";
import { judgeMention, judgePath } from "./judge-path.ts";
import { locate } from "./location.ts";
import { otherReadings } from "./readings.ts";

/** A file that a tool opens for reading. */
export function judgeFileRead(text: string, context: GateContext): Decision | undefined {
  return judgeOpened(text, context);
}

/** A file that a tool writes, moves or removes: also not one that something runs or obeys later. */
export function judgeFileWrite(text: string, context: GateContext): Decision | undefined {
  return judgeOpened(text, context) ?? judgeProtected(text, context);
}

/** A file that may be written as far as its path goes, but is one that something runs or obeys later. */
export function judgeProtected(text: string, context: GateContext): Decision | undefined {
  const { real, names } = namesOf(text, context);
  if (real !== undefined && context.protectedFiles.includes(real)) {
    return deny({ rule: "builtin:policy", code: "later", what: text, reason: "the policy itself" });
  }
  for (const name of [...names, ...names.flatMap(otherReadings)]) {
    const match = protectedWrite(name);
    if (match === undefined || (match.ordinary && context.inShell)) continue;
    const { rule, why } = match;
    return (match.decision === "ask" ? ask : deny)({ rule, code: "later", what: text, reason: why });
  }
  return undefined;
}

function judgeOpened(text: string, context: GateContext): Decision | undefined {
  if (text.trim() === "")
    return deny({ rule: "builtin:path", code: "path", what: "''", reason: "not a path" });
  const decision = judgePath(text, context) ?? judgeReadings(text.replaceAll("\\", "/"), context);
  if (decision !== undefined) return decision;
  const { real } = namesOf(text, context);
  if (real === undefined || !context.view.isSpecial(real)) return undefined;
  return deny({ rule: "builtin:path", code: "path", what: text, reason: "not a regular file" });
}

function judgeReadings(text: string, context: GateContext): Decision | undefined {
  for (const name of [text, ...otherReadings(text)]) {
    const decision = judgeMention(name, context);
    if (decision !== undefined) return { ...decision, what: text };
  }
  return undefined;
}

/** Where a path leads, and what it is called in the workspace, as written and as the disk resolves it. */
function namesOf(
  text: string,
  context: GateContext,
): { readonly real: string | undefined; readonly names: readonly string[] } {
  const location = locate(text, context);
  if (location.absolute === undefined) return { real: undefined, names: [location.written] };
  const real = tryResolve(location.absolute, context);
  if (real === undefined) return { real, names: [location.written] };
  const inside = relativeTo(context.workspace.root, real);
  return { real, names: inside === undefined ? [location.written] : [location.written, inside] };
}

/** Where it cannot be known, `judgePath` has said so. */
function tryResolve(path: string, context: GateContext): string | undefined {
  try {
    return context.view.resolve(path);
  } catch {
    return undefined;
  }
}

/** A pattern for file names: where it starts, and, where the files are read, what it would find. */
export function judgePattern(
  text: string,
  use: "content" | "names",
  context: GateContext,
): Decision | undefined {
  const fixed = text.slice(0, text.search(/[*?[{]|$/));
  const folder = fixed === text ? text : fixed.slice(0, fixed.lastIndexOf("/") + 1);
  const climbs = /(?:^|[/{,])\.\.(?:[/},]|$)/.test(text);
  if (climbs) return judgePath(`${folder}..`, context) ?? outside(text);
  const place = folder === "" ? undefined : judgePath(folder, context);
  if (place !== undefined || use === "names") return place;
  // `*.pem` and `.env*` name secrets whatever stands for the rest.
  const shortest = text.replace(/\*|\[[^\]]*\]|[?{}]/g, "");
  const longer = text.replace(/\*+|\[[^\]]*\]|\?/g, "x");
  for (const name of [text, shortest, longer, ...text.split(/[{},]/), ...alternatives(text)]) {
    const decision = judgeMention(name, context);
    if (decision !== undefined) return decision;
  }
  return undefined;
}

/** `*.{pem,key}` finds what `*.pem` does. */
function alternatives(text: string): readonly string[] {
  const group = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(text);
  if (group === null) return [];
  const [, before = "", inner = "", after = ""] = group;
  return inner.split(",").map((item) => `${before}${item}${after}`.replace(/[*?]+/g, "x"));
}

function outside(text: string): Decision {
  return deny({
    rule: "builtin:workspace",
    code: "outside_workspace",
    what: text,
    reason: "outside workspace",
  });
}
