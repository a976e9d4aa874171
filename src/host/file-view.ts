import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { decodeBytes } from "../core/bytes.ts";
import type { Workspace } from "../core/request.ts";
import type { FileView } from "../gate/file-view.ts";
import { isPublicPem } from "../secrets/pem.ts";
import { type Kind, kindOfEntry, listFolder, toBytes } from "./folder-list.ts";
import { indexReader } from "./git-index.ts";

export interface FileViewInput {
  /** The caller's environment: HOME and PATH are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workspace: Workspace;
}

/** The kernel's own limit on links in one path (path_resolution(7)). */
const MAX_LINKS = 40;
const MAX_PEM_BYTES = 4 * 1024 * 1024;

/** What the gate asks of the disk. Every answer is of one moment; the kernel bounds what happens later. */
export function fileView(input: FileViewInput): FileView {
  const { env, workspace } = input;
  const forbidden = ownTrees(workspace);
  const kinds: Kinds = new Map();
  return {
    home: env["HOME"]?.startsWith("/") === true ? env["HOME"] : fallbackHome(),
    lexists: (path) => kindOf(path, kinds) !== "none",
    resolve: (path) => resolvePath(path, { forbidden, root: workspace.root, kinds }),
    findProgram: (name, cwd) => findProgram(name, cwd, env["PATH"]),
    isSpecial,
    isFolder: (path) => isFolder(path, kinds),
    list: (path) => list(path, kinds),
    isTracked: indexReader(),
    isPublicPem: readsAsPublicPem,
  };
}

function fallbackHome(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/** Trees in which a link is another file for every process; none when the workspace itself lies there. */
function ownTrees(workspace: Workspace): readonly string[] {
  return ["/proc", "/dev/fd"].filter((tree) => !workspace.root.startsWith(`${tree}/`));
}

interface Ground {
  readonly forbidden: readonly string[];
  readonly root: string;
  readonly kinds: Kinds;
}

/**
 * realpath(3), but what does not exist is kept as written, so that a link to nothing still shows where it leads.
 * Throws on a loop, on a folder that may not be searched, and where the way goes through /proc.
 */
function resolvePath(path: string, { forbidden, root, kinds }: Ground): string {
  // The workspace is known by its real name.
  const isInside = path.startsWith(`${root}/`);
  const rest = (isInside ? path.slice(root.length + 1) : path).split("/").reverse();
  let real = isInside ? root : "";
  let links = 0;
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      real = real.slice(0, Math.max(0, real.lastIndexOf("/")));
      continue;
    }
    const next = `${real}/${part}`;
    if (forbidden.includes(next)) throw new Error("the path goes through /proc");
    if (kindOf(next, kinds, "strict") !== "link") {
      real = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw new Error("too many links");
    const target = decodeBytes(readlinkSync(toBytes(next), { encoding: "buffer" }));
    if (target.startsWith("/")) real = "";
    rest.push(...target.split("/").reverse());
  }
  return real === "" ? "/" : real;
}

/** What was found so far: one request asks for the same folders over and over, and all answers are of one moment. */
type Kinds = Map<string, Kind>;

const MOST_KINDS = 10_000;

function kindOf(path: string, kinds: Kinds, mode?: "strict"): Kind {
  const have = kinds.get(path);
  if (have !== undefined) return have;
  const kind = findKind(path, mode);
  // Behind a failure lies no answer, so nothing is kept of it.
  if (kind !== undefined && kinds.size < MOST_KINDS) kinds.set(path, kind);
  return kind ?? "none";
}

/** Undefined: hidden by a failure. */
function findKind(path: string, mode: "strict" | undefined): Kind | undefined {
  try {
    const stat = lstatSync(toBytes(path), { throwIfNoEntry: false });
    if (stat === undefined) return "none";
    return kindOfEntry(stat);
  } catch (error) {
    // Below a file there is nothing; any other failure hides the answer.
    if (mode === "strict" && (error as NodeJS.ErrnoException).code !== "ENOTDIR") throw error;
    return undefined;
  }
}

function findProgram(name: string, cwd: string, path: string | undefined): string | undefined {
  if (name.includes("/")) {
    const file = name.startsWith("/") ? name : `${cwd}/${name}`;
    return isProgram(file) ? file : undefined;
  }
  for (const folder of (path ?? "/usr/local/bin:/usr/bin:/bin").split(":")) {
    // An empty or relative entry would find whatever lies in the current folder; the command's own PATH has none.
    const file = `${folder}/${name}`;
    if (folder.startsWith("/") && isProgram(file)) return file;
  }
  return undefined;
}

function isProgram(file: string): boolean {
  try {
    accessSync(toBytes(file), constants.X_OK);
    return statSync(toBytes(file)).isFile();
  } catch {
    return false;
  }
}

function isSpecial(path: string): boolean {
  try {
    const stat = lstatSync(toBytes(path), { throwIfNoEntry: false });
    return stat !== undefined && !stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOTDIR";
  }
}

function isFolder(path: string, kinds: Kinds): boolean {
  const kind = kindOf(path, kinds);
  if (kind !== "link") return kind === "folder";
  try {
    return statSync(toBytes(path)).isDirectory();
  } catch {
    return false;
  }
}

/** What the names are is read with them, so that a walk over a tree asks for no file alone. */
function list(path: string, kinds: Kinds): readonly string[] | undefined {
  try {
    return listFolder(path).map((entry) => {
      if (kinds.size < MOST_KINDS) kinds.set(entry.path, entry.kind);
      return entry.name;
    });
  } catch {
    return undefined;
  }
}

/** Opened without following a link and without waiting on a pipe; whatever goes wrong is a no. */
function readsAsPublicPem(path: string): boolean {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(toBytes(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size === 0 || stat.size > MAX_PEM_BYTES) return false;
    const bytes = new Uint8Array(stat.size + 1);
    const count = readSync(descriptor, bytes, 0, bytes.length, 0);
    return count === stat.size && isPublicPem(bytes.subarray(0, count));
  } catch {
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
