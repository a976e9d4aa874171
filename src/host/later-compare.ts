import { dirname, relative, resolve } from "node:path";
import { type ConfigEntry, parseGitConfig } from "../later/git-config.ts";
import { driverLines, entryMatcher, newHarmfulKeys } from "../later/git-keys.ts";
import { type Held, look, sameHeld, textOf } from "./held-file.ts";
import { gitFileTarget } from "./later-git.ts";
import type { LaterItem, LaterItems } from "./later-items.ts";
import { isWithin } from "./path-record.ts";

/** A change that makes something run later, or may. */
export interface LaterChange {
  /** Absolute. */
  readonly path: string;
  readonly change: "created" | "changed" | "removed";
  /** What of it: the keys of a configuration. */
  readonly what: string | undefined;
  /** New, and of account only because something names it: it may have been there all the time. */
  readonly named: boolean;
  /** What stood there before. */
  readonly held: Held | undefined;
}

export interface LaterDifference {
  /** What denies the run and is put back. */
  readonly denied: readonly LaterChange[];
  /** What is ordinary work and good to know of. */
  readonly reported: readonly string[];
}

interface Comparison {
  readonly root: string;
  readonly before: LaterItems;
  readonly after: LaterItems;
  /** Entries of git's configuration that may be set. */
  readonly gitEntries: readonly string[];
}

/** What a run has changed of what runs later. */
export function compareLater(comparison: Comparison): LaterDifference {
  const { before, after } = comparison;
  const denied: LaterChange[] = [];
  const reported: string[] = [];
  for (const path of new Set([...before.items.keys(), ...after.items.keys()])) {
    const then = before.items.get(path);
    const now = after.items.get(path);
    const item = now ?? then;
    if (item === undefined || sameHeld(then?.held, now?.held)) continue;
    const problem = problemOf(comparison, item, then?.held, now?.held);
    if (problem === undefined) continue;
    if (problem.report) reported.push(path);
    else {
      const named = then === undefined && item.named === true;
      denied.push({ path, change: changeOf(then, now), what: problem.what, named, held: then?.held });
    }
  }
  return { denied: denied.sort((a, b) => (a.path < b.path ? -1 : 1)), reported: reported.sort() };
}

function changeOf(then: LaterItem | undefined, now: LaterItem | undefined): LaterChange["change"] {
  if (then === undefined) return "created";
  return now === undefined ? "removed" : "changed";
}

interface Problem {
  readonly report: boolean;
  readonly what?: string | undefined;
}

const DENY: Problem = { report: false };
const REPORT: Problem = { report: true };

function problemOf(
  comparison: Comparison,
  item: LaterItem,
  then: Held | undefined,
  now: Held | undefined,
): Problem | undefined {
  if (now === undefined && look(item.owner, { content: false })?.kind !== "folder") return undefined;
  switch (item.kind) {
    case "report":
      return REPORT;
    case "settings":
      return inNewRepository(comparison, item.path) ? REPORT : DENY;
    case "own":
    case "program":
      return DENY;
    case "hook":
      return hookProblem(then, now);
    case "todo":
      return newCommands(then, now) ? REPORT : undefined;
    case "config":
      return configProblem(comparison, item, then, now);
    case "pointer":
      return pointerIsOwn(comparison, item, now) ? undefined : DENY;
    case "gitfile":
      return leadsInside(comparison, item) ? undefined : DENY;
    case "attributes":
      return attributesProblem(comparison, then, now);
  }
}

/** A clone brings its own settings: another project, that nobody has opened yet. */
function inNewRepository({ root, before, after }: Comparison, path: string): boolean {
  for (let at = dirname(path); at !== root && isWithin(at, root); at = dirname(at)) {
    const git = `${at}/.git`;
    const is = ({ gitDirs, items }: LaterItems): boolean => gitDirs.has(git) || items.has(git);
    if (is(after) && !is(before)) return true;
  }
  return false;
}

/** git runs a hook that is executable; one that is gone had a purpose. */
function hookProblem(then: Held | undefined, now: Held | undefined): Problem | undefined {
  return runs(then) || runs(now) ? DENY : undefined;
}

/** A rebase that was left unfinished runs them when it goes on. */
function newCommands(then: Held | undefined, now: Held | undefined): boolean {
  const known = new Set((textOf(then) ?? "").split("\n"));
  return (textOf(now) ?? "").split("\n").some((line) => /^\s*(?:x|exec)\s/.test(line) && !known.has(line));
}

function runs(held: Held | undefined): boolean {
  return held !== undefined && (held.kind !== "file" || (held.mode & 0o111) !== 0);
}

function configProblem(
  { root, gitEntries }: Comparison,
  item: LaterItem,
  then: Held | undefined,
  now: Held | undefined,
): Problem | undefined {
  if (now === undefined) return undefined;
  const after = entries(now);
  if (after === undefined) return { report: false, what: "it cannot be read as git does" };
  const worktreeInside = (value: string): boolean =>
    item.path.includes("/modules/") && isWithin(resolve(dirname(item.path), value), root);
  const keys = newHarmfulKeys(entries(then) ?? [], after, {
    worktreeInside,
    excepted: entryMatcher(gitEntries),
  });
  return keys.length === 0 ? undefined : { report: false, what: [...new Set(keys)].join(", ") };
}

function entries(held: Held | undefined): readonly ConfigEntry[] | undefined {
  if (held === undefined) return [];
  const text = textOf(held);
  return text === undefined ? undefined : parseGitConfig(text);
}

/** `git worktree add` writes both: the way to the repository around it, and back to its tree in the workspace. */
function pointerIsOwn({ root }: Comparison, item: LaterItem, now: Held | undefined): boolean {
  const text = textOf(now)?.replace(/\r?\n$/, "");
  if (text === undefined || text === "") return false;
  const folder = dirname(item.path);
  const target = resolve(folder, text);
  if (item.path.endsWith("/gitdir")) return isWithin(target, root);
  return dirname(folder) === `${target}/worktrees`;
}

/** Git directories of the workspace are all judged for themselves, and so are those outside that it is known by. */
function leadsInside({ root, before }: Comparison, item: LaterItem): boolean {
  const target = gitFileTarget(item);
  return target === undefined || isWithin(target, root) || before.gitDirs.has(target);
}

function attributesProblem(
  { before }: Comparison,
  then: Held | undefined,
  now: Held | undefined,
): Problem | undefined {
  const drivers = before.drivers;
  if (drivers.size === 0 || now === undefined) return undefined;
  const text = textOf(now);
  const known = new Set(driverLines(textOf(then) ?? "", drivers));
  // A link leads to whatever is there when git reads it; git reads no attributes through one, but older ones did.
  const lines = text === undefined ? ["?"] : driverLines(text, drivers);
  return lines.every((line) => known.has(line)) ? undefined : DENY;
}

/** A path as messages show it. */
export function shownPath(root: string, path: string): string {
  return isWithin(path, root) ? relative(root, path) : path;
}
