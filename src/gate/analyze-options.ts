import type { AnalyzeOptions } from "../shell/types.ts";
import type { GateContext } from "./context.ts";
import type { FileView } from "./file-view.ts";

/** A command under `exec` gets a home of its own, so what lies in the caller's says nothing about it. */
export function analyzeOptions({ workspace, view, kind }: GateContext): AnalyzeOptions {
  const base = {
    cwd: workspace.cwd,
    isDirectory: (path: string) => view.isFolder(path),
    toplevel: (path: string) => toplevel(path, view),
  };
  return view.home === undefined || kind === "exec" ? base : { ...base, home: view.home };
}

function toplevel(path: string, view: FileView): string | undefined {
  for (let folder = path; folder !== ""; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    if (view.lexists(`${folder}/.git`)) return folder;
  }
  return undefined;
}
