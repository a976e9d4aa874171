import { readdirSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { decodeBytes } from "../core/bytes.ts";
import { type ConfigEntry, parseGitConfig } from "../later/git-config.ts";
import { isHarmlessEntry } from "../later/git-keys.ts";
import { look, rawPath, readRegular, textOf } from "./held-file.ts";
import type { LaterItem, LaterItems } from "./later-items.ts";
import { isWithin } from "./path-record.ts";

/** Files in one folder of hooks, and words of a configuration, that are looked at. */
const MAX_HOOKS = 1000;
const MAX_INCLUDES = 32;
const MAX_GIT_DIRS = 1000;

/** Where git directories are looked at from. */
export interface GitPlace {
  readonly root: string;
  /** Where the caller's own git configuration may lie; its relative paths mean folders of the workspace. */
  readonly home: string | undefined;
}

/** Whether a folder has what git takes for a repository: a HEAD beside objects, refs or a pointer to them. */
export function looksLikeGitDir(path: string): boolean {
  return exists(`${path}/HEAD`) && ["objects", "refs", "commondir"].some((name) => exists(`${path}/${name}`));
}

function exists(path: string): boolean {
  return look(path, { content: false }) !== undefined;
}

/** The directory that holds the configuration of a git directory, where it is another one. */
export function commonDirOf(gitDir: string): string | undefined {
  const text = textOf(look(`${gitDir}/commondir`, { content: true }))?.replace(/\r?\n$/, "");
  return text === undefined || text === "" ? undefined : resolve(gitDir, text);
}

/** Git directories inside one that lies outside of the workspace: those of other worktrees and of submodules. */
export function gitDirsBelow(gitDir: string): readonly string[] {
  const found = [gitDir];
  for (const name of namesIn(`${gitDir}/worktrees`)) found.push(`${gitDir}/worktrees/${name}`);
  const open = namesIn(`${gitDir}/modules`).map((name) => `${gitDir}/modules/${name}`);
  for (let at = open.pop(); at !== undefined && found.length < MAX_GIT_DIRS; at = open.pop()) {
    if (looksLikeGitDir(at)) found.push(...gitDirsBelow(at));
    else for (const name of namesIn(at)) open.push(`${at}/${name}`);
  }
  return found;
}

/** The configuration of a file as entries; empty where there is none or it cannot be understood. */
function entriesOf(path: string): readonly ConfigEntry[] {
  const bytes = readRegular(path);
  return bytes === undefined ? [] : (parseGitConfig(new TextDecoder().decode(bytes)) ?? []);
}

/** Configuration of the caller and of the system. */
export function callersConfig(home: string | undefined): readonly ConfigEntry[] {
  const own = home === undefined ? [] : [`${home}/.config/git/config`, `${home}/.gitconfig`];
  return ["/etc/gitconfig", ...own].flatMap(entriesOf);
}

/**
 * Everything in a git directory that git executes or obeys: configuration, pointers to other directories, attributes,
 * hooks wherever `core.hooksPath` puts them, and files of the workspace that a configuration names.
 */
export function addGitDir(
  items: LaterItems,
  gitDir: string,
  place: GitPlace,
  config: readonly ConfigEntry[],
): void {
  const own: ConfigEntry[] = [];
  for (const name of ["config", "config.worktree"]) {
    const path = `${gitDir}/${name}`;
    items.add({ path, kind: "config", owner: gitDir });
    own.push(...addConfig(items, path, gitDir, place, new Set()));
  }
  for (const name of ["commondir", "gitdir"]) {
    items.add({ path: `${gitDir}/${name}`, kind: "pointer", owner: gitDir });
  }
  items.add({ path: `${gitDir}/info/attributes`, kind: "attributes", owner: gitDir });
  items.add({ path: `${gitDir}/rebase-merge/git-rebase-todo`, kind: "todo", owner: gitDir });
  addHooks(items, `${gitDir}/hooks`, gitDir);
  const tree = workTree(gitDir, place.root);
  for (const { key, value } of [...config, ...own]) {
    if (key === "core.hookspath" && value !== undefined && !value.startsWith("~")) {
      addHooksPath(items, resolve(tree, value), place);
    }
  }
  addPrograms(items, own, tree, place, gitDir);
  items.configs.push(...own);
}

/** Where relative values of a git directory start: its working tree as far as that is plain to see. */
function workTree(gitDir: string, root: string): string {
  if (gitDir.endsWith("/.git")) return dirname(gitDir);
  const pointer = textOf(look(`${gitDir}/gitdir`, { content: true }))?.trim();
  if (pointer?.endsWith("/.git") === true) return dirname(resolve(gitDir, pointer));
  return isWithin(gitDir, root) ? gitDir : root;
}

/** Reads a configuration with what it includes; included files of the workspace are configuration too. */
function addConfig(
  items: LaterItems,
  path: string,
  gitDir: string,
  place: GitPlace,
  seen: Set<string>,
): readonly ConfigEntry[] {
  if (seen.has(path) || seen.size > MAX_INCLUDES) return [];
  seen.add(path);
  const entries = entriesOf(path);
  return entries.flatMap((entry) => {
    const included = /^include(?:if\..*)?\.path$/s.test(entry.key) ? entry.value : undefined;
    if (included === undefined || included.startsWith("~")) return [entry];
    const target = resolve(dirname(path), included);
    if (!isWithin(target, place.root)) return [entry];
    items.add({ path: target, kind: "config", owner: dirname(target), named: true });
    return [entry, ...addConfig(items, target, gitDir, place, seen)];
  });
}

function addHooks(items: LaterItems, folder: string, gitDir: string): void {
  const held = look(folder, { content: false });
  if (held?.kind === "link") items.add({ path: folder, kind: "hook", owner: gitDir });
  if (held?.kind !== "folder") return;
  for (const name of namesIn(folder)) {
    // git runs no hook of such a name, and ships examples that are executable.
    if (!name.endsWith(".sample")) items.add({ path: `${folder}/${name}`, kind: "hook", owner: gitDir });
  }
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(rawPath(folder), { encoding: "buffer" }).slice(0, MAX_HOOKS).map(decodeBytes);
  } catch {
    return [];
  }
}

