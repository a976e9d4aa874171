import type { GateContext } from "./context.ts";
import { isFileUrl } from "./location.ts";

/**
 * What a string is, by its looks and the disk:
 * `path` it is one; `word` it could be one by coincidence; `text` it has blanks in it and is no file; `none` nothing.
 */
export type Shape = "path" | "word" | "text" | "none";

export function shapeOf(text: string, context: GateContext): Shape {
  if (text.trim() === "") return "none";
  if (isFileUrl(text) || text.includes("\0")) return "path";
  // `//host/x` and `/* … */` start like an absolute path, and a program would open them as one.
  if (/^(?:\/|~|\.\.?(?:\/|$)|\$HOME\b|\$\{HOME\})/.test(text)) return "path";
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return "word";
  if (context.view.lexists(`${context.workspace.cwd}/${text}`)) return "path";
  if (/\s/.test(text)) return "text";
  return text.includes("/") && !looksLikeName(text) ? "path" : "word";
}

/** `@scope/package`, `user@host:x`, `host:path`, `name@1.2/x`: names of things that are no files here. */
function looksLikeName(text: string): boolean {
  return /^@|^[^/]*[@:]/.test(text);
}

/** Shell punctuation and quotes cut text into the words that could be paths. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s;|&<>()"'`]+/).filter((word) => word !== "");
}

/** Values that an option carries: `--file=x`, `-Ix`, `key=x`, `@x`. */
export function carriedPaths(argument: string): string[] {
  const found: string[] = [];
  const equals = argument.indexOf("=");
  if (equals > 0 && /^-{0,2}[\w.+:-]+$/.test(argument.slice(0, equals)))
    found.push(argument.slice(equals + 1));
  const attached = /^-[A-Za-z]+(?=[./~@]|\$HOME)(.+)$/s.exec(argument)?.[1];
  if (attached !== undefined) found.push(attached);
  if (argument.startsWith("@")) found.push(argument.slice(1));
  const last = found.at(-1);
  // curl's `data=@file`, `-d@file` and `form=@file;type=x`.
  if (last?.startsWith("@") === true && last !== argument)
    found.push(last.slice(1), last.slice(1).replace(/;.*$/s, ""));
  return found;
}
