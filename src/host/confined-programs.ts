import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { ProgramPaths } from "../plan/build.ts";
import type { LinkRecord } from "../plan/namespace-types.ts";
import type { PathRecord } from "../plan/types.ts";
import { NATIVE_PLACES, relativeTo } from "../policy/paths.ts";
import type { Policy } from "../policy/types.ts";
import { type Grant, isWithin, pathRecord } from "./path-record.ts";
import { guardedLoader, startOfProgram } from "./program-file.ts";
import { HELPERS, PROGRAM_PLACES } from "./program-table.ts";
import { withoutFiles } from "./program-tree.ts";

export interface ConfinedInput {
  readonly policy: Pick<Policy, "allowBinaries" | "allowHelpers" | "allowNative">;
  /** The caller's PATH. */
  readonly path: string | undefined;
  readonly workspace: { readonly root: string; readonly names: readonly string[] };
  /** The program to be run, which the gate has allowed. */
  readonly program: string | undefined;
  /** System runtime and toolchains. */
  readonly runtime: readonly Grant[];
}

export interface ConfinedPrograms extends ProgramPaths {
  /** Paths by which the programs are looked for; links on their way are made again. */
  readonly names: readonly string[];
  /** Links that come with `runtime`, and those that stand for shims. */
  readonly links: readonly LinkRecord[];
  /** Listed, and not found. */
  readonly missing: readonly string[];
  /** Whether the program of this name on PATH may be executed. */
  has(name: string): boolean;
}

const S_IFREG = 0o100000;
const MAX_DEPTH = 5;

/** A program by its own path, also one that is reached through links. */
class Search {
  readonly executable = new Map<string, PathRecord>();
  readonly loaders = new Map<string, PathRecord>();
  readonly names = new Set<string>();
  readonly shims = new Map<string, string>();
  readonly missing: string[] = [];
  readonly #folders: readonly string[];

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** Where PATH has a program of this name. */
  find(name: string): string | undefined {
    return this.#folders
      .map((folder) => `${folder}/${name}`)
      .find((path) => pathRecord(path)?.type === S_IFREG);
  }

  named(name: string, depth = 0): boolean {
    const path = this.find(name);
    if (path !== undefined) this.program(path, depth);
    return path !== undefined;
  }

  /** Adds a program with what starts it and what it starts. */
  program(path: string, depth = 0): void {
    const real = shimTarget(path) ?? path;
    if (real !== path) this.shims.set(path, real);
    const record = pathRecord(real);
    if (record === undefined || record.type !== S_IFREG) return;
    this.names.add(real);
    const known = this.executable.has(record.path);
    this.executable.set(record.path, record);
    if (depth > MAX_DEPTH) return;
    if (!known) this.#startOf(record.path, depth);
    this.#helpersOf(path, record.path, depth);
  }

  #startOf(path: string, depth: number): void {
    const start = startOfProgram(path);
    if (start?.by === "script") {
      this.program(start.interpreter, depth + 1);
      const asked = /^(?:.*\/)?env$/.test(start.interpreter) ? envProgram(start.argument) : undefined;
      if (asked !== undefined) this.named(asked, depth + 1);
    }
    if (start?.by !== "loader") return;
    const loader = pathRecord(start.loader);
    if (loader === undefined) return;
    this.names.add(start.loader);
    this.loaders.set(loader.path, loader);
  }

  /** By the name it is called and the one it has. */
  #helpersOf(called: string, real: string, depth: number): void {
    const names = new Set([called, real].map((path) => path.slice(path.lastIndexOf("/") + 1)));
    for (const rule of HELPERS) {
      if (![...names].some((name) => rule.programs.test(name))) continue;
      const beside = (rule.beside ?? []).flatMap((end) =>
        [called, real].map((path) => `${path.slice(0, path.lastIndexOf("/"))}/${end}`),
      );
      for (const place of [...(rule.paths ?? []), ...beside]) this.place(place);
      for (const name of rule.names ?? []) {
        const path = this.find(name);
        if (path !== undefined && !this.executable.has(pathRecord(path)?.path ?? ""))
          this.program(path, depth + 1);
        else if (path !== undefined) this.names.add(path);
      }
    }
  }

  /** A folder of helpers, or one of them. */
  place(path: string): void {
    const record = pathRecord(path);
    // Never a folder in which everything lies.
    if (record === undefined || record.path.split("/").length < 4) return;
    this.executable.set(record.path, record);
    this.names.add(path);
  }
}

/** `env [-S] [-u X] [NAME=value] program`, as far as scripts write it. */
function envProgram(argument: string): string | undefined {
  const words = argument.split(/[ \t]+/);
  return words.find((word) => word !== "" && !word.startsWith("-") && !word.includes("="));
}

