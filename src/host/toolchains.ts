import { closeSync, constants, existsSync, openSync, readSync } from "node:fs";
import { userInfo } from "node:os";
import { normalize } from "node:path";
import { type Grant, isWithin, pathRecord, withoutCovered } from "./path-record.ts";
import {
  COMMON_PARTS,
  CREDENTIALS,
  PREFIX_MARKS,
  PREFIX_PARTS,
  TOOLCHAINS,
  type ToolchainRule,
} from "./toolchain-table.ts";

export interface ToolchainInput {
  /** The caller's PATH. */
  readonly path: string | undefined;
  /** The caller's HOME. */
  readonly home: string | undefined;
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Absolute path of the program to be run, as PATH or the caller named it. */
  readonly program: string | undefined;
  /** What the system's own list grants already. */
  readonly runtime: readonly Grant[];
}

export interface Toolchains {
  /** Folders and files to be read and executed. */
  readonly grants: readonly Grant[];
  /** Variables that point to them, for a command whose HOME is another. */
  readonly env: Readonly<Record<string, string>>;
}

/** Resolved folders that decide what is never granted. */
interface Bounds {
  readonly homes: readonly string[];
  readonly workspace: string;
  /** Folders whose programs run anyway. */
  readonly runtime: readonly string[];
}

/** How far a folder is trusted to be what it looks like. `named` came from the workspace: only the table counts. */
type Trust = "path" | "program" | "named";

/** Folders of these names hold programs and what belongs to them. */
const BIN_NAMES = new Set(["bin", "sbin", ".bin", "shims", "scripts", "Scripts"]);

interface Found {
  readonly paths: string[];
  readonly env: Record<string, string>;
}

const S_IFREG = 0o100000;

/** The first bytes of a file, empty when it cannot be read. */
function readStart(path: string): string {
  const buffer = Buffer.alloc(4_096);
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return buffer.toString("utf8", 0, readSync(fd, buffer));
    } finally {
      closeSync(fd);
    }
  } catch {
    return "";
  }
}

function realPath(path: string): string | undefined {
  return pathRecord(path)?.path;
}

/** The homes whose credentials are kept out: the one of HOME, the user's own, and root's. */
function knownHomes(home: string | undefined): readonly string[] {
  const homes = new Set<string>(["/root"]);
  if (home?.startsWith("/")) homes.add(realPath(home) ?? home);
  try {
    const own = userInfo().homedir;
    if (own.startsWith("/")) homes.add(realPath(own) ?? own);
  } catch {
    // A uid without an entry in /etc/passwd has no home of its own.
  }
  homes.delete("/");
  return [...homes];
}

/** The homes that a path may lie in, also those of other users. */
function homesFor(path: string, bounds: Bounds): readonly string[] {
  const other = /^\/(?:home|Users)\/[^/]+/.exec(path)?.[0];
  return other === undefined || bounds.homes.includes(other) ? bounds.homes : [...bounds.homes, other];
}

/** Whether a path lies in a credential of this home, or around one. */
function touchesCredentials(path: string, home: string): boolean {
  if (!isWithin(path, home)) return false;
  const rest = path.slice(home.length + 1);
  return CREDENTIALS.some((name) => isWithin(rest, name) || isWithin(name, rest));
}

/** INVARIANT: every grant passes this, in its resolved form, whatever found it. */
function mayGrant(path: string, bounds: Bounds): boolean {
  // The workspace has rights of its own; a folder around it would open what lies beside it.
  if (isWithin(path, bounds.workspace) || isWithin(bounds.workspace, path)) return false;
  for (const home of homesFor(path, bounds)) {
    if (isWithin(home, path) || touchesCredentials(path, home)) return false;
  }
  // First components (/opt, /home, /tmp, /var) are never a toolchain, nor are the kernel's own trees.
  return path.lastIndexOf("/") > 0 && !/^\/(?:proc|sys|dev|run|etc|boot)\//.test(path);
}

/** The root of a rule's tool in `folder`, when the folder ends as one of its entries does. */
function ruleRoot(folder: string, rule: ToolchainRule): string | undefined {
  if (!folder.includes(`/${rule.root}`)) return undefined;
  const parts = folder.split("/");
  for (const entry of rule.entries) {
    const shape = entry.split("/");
    const start = parts.length - shape.length;
    if (start < 1 || !shape.every((part, i) => part === "*" || part === parts[start + i])) continue;
    return parts.slice(0, start + rule.root.split("/").length).join("/");
  }
  return undefined;
}

function fromTable(folder: string, found: Found): void {
  for (const rule of TOOLCHAINS) {
    const root = ruleRoot(folder, rule);
    if (root === undefined) continue;
    found.paths.push(...rule.grants.map((grant) => normalize(`${root}/${grant}`)));
    for (const [name, at] of Object.entries(rule.env ?? {})) {
      const place = realPath(normalize(`${root}/${at}`));
      if (place !== undefined) found.env[name] ??= place;
    }
  }
}