/** Scripts of a hooks folder may be thin: husky's `_/` starts what lies beside it. */
function addHooksPath(items: LaterItems, folder: string, place: GitPlace): void {
  for (const at of folder.endsWith("/_") ? [folder, dirname(folder)] : [folder]) {
    const real = realOf(at);
    if (isWithin(at, place.root) && at !== place.root) items.hookFolders.add(at);
    if (real !== undefined && isWithin(real, place.root) && real !== place.root) items.hookFolders.add(real);
  }
  for (const at of items.hookFolders) {
    for (const name of namesIn(at))
      items.add({ path: `${at}/${name}`, kind: "program", owner: at, named: true });
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Files of the workspace that a value names which git may run: a driver's script, a monitor, an alias. */
function addPrograms(
  items: LaterItems,
  entries: readonly ConfigEntry[],
  tree: string,
  place: GitPlace,
  gitDir: string,
): void {
  for (const entry of entries) {
    if (entry.value === undefined || isHarmlessEntry(entry, { worktreeInside: () => true })) continue;
    for (const word of entry.value.split(/[\s"'`;|&()<>!=]+/).slice(0, MAX_INCLUDES)) {
      if (word === "" || word.startsWith("~")) continue;
      const path = resolve(tree, word);
      if (!isWithin(path, place.root) || path.includes("/.git/")) continue;
      const seen = look(path, { content: false });
      if (seen?.kind === "file" || seen?.kind === "link") {
        items.add({ path, kind: "program", owner: gitDir, named: true });
      }
    }
  }
}

/** What a `.git` that is no folder leads to; undefined where it leads nowhere. */
export function gitFileTarget(item: Pick<LaterItem, "path" | "held">): string | undefined {
  const { held, path } = item;
  if (held?.kind === "link") return realOf(path) ?? "/";
  const text = textOf(held);
  if (text === undefined) return undefined;
  const named = /^gitdir:[ \t]*(.+?)\r?\n*$/s.exec(text)?.[1];
  if (named === undefined) return undefined;
  const target = resolve(dirname(path), named);
  return realOf(target) ?? target;
}