/**
 * The program that a shim of pyenv and its kind stands for. The shim is a shell script that asks a dozen programs for
 * the version; a link to the program itself needs none of them.
 */
function shimTarget(path: string): string | undefined {
  const [, root, name] = /^(.*\/\.(?:pyenv|rbenv|goenv|nodenv))\/shims\/([^/]+)$/.exec(path) ?? [];
  if (root === undefined || name === undefined) return undefined;
  const own = (version: string): string => `${root}/versions/${version}/bin/${name}`;
  const wanted = readLines(`${root}/version`).map(own);
  const all = [...readNames(`${root}/versions`)].sort().reverse().map(own);
  return [...wanted, ...all].find((target) => existsSync(target));
}

function readLines(path: string): readonly string[] {
  try {
    const lines = readFileSync(path, "utf8").split("\n");
    return lines.map((line) => line.trim()).filter((line) => /^[\w.-]+$/.test(line));
  } catch {
    return [];
  }
}

function readNames(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function searchFolders({ path, workspace }: ConfinedInput): readonly string[] {
  const inWorkspace = (folder: string): boolean =>
    [folder, pathRecord(folder)?.path ?? folder].some((at) =>
      [workspace.root, ...workspace.names].some((root) => isWithin(at, root)),
    );
  const folders = (path ?? "").split(":").filter((folder) => folder.startsWith("/"));
  return folders.map((folder) => folder.replace(/(?<=.)\/+$/, "")).filter((folder) => !inWorkspace(folder));
}

/** What the policy lists, found on this machine, and the system without everything else. */
export function confinedPrograms(input: ConfinedInput): ConfinedPrograms {
  const { policy, workspace, runtime } = input;
  const folders = searchFolders(input);
  const search = new Search(folders);
  if (input.program !== undefined) search.program(input.program);
  for (const entry of policy.allowBinaries) addListed(entry, workspace.root, search);
  for (const entry of policy.allowHelpers) addHelper(entry, search);
  const hidden = [...PROGRAM_PLACES, ...folders].flatMap((folder) => pathRecord(folder)?.path ?? []);
  const thinned = runtime.map((grant) => withoutFiles(grant, hidden));
  const guarded = [...search.loaders.values()].map(({ path }) => ({
    target: path,
    bytes: guardedLoader(path),
  }));
  const open = guarded.filter(({ bytes }) => bytes === undefined).map(({ target }) => target);
  return {
    runtime: thinned.flatMap(({ records }) => records),
    executable: [...search.executable.values()],
    loaders: [...search.loaders.values()],
    guardedLoaders: guarded.flatMap(({ target, bytes }) => (bytes === undefined ? [] : [{ target, bytes }])),
    native: nativePlaces(input),
    nativePlaces: policy.allowNative.filter((entry) => NATIVE_PLACES.includes(entry)),
    gap:
      open.length === 0
        ? undefined
        : `${open.join(", ")} can be started as a program with any other as its argument`,
    names: [...search.names],
    links: [
      ...thinned.flatMap(({ links }) => links),
      ...[...search.shims].map(([path, text]) => ({ path, text })),
    ],
    missing: search.missing,
    has: (name) => {
      const path = search.find(name) ?? "";
      return search.executable.has(pathRecord(search.shims.get(path) ?? path)?.path ?? "");
    },
  };
}

function addListed(entry: string, root: string, search: Search): void {
  if (entry === "") return;
  const path = entry.includes("/") ? (entry.startsWith("/") ? entry : `${root}/${entry}`) : undefined;
  if (path === undefined ? !search.named(entry) : pathRecord(path) === undefined) search.missing.push(entry);
  else if (path !== undefined) search.program(path);
}

/** A folder means all of it. */
function addHelper(entry: string, search: Search): void {
  if (!entry.includes("/")) {
    if (!search.named(entry)) search.missing.push(entry);
    return;
  }
  const record = pathRecord(entry);
  if (record === undefined) search.missing.push(entry);
  else if (record.type === S_IFREG) search.program(entry);
  else search.place(entry);
}

function nativePlaces({ policy, workspace }: ConfinedInput): readonly PathRecord[] {
  return policy.allowNative.flatMap((entry) => {
    if (NATIVE_PLACES.includes(entry)) return [];
    const inside = [workspace.root, ...workspace.names]
      .map((root) => relativeTo(root, entry))
      .find((path) => path !== undefined);
    const record = pathRecord(
      entry.startsWith("/") ? `${workspace.root}/${inside}` : `${workspace.root}/${entry}`,
    );
    // A link that leads out of the workspace is not what the policy named.
    return record !== undefined && isWithin(record.path, workspace.root) ? [record] : [];
  });
}
