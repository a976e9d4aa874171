import { isAbsolute, join, normalize } from "node:path";
import { analyze } from "../../src/shell/analyze.ts";
import type { Analysis, CommandEffect, FileEffect, Word } from "../../src/shell/types.ts";
import type { Executed, Trace } from "./traced.ts";

/** What bash did that the analysis neither lists nor admits not to know. */
export interface Difference {
  readonly text: string;
  readonly missed: string;
}

export function analyzed(text: string, trace: Trace): Analysis {
  return analyze(text, {
    cwd: trace.folder,
    home: trace.home,
    isDirectory: (path) => /\/(?:w|d1|d2)$/.test(path) && path.startsWith(trace.folder),
  });
}

export function compare(text: string, trace: Trace, analysis: Analysis): Difference[] {
  // Opaque code may run anything, and the analysis says so.
  if (!analysis.complete || analysis.effects.some((effect) => effect.kind === "opaque")) return [];
  const commands = analysis.effects.filter((effect) => effect.kind === "command");
  const writes = analysis.effects.filter((effect): effect is FileEffect => effect.kind === "write");
  const out: Difference[] = [];
  for (const executed of trace.executed) {
    const listed = commands.some((effect) => !effect.internal && covers(effect, executed));
    if (!listed) out.push({ text, missed: `in ${executed.cwd}: ${JSON.stringify(executed.argv)}` });
  }
  for (const file of trace.created) {
    const path = join(trace.folder, file);
    if (!writes.some((effect) => coversFile(effect, path))) out.push({ text, missed: `file ${file}` });
  }
  return out;
}

function covers(effect: CommandEffect, executed: Executed): boolean {
  if (effect.cwds !== undefined && !effect.cwds.includes(executed.cwd)) return false;
  return matchWords([effect.name, ...effect.argv], executed.argv);
}

function coversFile(effect: FileEffect, path: string): boolean {
  if (effect.cwds === undefined) return true;
  return effect.cwds.some((cwd) => {
    if (effect.path.kind === "literal") {
      return (
        (isAbsolute(effect.path.text) ? normalize(effect.path.text) : join(cwd, effect.path.text)) === path
      );
    }
    return (
      matchWord(effect.path, path) ||
      (path.startsWith(`${cwd}/`) && matchWord(effect.path, path.slice(cwd.length + 1)))
    );
  });
}

/** Whether a list of words may become these arguments; a word that may be many takes any number. */
function matchWords(words: readonly Word[], argv: readonly string[]): boolean {
  const [word, ...rest] = words;
  if (word === undefined) return argv.length === 0;
  if (word.kind !== "literal" && (word.many || isGlobbed(word))) {
    for (let count = 0; count <= argv.length; count += 1)
      if (matchWords(rest, argv.slice(count))) return true;
    return false;
  }
  const [first, ...others] = argv;
  return first !== undefined && matchWord(word, first) && matchWords(rest, others);
}

const isGlobbed = (word: Word): boolean =>
  word.kind === "partial" && word.parts.some((part) => typeof part === "object" && "glob" in part);

function matchWord(word: Word, text: string): boolean {
  if (word.kind === "literal") return word.text === text;
  if (word.kind === "unknown") return true;
  const source = word.parts
    .map((part) => (typeof part === "string" ? part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&") : "[\\s\\S]*"))
    .join("");
  return new RegExp(`^${source}$`).test(text);
}
