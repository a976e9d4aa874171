import type { Decision } from "../core/decision.ts";
import { SEEN, TRACKED, TREE, VISIBLE, type Word, type WordPart } from "../shell/types.ts";
import { ask, deny, type GateContext } from "./context.ts";
import { type ArgumentKind, judgeArgument } from "./judge-argument.ts";
import { judgeMention, judgePath } from "./judge-path.ts";
import { aimsAtSecret, filesBelow, matchesOnDisk, mayFindSecret } from "./wildcards.ts";

/** The text of a word all of whose characters are known. */
export function literalOf(word: Word): string | undefined {
  return word.kind === "literal" ? word.text : undefined;
}

/** A word for people: what is not known is an ellipsis. */
export function shownWord(word: Word): string {
  if (word.kind === "literal") return word.text;
  return word.kind === "unknown" ? "…" : word.parts.map((part) => shownPart(part, "…")).join("");
}

function shownPart(part: WordPart, hole: string): string {
  if (typeof part === "string") return part;
  return "glob" in part ? part.glob : hole;
}

/** The folder that a word certainly names, with its slash; empty where that is not known. */
export function knownFolder(word: Word): string {
  const [first] = word.kind === "partial" ? word.parts : [];
  return typeof first === "string" ? first.slice(0, first.lastIndexOf("/") + 1) : "";
}

const TREES = [TREE, TRACKED, SEEN, VISIBLE];

const isTree = (part: WordPart): boolean =>
  typeof part !== "string" && "glob" in part && TREES.includes(part.glob);

/** What kind of list a word stands for, where it is whatever lies below a folder. */
export function treeOf(word: Word): string | undefined {
  const part = word.kind === "partial" ? word.parts.find(isTree) : undefined;
  return typeof part === "object" && "glob" in part ? part.glob : undefined;
}

/** Judges a file whose name is not wholly known: the folder that is, then what the rest could be. */
export function judgeWord(word: Word, kind: ArgumentKind, context: GateContext): Decision | undefined {
  if (word.kind === "literal") return judgeArgument(word.text, kind, context);
  const parts = word.kind === "unknown" ? [{ hole: word.source }] : word.parts;
  const folder = knownFolder(word);
  const known = folder === "" ? undefined : judgePath(folder, context);
  if (known !== undefined) return { ...known, what: shownWord(word) };
  // `*.pem` and `.env$x` name secrets whatever stands for the rest.
  const named = judgeArgument(parts.map((part) => shownPart(part, "x")).join(""), kind, context);
  if (named !== undefined) return { ...named, what: shownWord(word) };
  const without = judgeMention(parts.map((part) => shownPart(part, "")).join(""), context);
  if (without !== undefined) return { ...without, what: shownWord(word) };
  const matched = kind === "mention" ? undefined : judgeMatches(word, parts, context);
  if (matched !== undefined) return matched;
  if (context.kind === "exec" || kind === "name" || kind === "mention") return undefined;
  const isOpen = parts.some(
    (part) =>
      typeof part !== "string" && "hole" in part && (part.hole === "unknown" || part.hole === "inherited"),
  );
  if (!isOpen) return undefined;
  return ask({
    rule: "builtin:shell",
    code: "shell",
    what: shownWord(word),
    reason: "the file cannot be known",
  });
}

/** What a wildcard finds on the disk is what the command gets. */
function judgeMatches(word: Word, parts: readonly WordPart[], context: GateContext): Decision | undefined {
  const isPattern = parts.some((part) => typeof part !== "string" && "glob" in part);
  if (!isPattern) return undefined;
  const what = shownWord(word);
  const at = parts.findIndex(isTree);
  if (at !== -1) return judgeTree(what, parts, at, context);
  const isOpen = parts.some((part) => typeof part !== "string" && "hole" in part && part.hole !== "integer");
  if (isOpen) {
    if (!aimsAtSecret(parts, context)) return undefined;
    return deny({ rule: "builtin:secrets", code: "secret", what, reason: "secret" });
  }
  const paths = matchesOnDisk(parts, context);
  if (paths === undefined) {
    if (context.kind === "exec") return undefined;
    return tooMany(what);
  }
  for (const path of paths) {
    const decision = judgePath(path, context);
    if (decision !== undefined) return { ...decision, what };
  }
  return undefined;
}

/** Whether a list of its kind holds a path. */
function isListed(path: string, tree: string, { view, workspace }: GateContext): boolean {
  if (tree === VISIBLE) return !/(?:^|\/)\.[^./]/.test(path);
  return tree !== TRACKED || view.isTracked(path.startsWith("/") ? path : `${workspace.cwd}/${path}`);
}

function tooMany(what: string): Decision {
  return ask({ rule: "builtin:shell", code: "shell", what, reason: "too many files to look at" });
}

/** Files anywhere below a folder: a name that is made for a secret, else the secrets that it finds. */
function judgeTree(
  what: string,
  parts: readonly WordPart[],
  at: number,
  context: GateContext,
): Decision | undefined {
  const [folder, name] = [parts.slice(0, at), parts.slice(at + 1)];
  if (aimsAtSecret(name, context))
    return deny({ rule: "builtin:secrets", code: "secret", what, reason: "secret" });
  // The kernel hides them there.
  if (context.kind === "exec" || !mayFindSecret(name, context)) return undefined;
  if (folder.some((part) => typeof part !== "string")) return undefined;
  const found = filesBelow(folder.join(""), name, context);
  if (found === undefined) return tooMany(what);
  for (const path of found) {
    if (judgeMention(path, context) === undefined || judgePath(path, context) === undefined) continue;
    if (!isListed(path, shownPart(parts[at] ?? "", ""), context)) continue;
    return ask({ rule: "builtin:secrets", code: "secret", what, reason: `finds ${path}` });
  }
  return undefined;
}
