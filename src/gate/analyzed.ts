import { analyze, analyzeArgv } from "../shell/analyze.ts";
import type { Analysis, AnalyzeOptions } from "../shell/types.ts";
import type { GateContext } from "./context.ts";
import type { FileView } from "./file-view.ts";

/** A command line or an argument vector, as it was last read. */
interface Read {
  readonly asked: string | readonly string[];
  readonly cwd: string;
  readonly kind: GateContext["kind"];
  readonly analysis: Analysis;
}

/** One request is asked about several times: by the shell rules, those for agents, and those of the policy. */
const LAST = new WeakMap<FileView, Read>();

/** The analysis of a command as the request that holds it would run it. */
export function analyzed(
  asked: string | readonly string[],
  context: GateContext,
  cwd = context.workspace.cwd,
): Analysis {
  const { view, kind } = context;
  const last = LAST.get(view);
  if (last?.asked === asked && last.cwd === cwd && last.kind === kind) return last.analysis;
  const options = { ...analyzeOptions(context), cwd };
  const analysis = typeof asked === "string" ? analyze(asked, options) : analyzeArgv(asked, options);
  LAST.set(view, { asked, cwd, kind, analysis });
  return analysis;
}

/** A command under `exec` gets a home of its own, so what lies in the caller's says nothing about it. */
function analyzeOptions({ workspace, view, kind }: GateContext): AnalyzeOptions {
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
