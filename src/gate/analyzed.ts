import { analyze, analyzeArgv } from "../shell/analyze.ts";
import type { Analysis, AnalyzeOptions } from "../shell/types.ts";
import type { GateContext } from "./context.ts";
import type { FileView } from "./file-view.ts";

/** The analysis of a command as the request that holds it would run it. */
export function analyzed(
  asked: string | readonly string[],
  context: GateContext,
  cwd = context.workspace.cwd,
): Analysis {
  const { kind, lastRead } = context;
  const last = lastRead.value;
  if (last?.asked === asked && last.cwd === cwd && last.kind === kind) return last.analysis;
  const options = analyzeOptions(context, cwd);
  const analysis = typeof asked === "string" ? analyze(asked, options) : analyzeArgv(asked, options);
  lastRead.value = { asked, cwd, kind, analysis };
  return analysis;
}

/** A command under `exec` gets a home of its own, so what lies in the caller's says nothing about it. */
function analyzeOptions({ view, kind }: GateContext, cwd: string): AnalyzeOptions {
  return {
    cwd,
    home: kind === "exec" ? undefined : view.home,
    variables: undefined,
    dialect: undefined,
    isDirectory: (path) => view.isFolder(path),
    // Where `mkdir` failed all the same, the kernel bounds what follows.
    canBeMade: kind === "exec" ? (path) => canBeMade(path, view) : undefined,
    findsProgram: (name) => view.findProgram(name, cwd) !== undefined,
    toplevel: (path) => toplevel(path, view),
  };
}

/** Nothing has that name, in a folder that is there: the workspace's, or the private `/tmp`. */
function canBeMade(path: string, view: FileView): boolean {
  return !view.lexists(path) && view.isFolder(path.slice(0, path.lastIndexOf("/")) || "/");
}

function toplevel(path: string, view: FileView): string | undefined {
  for (let folder = path; folder !== ""; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    if (view.lexists(`${folder}/.git`)) return folder;
  }
  return undefined;
}
