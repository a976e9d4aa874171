import { readFileSync, statSync } from "node:fs";
import type { LinkRecord } from "../plan/namespace-types.ts";
import { cleanPath } from "../policy/paths.ts";
import { type Grant, isWithin, pathRecord } from "./path-record.ts";
import { CREDENTIALS } from "./toolchain-table.ts";

export interface GitFiles {
  readonly grants: readonly Grant[];
  /** Links in the fresh home, relative to it. */
  readonly links: readonly LinkRecord[];
}

const S_IFREG = 0o100000;
const MAX_BYTES = 256 * 1024;
const MAX_FILES = 20;

/** What git reads of a home without being told. */
const DEFAULTS = [".gitconfig", ".config/git/config", ".config/git/ignore", ".config/git/attributes"];
const CONFIGS = new Set(DEFAULTS.slice(0, 2));

/** Keys that name a file which git itself reads, by section. What it would run is not among them. */
const FILE_KEYS = /^(?:include(?:if)?\.path|core\.(?:excludesfile|attributesfile)|commit\.template)$/;
const INCLUDES = /^include/;
/** A file of whose settings one is a password or a token. */
const PASSWORD = /extraheader|password|passwd|token|:\/\/[^/\s]*@/i;

interface Search {
  readonly home: string;
  /** The home's real path. */
  readonly real: string;
  readonly grants: Map<string, Grant>;
  readonly links: Map<string, string>;
}

/**
 * git's configuration of the home, with the files that it includes and names, to be read. The two that git always
 * reads are granted whatever they hold, since one that exists and cannot be read is fatal; what they include only
 * where no password is seen in it.
 */
export function gitFiles(home: string | undefined): GitFiles {
  const real = home?.startsWith("/") === true ? pathRecord(home)?.path : undefined;
  if (home === undefined || real === undefined) return { grants: [], links: [] };
  const search: Search = { home, real, grants: new Map(), links: new Map() };
  for (const name of DEFAULTS) {
    const grant = regularFile(`${real}/${name}`);
    if (grant === undefined) continue;
    search.grants.set(grant.path, grant);
    search.links.set(name, grant.path);
    if (CONFIGS.has(name)) follow(grant, `${real}/${name}`, search);
  }
  return {
    grants: [...search.grants.values()],
    links: [...search.links].map(([path, text]) => ({ path, text })),
  };
}

/** A file of ordinary size: a pipe or a device would be waited for. */
function regularFile(path: string): Grant | undefined {
  const record = pathRecord(path);
  if (record === undefined || record.type !== S_IFREG) return undefined;
  try {
    return statSync(record.path).size <= MAX_BYTES ? { ...record, kind: "read" } : undefined;
  } catch {
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Looks at the files that a configuration names. `name` is the path it was named by: relative ones start there. */
function follow(config: Grant, name: string, search: Search): void {
  const text = readText(config.path);
  for (const [key, value] of text === undefined ? [] : fileSettings(text)) {
    const path = named(value, name, search);
    const grant = path === undefined ? undefined : regularFile(path);
    if (path === undefined || grant === undefined || search.grants.has(grant.path)) continue;
    if (search.grants.size >= MAX_FILES || !isHarmless(path, grant, search)) continue;
    search.grants.set(grant.path, grant);
    // `~/` leads into the fresh home.
    if (value.startsWith("~/")) search.links.set(path.slice(search.real.length + 1), grant.path);
    if (INCLUDES.test(key)) follow(grant, path, search);
  }
}

function named(value: string, from: string, { real }: Search): string | undefined {
  if (value.startsWith("~/")) return cleanPath(`${real}/${value.slice(2)}`);
  if (value.startsWith("/")) return cleanPath(value);
  return cleanPath(`${from.slice(0, from.lastIndexOf("/"))}/${value}`);
}

/** In the home, no credential by its name or its content. */
function isHarmless(path: string, grant: Grant, { real }: Search): boolean {
  for (const at of [path, grant.path]) {
    if (!isWithin(at, real)) return false;
    const rest = at.slice(real.length + 1);
    if (CREDENTIALS.some((name) => isWithin(rest, name))) return false;
  }
  const text = readText(grant.path);
  return text !== undefined && !PASSWORD.test(text);
}

/** `section.key` in small letters and the value, of settings that name files. */
function fileSettings(text: string): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  let section = "";
  for (const line of text.split("\n")) {
    const head = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"[^"]*")?\s*\](.*)$/.exec(line);
    if (head?.[1] !== undefined) section = head[1].toLowerCase();
    const rest = head === null ? line : (head[2] ?? "");
    const [, name, value] = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*?)\s*$/.exec(rest) ?? [];
    if (name === undefined || value === undefined) continue;
    const key = `${section}.${name.toLowerCase()}`;
    if (FILE_KEYS.test(key)) found.push([key, unquoted(value)]);
  }
  return found;
}

function unquoted(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
  return quoted?.replace(/\\(.)/g, "$1") ?? value.replace(/\s*[#;].*$/, "");
}
