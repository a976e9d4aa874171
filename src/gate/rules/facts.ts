import type { Request, ToolRequest } from "../../core/request.ts";
import type { RuleAccess } from "../../policy/rules/types.ts";
import type { Analysis, CommandEffect, FileEffect, Look, Word } from "../../shell/types.ts";
import { analyzed } from "../analyzed.ts";
import type { GateContext } from "../context.ts";
import { readCall } from "./tool-call.ts";

/** A file that a request names. */
export interface FileFact {
  readonly word: Word;
  /** Undefined: it is not known whether it is read or written. */
  readonly access: RuleAccess | undefined;
  readonly look: Look;
  /** Named by an argument of the call itself, or by a command in it. */
  readonly origin: "call" | "command";
  /** Every folder that a relative name may start at; undefined when that cannot be known. */
  readonly cwds: readonly string[] | undefined;
}

/** What rules are matched against. */
export interface Facts {
  readonly tool: Pick<ToolRequest, "tool" | "args"> | undefined;
  readonly commands: readonly CommandEffect[];
  readonly files: readonly FileFact[];
  /** Each command line or argument vector of the request, as it was read. */
  readonly analyses: readonly Analysis[];
}

/** What a request would do, as far as rules ask. */
export function factsOf(request: Request, context: GateContext): Facts {
  if (request.kind === "exec") return factsOfAnalyses([analyzed(request.argv, context)]);
  const call = readCall(request, context);
  const analyses = call.commands.map((command) => analyzed(command, context, call.cwd));
  const shell = factsOfAnalyses(analyses);
  const files = call.files.map((file): FileFact => ({ ...file, origin: "call", cwds: [call.cwd] }));
  return { ...shell, tool: request, files: [...files, ...shell.files] };
}

export function factsOfAnalyses(analyses: readonly Analysis[]): Facts {
  const effects = analyses.flatMap((analysis) => analysis.effects);
  const commands = effects.filter((effect): effect is CommandEffect => effect.kind === "command");
  const files = effects.filter(
    (effect): effect is FileEffect => effect.kind === "read" || effect.kind === "write",
  );
  const isWhole = analyses.every((analysis) => analysis.complete);
  return {
    tool: undefined,
    analyses,
    commands: isWhole ? commands : [...commands, ANYTHING],
    files: files.map(({ path, kind, look, cwds, from }) => ({
      word: path,
      access: kind,
      origin: "command",
      look: from === "redirection" ? "path" : look,
      cwds,
    })),
  };
}

const UNKNOWN: Word = { kind: "unknown", source: "unknown", many: true };

/** Stands for what a command line that was not understood may run. */
const ANYTHING: CommandEffect = {
  kind: "command",
  name: UNKNOWN,
  argv: [UNKNOWN],
  assignments: [],
  internal: false,
  context: [],
  cwds: undefined,
};
