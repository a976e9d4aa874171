import { analyze } from "../../src/shell/analyze.ts";
import type { Analysis, CommandEffect, FileEffect, Word } from "../../src/shell/types.ts";
import type { Bench, Ran, Started } from "./bash.ts";

export interface Comparison {
  /** What bash did and the analysis does not list. */
  readonly missing: readonly string[];
  /** `unknown`: the analysis says that it does not know everything; then nothing can be missing. */
  readonly known: boolean;
  readonly analysis: Analysis;
}

const FOLDERS = ["", "/sub", "/sub/deep", "/home", "/tmp"];

function read(text: string, bench: Bench): Analysis {
  const folders = new Set(FOLDERS.map((name) => bench.cwd + name));
  return analyze(text, { cwd: bench.cwd, home: bench.home, isDirectory: (path) => folders.has(path) });
}

export function compare(text: string, ran: Ran, bench: Bench): Comparison {
  const analysis = read(text, bench);
  const opaque = analysis.effects.some((effect) => effect.kind === "opaque");
  if (!analysis.complete || opaque) return { missing: [], known: false, analysis };
  const missing: string[] = [];
  for (const started of ran.started) {
    if (!analysis.effects.some((effect) => effect.kind === "command" && isStart(effect, started)))
      missing.push(`started ${JSON.stringify([started.name, ...started.argv])} in ${started.cwd}`);
    for (const path of started.reads)
      if (!isListed(path, "read", analysis, bench)) missing.push(`read ${path}`);
    for (const path of started.writes)
      if (!isListed(path, "write", analysis, bench)) missing.push(`wrote ${path}`);
  }
  for (const path of ran.written)
    if (!isListed(path, "write", analysis, bench)) missing.push(`wrote ${path}`);
  return { missing: [...new Set(missing)], known: true, analysis };
}

function isStart(effect: CommandEffect, started: Started): boolean {
  if (effect.internal || effect.name.kind !== "literal") return false;
  if (effect.name.text.replace(/^.*\//s, "") !== started.name) return false;
  if (effect.cwds !== undefined && !effect.cwds.includes(started.cwd)) return false;
  const text = started.argv.map((word) => `${word}\0`).join("");
  return new RegExp(`^${effect.argv.map(wordPattern).join("")}$`, "su").test(text);
}

/** The arguments that a word may become, each with its end. */
function wordPattern(word: Word): string {
  if (word.kind === "literal") return `${escapeText(word.text)}\\x00`;
  if (word.kind === "unknown") return word.many ? "(?:[^\\x00]*\\x00)*" : "[^\\x00]*\\x00";
  const isGlob = word.parts.some((part) => typeof part !== "string" && "glob" in part);
  const any = word.many ? ".*" : "[^\\x00]*";
  const parts = word.parts.map((part) => (typeof part === "string" ? escapeText(part) : any)).join("");
  return word.many || isGlob ? `(?:${parts}\\x00)*` : `${parts}\\x00`;
}

function isListed(path: string, kind: FileEffect["kind"], analysis: Analysis, bench: Bench): boolean {
  if (!path.startsWith(`${bench.cwd}/`)) return true;
  return analysis.effects.some((effect) => effect.kind === kind && isFile(effect, path));
}

function isFile(effect: FileEffect, path: string): boolean {
  const { path: word, cwds } = effect;
  if (word.kind === "unknown") return true;
  const parts = word.kind === "literal" ? [word.text] : word.parts;
  const pattern = parts.map((part) => (typeof part === "string" ? escapeText(part) : ".*")).join("");
  const [first] = parts;
  if (typeof first !== "string" || first.startsWith("/"))
    return new RegExp(`^${pattern}$`, "su").test(clean(path));
  if (cwds === undefined)
    return new RegExp(`(?:^|/)${pattern.replace(/^(?:\\\.\\\.?\/)+/, "")}$`, "su").test(path);
  return cwds.some((cwd) => {
    const whole =
      word.kind === "literal" ? escapeText(clean(`${cwd}/${word.text}`)) : `${escapeText(cwd)}/${pattern}`;
    return new RegExp(`^${whole}$`, "su").test(path);
  });
}

function clean(path: string): string {
  const out: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") out.pop();
    else if (part !== "" && part !== ".") out.push(part);
  }
  return `/${out.join("/")}`;
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
