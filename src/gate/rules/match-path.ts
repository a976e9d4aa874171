import { compileGlob, type Glob } from "../../policy/glob.ts";
import { mayOverlap, pathPattern } from "../../policy/glob-overlap.ts";
import { relativeTo } from "../../policy/paths.ts";
import type { RuleAccess } from "../../policy/rules/types.ts";
import type { Word } from "../../shell/types.ts";
import type { GateContext } from "../context.ts";
import { locate } from "../location.ts";
import { shapeOf } from "../shape.ts";
import type { FileFact } from "./facts.ts";
import { literalText } from "./words.ts";

export interface PathRule {
  readonly path: readonly string[];
  readonly access: RuleAccess | undefined;
}

/** Whether a file of the request may be one that a rule means. */
export function mayMatchPath(rule: PathRule, file: FileFact, context: GateContext): boolean {
  const isUse = rule.access === undefined || file.access === undefined || rule.access === file.access;
  if (!isUse || file.look === "mention") return false;
  const text = literalText(file.word);
  if (text === undefined) return mayName(rule.path, file, context);
  const globs = rule.path.map((glob) => compileGlob(glob, { roots: context.roots }));
  if (file.cwds === undefined) {
    return isFile(text, file, context) && mayName(rule.path, file, context);
  }
  return file.cwds.some((cwd) => {
    const here = { ...context, workspace: { ...context.workspace, cwd } };
    return (
      isFile(text, file, here) && namesOf(text, here).some((name) => globs.some((glob) => glob.matches(name)))
    );
  });
}

/** Whether it surely is one, in whatever folder. */
export function surelyMatchesPath(rule: PathRule, file: FileFact, context: GateContext): boolean {
  const text = literalText(file.word);
  if (text === undefined || file.cwds === undefined) return false;
  if (rule.access !== undefined && rule.access !== file.access) return false;
  const globs: readonly Glob[] = rule.path.map((glob) =>
    compileGlob(glob, { roots: context.roots, caseSensitive: true }),
  );
  return file.cwds.every((cwd) => {
    const here = { ...context, workspace: { ...context.workspace, cwd } };
    return namesOf(text, here).every((name) => globs.some((glob) => glob.matches(name)));
  });
}

/** A word that only might be a path is one when it looks like one or when there is such a file. */
function isFile(text: string, file: FileFact, context: GateContext): boolean {
  return text.trim() !== "" && (file.look === "path" || shapeOf(text, context) === "path");
}

/** The names of a path that globs are compared with: as written, and as the disk resolves it. */
function namesOf(text: string, context: GateContext): readonly string[] {
  const { written, absolute, full } = locate(text, context);
  // `..` behind a link leads elsewhere than by name.
  const real = [absolute, full].flatMap((path) => (path === undefined ? [] : realName(path, context)));
  return [...new Set([written, ...real])];
}

function realName(path: string, { view, workspace }: GateContext): readonly string[] {
  try {
    const real = view.resolve(path);
    return [relativeTo(workspace.root, real) ?? real];
  } catch {
    return [];
  }
}

/** Whether some reading of a word that is not wholly known is a path that the globs mean. */
function mayName(globs: readonly string[], { word, cwds }: FileFact, context: GateContext): boolean {
  const folders = cwds ?? [undefined];
  const wanted = isFresh(word) ? globs.filter(endsInWildcard) : globs;
  return folders.some((cwd) => {
    const pattern = pathPattern(partsOf(word, cwd, context.roots));
    return wanted.some((glob) => mayOverlap(glob, context.roots, pattern));
  });
}

/** What `mktemp` made has a name of its own, which is none that a glob writes out to the end. */
function isFresh(word: Word): boolean {
  if (word.kind === "unknown") return word.source === "fresh";
  const last = word.kind === "partial" ? word.parts.at(-1) : undefined;
  return typeof last === "object" && "hole" in last && last.hole === "fresh";
}

function endsInWildcard(glob: string): boolean {
  return /[*?[\]{}]/.test(glob.split("/").findLast((part) => part !== "") ?? "");
}

type Part = string | { readonly any: "name" | "names" };

function partsOf(word: Word, cwd: string | undefined, roots: readonly string[]): readonly Part[] {
  const parts =
    word.kind === "literal" ? [word.text] : word.kind === "unknown" ? [{ hole: word.source }] : word.parts;
  const read = parts.map((part): Part => {
    if (typeof part === "string") return part;
    // The characters of a glob stand for characters of a name, and a slash in it for itself.
    if ("glob" in part) return { any: part.glob.includes("/") ? "names" : "name" };
    return { any: part.hole === "integer" || part.hole === "fresh" ? "name" : "names" };
  });
  const open = parts.findLastIndex(
    (part) =>
      typeof part !== "string" && "hole" in part && (part.hole === "unknown" || part.hole === "inherited"),
  );
  // Such characters may climb: what stands before them says nothing.
  if (open >= 0) return [{ any: "names" }, ...read.slice(open + 1)];
  const [first] = read;
  if (typeof first === "string" && first.startsWith("/"))
    return [withoutRoot(first, roots), ...read.slice(1)];
  if (cwd === undefined) return [{ any: "names" }, "/", ...read];
  return [`${withoutRoot(cwd, roots)}/`, ...read];
}

function withoutRoot(path: string, roots: readonly string[]): string {
  for (const root of roots) {
    const relative = relativeTo(root, path);
    if (relative !== undefined) return relative;
  }
  return path;
}
