import { lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { WalkEntry } from "../plan/types.ts";

/** Programs that are started by their bare name where a shell or an editor has put their folder on PATH. */
const FOLDERS = ["bin", ".bin", "node_modules/.bin", ".direnv/bin"];
/** Those of the packages of one repository; not those of dependencies. */
const PACKAGE_BIN = /^(?:(?!node_modules\/)[^/]+\/)+node_modules\/\.bin$/;
/** Usual names of Python environments, which editors enter by themselves; others are known by their `pyvenv.cfg`. */
const ENVIRONMENTS = [".venv", "venv", "env"];
/** What tools read below a folder that is otherwise somebody else's. */
const FILES = [
  ".cargo/config.toml",
  ".cargo/config",
  ".mvn/extensions.xml",
  ".mvn/jvm.config",
  ".mvn/wrapper/maven-wrapper.properties",
  ".config/mise.toml",
  ".config/mise/config.toml",
];
/** What every start of an environment's Python runs. */
const STARTS_PYTHON = /^(?:.*\.pth|sitecustomize\.py|usercustomize\.py)$/;

/** More changed files of one folder are told as the folder: it was made or filled as a whole. */
const LISTED = 10;
/** Names of one folder that are looked at. */
const MAX_NAMES = 5000;
/** The kernel stamps files with a clock that lags behind by a tick. */
const CLOCK_TICK_MS = 20;

interface Search {
  readonly root: string;
  /** What the walk after the run reported. */
  readonly entries: ReadonlyMap<string, WalkEntry>;
  /** When the run had not begun, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * Programs and start files that a run has made, changed or (being links) led to what it has changed, relative to the
 * workspace. Their change times tell: nothing in a run can set one, and to hold what stood there before would cost
 * every start in a project of any size. A stepped clock can hide or add one here; nothing is denied for these.
 */
export function changedShims(search: Search): readonly string[] {
  const { root, entries } = search;
  const environments = new Set(ENVIRONMENTS);
  const folders = new Set(FOLDERS);
  for (const path of entries.keys()) {
    if (PACKAGE_BIN.test(path)) folders.add(path);
    if (basename(path) === "pyvenv.cfg" && path.includes("/")) environments.add(dirname(path));
  }
  const found = FILES.filter((path) => changed(search, path));
  for (const folder of folders) found.push(...orFolder(search, folder, changedIn(search, folder, /^/)));
  for (const at of environments) {
    const inside = [...changedIn(search, `${at}/bin`, /^/)];
    for (const version of names(`${root}/${at}/lib`)) {
      inside.push(...changedIn(search, `${at}/lib/${version}/site-packages`, STARTS_PYTHON));
    }
    found.push(...orFolder(search, `${at}/bin`, orFolder(search, at, inside)));
  }
  return found;
}

/** A folder whose files are all as they were may be another one, or lack one of them. */
function orFolder({ root, since }: Search, folder: string, inside: readonly string[]): readonly string[] {
  return inside.length === 0 && isYounger(`${root}/${folder}`, since) ? [folder] : inside;
}

function changedIn(search: Search, folder: string, which: RegExp): readonly string[] {
  const found = names(`${search.root}/${folder}`)
    .filter((name) => which.test(name))
    .map((name) => `${folder}/${name}`)
    .filter((path) => changed(search, path));
  return found.length > LISTED ? [folder] : found;
}

function names(folder: string): readonly string[] {
  // Most are not there, and an exception costs more than a look.
  if (stat(folder, statSync)?.isDirectory() !== true) return [];
  try {
    return readdirSync(folder).slice(0, MAX_NAMES);
  } catch {
    return [];
  }
}

/** Whether a file, or a link to one, is younger than the start of the run, or what it leads to is. Folders run nothing. */
function changed({ root, since }: Search, path: string): boolean {
  const end = stat(`${root}/${path}`, statSync);
  if (end?.isFile() !== true) return false;
  return end.ctimeMs >= since - CLOCK_TICK_MS || isYounger(`${root}/${path}`, since);
}

function isYounger(path: string, since: number): boolean {
  const itself = stat(path, lstatSync);
  return itself !== undefined && itself.ctimeMs >= since - CLOCK_TICK_MS;
}

function stat(path: string, by: typeof statSync): Stats | undefined {
  try {
    return by(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