/** The Python that a virtual environment is made from: judged by the table alone, as the file may be anybody's. */
function fromVirtualEnv(prefix: string, found: Found): void {
  const record = pathRecord(`${prefix}/pyvenv.cfg`);
  // Only a regular file of ordinary size: a pipe or a device planted there would be waited for.
  if (record === undefined || record.type !== S_IFREG) return;
  const base = /^home[ \t]*=[ \t]*(\/.*?)[ \t]*$/m.exec(readStart(record.path))?.[1];
  const real = base === undefined ? undefined : realPath(base);
  if (real !== undefined) fromTable(real, found);
}

function inHome(path: string, bounds: Bounds): boolean {
  return homesFor(path, bounds).some((home) => isWithin(path, home));
}

/** The parts of an installation around a `bin` folder: known by its contents, or lying outside of homes. */
function installation(prefix: string, trust: Trust, bounds: Bounds): readonly string[] {
  if (prefix.lastIndexOf("/") <= 0 || !mayGrant(prefix, bounds)) return [];
  if (PREFIX_MARKS.some((marks) => marks.every((mark) => existsSync(`${prefix}/${mark}`))))
    return PREFIX_PARTS;
  if (isWithin(prefix, "/opt")) return PREFIX_PARTS;
  return trust === "path" && !inHome(prefix, bounds) ? COMMON_PARTS : [];
}

function fromContents(folder: string, trust: Trust, bounds: Bounds, found: Found): void {
  const [, prefix, name] = /^(.*)\/([^/]+)$/.exec(folder) ?? [];
  if (prefix === undefined || name === undefined) return;
  if (BIN_NAMES.has(name)) {
    // What lies in folders of other names (`~/Documents`, Windows' own PATH under WSL) is not only programs.
    if (trust === "path") found.paths.push(folder);
    found.paths.push(...installation(prefix, trust, bounds).map((part) => `${prefix}/${part}`));
  }
  // Programs deep in an application (`/opt/x/lib/node_modules/npm/bin`) need the rest of it.
  const application = /^\/opt\/[^/]+(?=\/)/.exec(folder)?.[0];
  if (application !== undefined) found.paths.push(...PREFIX_PARTS.map((part) => `${application}/${part}`));
}

/** Looks at one folder under the name it was given and at what it resolves to. */
function look(folder: string, trust: Trust, bounds: Bounds, found: Found): void {
  const real = realPath(folder);
  if (real === undefined) return;
  if (bounds.runtime.some((folder) => isWithin(real, folder))) return;
  fromVirtualEnv(real.slice(0, real.lastIndexOf("/")), found);
  for (const name of new Set([folder, real])) fromTable(name, found);
  // A folder that is a home, the workspace or around them says nothing about itself.
  if (trust !== "named" && mayGrant(real, bounds)) fromContents(real, trust, bounds, found);
}

function pathEntries(path: string | undefined): readonly string[] {
  const entries = (path ?? "").split(":").filter((entry) => entry.startsWith("/"));
  return [...new Set(entries.map((entry) => (entry.length > 1 ? entry.replace(/\/+$/, "") : entry)))];
}

/** The program may be a link to where it is installed (`~/.local/bin/x`, `.venv/bin/python`). */
function lookAtProgram(program: string, bounds: Bounds, found: Found): void {
  const real = realPath(program);
  if (real === undefined) return;
  const inside = isWithin(program, bounds.workspace) || isWithin(real, bounds.workspace);
  for (const path of new Set([program, real])) {
    look(path.slice(0, path.lastIndexOf("/")), inside ? "named" : "program", bounds, found);
  }
}

/**
 * Finds the folders that programs on PATH need and the system's own list does not hold: version managers, virtual
 * environments, installations under /opt. Decided by a fixed table of shapes, by PATH and by the program; no other
 * variable counts, and nothing that a run could have written into the workspace reaches further than the table.
 */
export function findToolchains(input: ToolchainInput): Toolchains {
  const runtime = input.runtime.filter((grant) => grant.kind === "read-exec").map((grant) => grant.path);
  const bounds = { homes: knownHomes(input.home), workspace: input.workspace, runtime };
  const found: Found = { paths: [], env: {} };
  for (const entry of pathEntries(input.path)) {
    const real = realPath(entry);
    const inside = real !== undefined && isWithin(real, bounds.workspace);
    look(entry, inside || isWithin(entry, bounds.workspace) ? "named" : "path", bounds, found);
  }
  if (input.program !== undefined) lookAtProgram(input.program, bounds, found);
  const grants: Grant[] = [];
  for (const path of new Set(found.paths)) {
    const record = pathRecord(path);
    if (record === undefined || !mayGrant(record.path, bounds)) continue;
    if (!runtime.some((folder) => isWithin(record.path, folder)))
      grants.push({ ...record, kind: "read-exec" });
  }
  return { grants: withoutCovered(grants), env: found.env };
}
