import { statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { PaldronError } from "../core/errors.ts";
import { printable } from "../core/printable.ts";
import type { Workspace } from "../core/request.ts";
import { cleanPath, relativeTo } from "../policy/paths.ts";
import type { Policy } from "../policy/types.ts";
import { type RealFolder, realFolderOf } from "./real-folder.ts";

export interface WorkspaceInput {
  /** The kernel's current folder; default `process.cwd()`. */
  readonly cwd?: string | undefined;
  /** `$PWD`: the name under which the shell knows the current folder. Believed only when it is that folder. */
  readonly pwd?: string | undefined;
  /** `--workspace DIR`. */
  readonly option?: string | undefined;
  /** `$HOME`. */
  readonly home?: string | undefined;
  /** A policy that names a refused folder by its absolute path lets it be the workspace. */
  readonly policy?: Pick<Policy, "allowPaths" | "writePaths"> | undefined;
}

/** The folder that requests are judged in, under its real name and the others it is known by. */
export function findWorkspace(input: WorkspaceInput = {}): Workspace {
  const { cwd, root } = workspaceFolder(input);
  refuseTooWide(root, input);
  const option = input.option === undefined ? undefined : optionPath(input.option, cwd);
  const names = new Set<string>();
  for (const name of new Set([input.cwd, input.pwd, option])) {
    const other = name === undefined || name === root ? undefined : alias(name, root);
    if (other !== undefined) names.add(other);
  }
  const inside = relativeTo(root, cwd) !== undefined;
  return { root, names: [...names], cwd: inside ? cwd : root };
}

/** The folders that are meant, whether or not they may be handed over. */
export function workspaceFolder(input: WorkspaceInput): { readonly cwd: string; readonly root: string } {
  const cwd =
    input.cwd === undefined
      ? realFolder(currentFolder(), "current folder", ".")
      : realFolder(input.cwd, "current folder");
  const isSame = input.option === undefined || (input.option === input.cwd && input.option.startsWith("/"));
  return {
    cwd,
    root: isSame ? cwd : realFolder(optionPath(input.option, cwd), "workspace"),
  };
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new PaldronError("workspace", "the current folder does not exist any more", { cause: error });
  }
}

function optionPath(option: string, cwd: string): string {
  if (option === "") throw new PaldronError("workspace", "the name of the workspace is empty");
  return option.startsWith("/") ? option : `${cwd}/${option}`;
}

function realFolder(path: string, what: string, meant = path): string {
  const problem = (why: string, cause?: unknown): PaldronError =>
    new PaldronError("workspace", `${what} \`${printable(path)}\` ${why}`, { cause });
  let real: RealFolder;
  let isMeant: boolean;
  try {
    real = realFolderOf(path);
    // Node spells bytes that are not UTF-8 as U+FFFD, and a folder of that name may be another one.
    isMeant = (real.path === meant || isSameFile(real.path, meant)) && !/\p{Surrogate}/u.test(path);
  } catch (error) {
    throw problem(`cannot be used: ${(error as NodeJS.ErrnoException).code ?? "unknown error"}`, error);
  }
  if (!isMeant) throw problem("cannot be used: its path is not utf-8");
  if (!real.isFolder) throw problem("is not a folder");
  return real.path;
}

function isSameFile(a: string, b: string): boolean {
  const [one, other] = [statSync(a, { bigint: true }), statSync(b, { bigint: true })];
  return one.dev === other.dev && one.ino === other.ino;
}

/** Another clean absolute name of the same folder. */
function alias(name: string, root: string): string | undefined {
  const clean = name.startsWith("/") ? cleanPath(name) : undefined;
  if (clean === undefined || clean === root) return undefined;
  try {
    return realFolderOf(clean).path === root ? clean : undefined;
  } catch {
    return undefined;
  }
}

/** `/`, the home folder and every folder above it hold too much to hand over by standing in the wrong place. */
function refuseTooWide(root: string, input: WorkspaceInput): void {
  const home = homes(input.home).find((folder) => relativeTo(root, folder) !== undefined);
  if (root !== "/" && home === undefined) return;
  const named = [...(input.policy?.allowPaths ?? []), ...(input.policy?.writePaths ?? [])];
  if (named.some((entry) => entry.startsWith("/") && cleanPath(entry) === root)) return;
  const why =
    root === "/" ? "the whole file system" : root === home ? "a home folder" : "a folder above a home folder";
  throw new PaldronError(
    "workspace",
    `\`${printable(root)}\` is ${why}; work in a folder below it, or name it in write_paths`,
  );
}

/** Home folders of the caller, resolved: the one that `$HOME` names and the one of the user. */
export function homes(home: string | undefined): readonly string[] {
  const found: string[] = [];
  const named = new Set<string | undefined>();
  for (const read of [() => home, () => homedir(), userHome]) {
    try {
      const folder = read();
      if (named.has(folder)) continue;
      named.add(folder);
      if (folder?.startsWith("/") === true && folder !== "/") found.push(realFolderOf(folder).path);
    } catch {
      // No such user or folder: nothing to protect.
    }
  }
  return found;
}

let ofUser: string | undefined;

/** The home folder that the system knows for the user; asked once, because it reads all of /etc/passwd. */
function userHome(): string {
  ofUser ??= userInfo().homedir;
  return ofUser;
}
