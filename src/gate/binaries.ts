import type { Decision } from "../core/decision.ts";
import { cleanPath, relativeTo } from "../policy/paths.ts";
import { deny, type GateContext } from "./context.ts";

export function baseName(program: string): string {
  return program.replace(/\/+$/, "").split("/").at(-1) ?? program;
}

/**
 * Whether `allow_binaries` lets a program start. A bare entry means the program of that name on PATH, wherever the
 * request names it from: a file of the workspace that is called `git` is not git. An entry with a slash means that file.
 */
export function judgeBinary(program: string, context: GateContext): Decision | undefined {
  const { allowBinaries } = context.policy;
  if (allowBinaries.length === 0) return undefined;
  const file = findReal(program, context);
  if (allowBinaries.some((entry) => isEntry(entry, program, file, context))) return undefined;
  const what = `binary '${baseName(program)}' not in allow_binaries`;
  const isNamed = allowBinaries.includes(baseName(program));
  const reason = isNamed ? { reason: `\`${program}\` is not the ${baseName(program)} on PATH` } : {};
  return deny({ rule: "allow_binaries", code: "binary", what, ...reason });
}

/** Whether a program is surely the one that a name or path of the policy means. */
export function isProgram(entry: string, program: string, context: GateContext): boolean {
  return isEntry(entry, program, findReal(program, context), context);
}

/** The file that a program's name leads to, with every link resolved. */
export function realProgram(program: string, context: GateContext): string | undefined {
  return findReal(program, context);
}

function isEntry(entry: string, program: string, file: string | undefined, context: GateContext): boolean {
  if (entry.includes("/")) {
    const path = cleanPath(entry.startsWith("/") ? entry : `${context.workspace.root}/${entry}`);
    return path !== undefined && file !== undefined && tryResolve(path, context) === file;
  }
  if (entry === "" || baseName(program) !== entry) return false;
  const onPath = findReal(entry, context);
  // Not found at all: the name is right, and starting it fails.
  if (file === undefined) return !program.includes("/");
  return file === onPath && !isInWorkspace(entry, file, context);
}

/** A folder of the workspace on PATH (`.`, `node_modules/.bin`) makes no file in it a known program. */
function isInWorkspace(entry: string, real: string, context: GateContext): boolean {
  const found = context.view.findProgram(entry, context.workspace.cwd);
  return [real, found].some(
    (path) => path !== undefined && context.roots.some((root) => relativeTo(root, path) !== undefined),
  );
}

function findReal(program: string, context: GateContext): string | undefined {
  const found = context.view.findProgram(program, context.workspace.cwd);
  return found === undefined ? undefined : tryResolve(found, context);
}

function tryResolve(path: string, context: GateContext): string | undefined {
  try {
    return context.view.resolve(path);
  } catch {
    return undefined;
  }
}
