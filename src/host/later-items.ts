import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { ConfigEntry } from "../later/git-config.ts";
import { commandDrivers } from "../later/git-keys.ts";
import { isLaterTopName, laterFile } from "../later/names.ts";
import type { WalkEntry } from "../plan/types.ts";
import { type Held, look } from "./held-file.ts";
import {
  addGitDir,
  callersConfig,
  commonDirOf,
  type GitPlace,
  gitDirsBelow,
  looksLikeGitDir,
  namesIn,
} from "./later-git.ts";
import type { OwnFiles } from "./later-own.ts";
import { isWithin, pathRecord } from "./path-record.ts";

const S_IFMT = 0o170000;
const S_IFDIR = 0o040000;

/** What makes a file run later, which decides how a change of it is judged. */
type LaterKind =
  | "settings"
  | "report"
  | "own"
  | "config"
  | "pointer"
  | "gitfile"
  | "attributes"
  | "hook"
  | "todo"
  | "program";

export interface LaterItem {
  /** Absolute. */
  readonly path: string;
  readonly kind: LaterKind;
  /** The folder without which the file means nothing: where it is gone, so may the file be. */
  readonly owner: string;
  /** It counts only because a configuration or a link names it. */
  readonly named?: true;
  readonly held: Held | undefined;
}

export interface LaterSource extends GitPlace {
  /** What the walk of the workspace reported. */
  readonly entries: ReadonlyMap<string, WalkEntry>;
  /** Git directories outside that the run may write in. */
  readonly gitDirs: readonly string[];
  /** The policy file and Paldron's own files. */
  readonly own: OwnFiles;
}

/** Everything that runs later, as it stands at one time. */
export class LaterItems {
  readonly items = new Map<string, LaterItem>();
  /** Git directories, those of the workspace and those outside. */
  readonly gitDirs = new Set<string>();
  /** Folders that `core.hooksPath` names in the workspace. */
  readonly hookFolders = new Set<string>();
  /** Settings folders that were there. */
  readonly folders = new Set<string>();
  /** Entries of all git configuration that counts in the workspace. */
  readonly configs: ConfigEntry[] = [];

  /** Drivers that an attributes file could put to use. */
  get drivers(): ReadonlySet<string> {
    return new Set(commandDrivers(this.configs));
  }

  readonly #known: LaterItems | undefined;

  /** `known`: what was found before. */
  constructor(known?: LaterItems) {
    this.#known = known;
  }

  /** Takes an item as it was found at another time, or with what else is known of it. */
  restore(item: LaterItem): void {
    this.items.set(item.path, item);
  }

  /** `unread`: its content is held in another way. */
  add(item: Omit<LaterItem, "held">, { unread = false } = {}): void {
    const before = this.items.get(item.path);
    // What counts by its own name counts whatever else names it.
    if (before?.named === true && item.named !== true)
      this.items.set(item.path, { ...item, held: before.held });
    if (before !== undefined) return;
    const known = this.#known?.items.get(item.path)?.held;
    const held = look(item.path, { content: item.kind !== "report" && !unread, known });
    // A folder runs nothing itself; what lies in it is looked at for itself.
    if (held !== undefined && held.kind !== "folder") this.items.set(item.path, { ...item, held });
  }
}

/** Looks at everything that runs later. `known`: what was found before a run, which is looked at again. */
export function findLater(source: LaterSource, known?: LaterItems): LaterItems {
  const { root, home, entries } = source;
  const found = new LaterItems(known);
  // Paldron without its launcher may run commands as they are: its files may not go with their folders either.
  for (const path of source.own.policies) found.add({ path, kind: "own", owner: root });
  // Megabytes, and nearly always as they were: read only where they have changed.
  for (const path of source.own.programs)
    found.add({ path, kind: "own", owner: root }, { unread: known === undefined });
  const config = callersConfig(home);
  found.configs.push(...config);
  for (const folder of known?.hookFolders ?? []) found.hookFolders.add(folder);
  for (const gitDir of gitDirsIn(source, known)) {
    found.gitDirs.add(gitDir);
    addGitDir(found, gitDir, { root, home }, config);
  }
  const drivers = (known ?? found).drivers.size > 0;
  for (const [path, entry] of entries) addEntry(found, root, path, entry, drivers);
  for (const name of namesOf(root)) if (isLaterTopName(name)) addNamed(found, root, name);
  for (const { path, kind, owner } of known?.items.values() ?? []) found.add({ path, kind, owner });
  return found;
}

function gitDirsIn(source: LaterSource, known: LaterItems | undefined): ReadonlySet<string> {
  const found = new Set(source.gitDirs.flatMap(gitDirsBelow));
  for (const [path, entry] of source.entries) {
    const name = basename(path);
    const folder = (entry.mode & S_IFMT) === S_IFDIR;
    if (name === ".git" && folder) found.add(`${source.root}/${path}`);
    else if (name === "HEAD" && !folder) {
      const gitDir = dirname(`${source.root}/${path}`);
      if (looksLikeGitDir(gitDir)) found.add(gitDir);
    }
  }
  for (const path of known?.gitDirs ?? []) {
    if (look(path, { content: false })?.kind === "folder") found.add(path);
  }
  for (const gitDir of found) {
    // Its configuration counts for whoever points to it, with a HEAD of its own or without.
    const common = commonDirOf(gitDir);
    if (common !== undefined && isWithin(common, source.root)) found.add(common);
  }
  return found;
}

function addEntry(found: LaterItems, root: string, path: string, entry: WalkEntry, drivers: boolean): void {
  const absolute = `${root}/${path}`;
  const name = basename(path);
  const folder = (entry.mode & S_IFMT) === S_IFDIR;
  if (name === ".git" && !folder) found.add({ path: absolute, kind: "gitfile", owner: dirname(absolute) });
  if (name === ".gitattributes" && drivers)
    found.add({ path: absolute, kind: "attributes", owner: dirname(absolute) });
  const later = laterFile(path);
  if (later === undefined) return;
  if (folder) found.folders.add(absolute);
  else add(found, root, path, later);
}

function namesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function addNamed(found: LaterItems, root: string, name: string): void {
  const later = laterFile(name);
  if (later !== undefined) add(found, root, name, later);
}

function add(found: LaterItems, root: string, path: string, later: { level: string; top: string }): void {
  const kind = later.level === "deny" ? "settings" : "report";
  const owner = dirname(`${root}/${later.top}`);
  found.add({ path: `${root}/${path}`, kind, owner });
  const { held } = found.items.get(`${root}/${path}`) ?? {};
  if (kind === "settings" && held?.kind === "link") addTarget(found, root, `${root}/${path}`, owner);
}

/** Files that one link puts under protection. */
const MAX_LINKED = 1000;

/** Settings may be a link to a file or folder of the workspace. */
function addTarget(found: LaterItems, root: string, link: string, owner: string): void {
  const target = pathRecord(link)?.path;
  if (target === undefined || target === root || !isWithin(target, root)) return;
  const open = [target];
  for (let at = open.pop(), count = 0; at !== undefined && count < MAX_LINKED; at = open.pop(), count += 1) {
    const held = look(at, { content: false });
    if (held?.kind !== "folder") found.add({ path: at, kind: "settings", owner, named: true });
    else open.push(...namesIn(at).map((name) => `${at}/${name}`));
  }
}
