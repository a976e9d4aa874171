import type { WordPart } from "../shell/types.ts";
import type { GateContext } from "./context.ts";
import type { FileView } from "./file-view.ts";

/** How many paths are looked at before a pattern counts as one that cannot be followed. */
const MAX_PATHS = 4000;

type Component = readonly WordPart[];

/**
 * The paths on disk that a word with wildcards names, as the shell would find them; a folder is listed only where a
 * wildcard stands. Undefined: more than can be looked at.
 */
export function matchesOnDisk(
  parts: readonly WordPart[],
  context: GateContext,
): readonly string[] | undefined {
  const components = componentsOf(parts);
  const isRooted = components[0]?.length === 0;
  let found: readonly string[] = [isRooted ? "/" : ""];
  for (const component of isRooted ? components.slice(1) : components) {
    const next: string[] = [];
    for (const folder of found) {
      const names = namesIn(folder, component, context);
      if (names === undefined || next.length + names.length > MAX_PATHS) return undefined;
      for (const name of names) next.push(`${folder}${name}/`);
    }
    found = next;
  }
  return found.map((path) => path.replace(/\/$/, ""));
}

function componentsOf(parts: readonly WordPart[]): readonly Component[] {
  const out: WordPart[][] = [[]];
  for (const part of parts) {
    const pieces: readonly WordPart[] = typeof part === "string" ? part.split("/") : [part];
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) out.push([]);
      if (piece !== "") out.at(-1)?.push(piece);
    }
  }
  return out;
}

function namesIn(folder: string, component: Component, context: GateContext): readonly string[] | undefined {
  const here = folder.startsWith("/") ? folder : `${context.workspace.cwd}/${folder}`;
  if (component.every((part) => typeof part === "string")) {
    const name = component.join("");
    return name === "" || name === "." || name === ".." || context.view.lexists(here + name) ? [name] : [];
  }
  const names = context.view.list(here);
  if (names === undefined) return [];
  if (names.length > MAX_PATHS) return undefined;
  // Without regard to case, as with `nocaseglob`.
  const pattern = new RegExp(`^${component.map(source).join("")}$`, "isu");
  const showsHidden = context.hidden || (typeof component[0] === "string" && component[0].startsWith("."));
  return names.filter((name) => (showsHidden || !name.startsWith(".")) && pattern.test(name));
}

/** A regular expression that matches at least what the part does. */
function source(part: WordPart): string {
  if (typeof part === "string") return escapeText(part);
  if ("hole" in part) return part.hole === "integer" ? "[-0-9]*" : "[^/]*";
  const { glob } = part;
  if (/^\*+$/.test(glob)) return "[^/]*";
  if (glob === "?") return "[^/]";
  return glob.startsWith("[") ? bracket(glob) : "[^/]*";
}

/** Named classes and whatever else has a meaning of its own inside brackets match any character. */
function bracket(glob: string): string {
  const inner = /^\[([!^]?)(\]?[^[\]\\]*)\]$/s.exec(glob);
  if (inner === null) return "[^/]";
  const [, not = "", set = ""] = inner;
  const safe = set.replace(/[\]^&~|{}()/]/g, "\\$&");
  try {
    new RegExp(`[${safe}]`, "u");
  } catch {
    return "[^/]";
  }
  // Ranges follow the locale: `[a-z]` may hold capitals.
  return not === "" && !safe.includes("-") ? `[${safe}]` : "[^/]";
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Folders that hold what others wrote, or nothing to read. */
const NOT_OWN = /^(?:\.git|node_modules|\.venv|venv|site-packages|vendor|target)$/;

/** The files below a folder, hidden ones too, whose name a pattern matches; links are not followed. */
export function filesBelow(
  folder: string,
  name: readonly WordPart[],
  context: GateContext,
): readonly string[] | undefined {
  const pattern = nameRegex(name);
  const { view, workspace } = context;
  const found: string[] = [];
  const top = folder.replace(/\/*$/, "/");
  const absolute = top.startsWith("/") ? top : `${workspace.cwd}/${top}`;
  const open = [{ here: top, real: tryResolve(absolute, view) }];
  let looked = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { here, real } = next;
    // Under the name that the entries are asked about by: the disk is read once for both.
    const names = view.list(real ?? absolute) ?? [];
    looked += names.length;
    if (looked > MAX_PATHS) return undefined;
    for (const entry of names) {
      if (pattern.test(entry)) found.push(here + entry);
      if (real === undefined || NOT_OWN.test(entry)) continue;
      const path = `${real}/${entry}`;
      if (isOwnFolder(path, view)) open.push({ here: `${here}${entry}/`, real: path });
    }
  }
  return found;
}

/** A folder, and not by a link: what a link leads to is judged where it lies. */
function isOwnFolder(path: string, view: FileView): boolean {
  return view.isFolder(path) && tryResolve(path, view) === path;
}

function tryResolve(path: string, view: FileView): string | undefined {
  try {
    return view.resolve(path);
  } catch {
    return undefined;
  }
}

function nameRegex(name: readonly WordPart[]): RegExp {
  return new RegExp(`^${name.map(source).join("")}$`, "isu");
}

/** Whether a pattern for names could match one of a secret; any name in a folder of secrets could. */
export function mayFindSecret(name: readonly WordPart[], context: GateContext): boolean {
  if (name.every((part) => typeof part === "string")) return false;
  const pattern = nameRegex(name);
  return pattern.test("secrets") || context.secrets.sampleNames().some((secret) => pattern.test(secret));
}

/**
 * Whether the last name of a word whose folder is not known (`find -name '.e*'`) is a pattern made for a secret: it
 * matches one, and spells out at least half of it.
 */
export function aimsAtSecret(parts: readonly WordPart[], context: GateContext): boolean {
  const last = componentsOf(parts).at(-1) ?? [];
  const spelt = last.reduce((sum, part) => sum + (typeof part === "string" ? part.length : 0), 0);
  const isPattern = last.some((part) => typeof part !== "string" && "glob" in part);
  if (!isPattern || spelt === 0) return false;
  const pattern = nameRegex(last);
  return context.secrets.sampleNames().some((name) => spelt * 2 >= name.length && pattern.test(name));
}
