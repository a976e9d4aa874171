import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Source {
  /** Relative to the repository, with slashes: `src/core/bytes.ts`. */
  readonly path: string;
  readonly text: string;
}

/** Files below a folder of the repository whose name ends in one of `endings`. */
export function sources(folder: string, endings: readonly string[]): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: relative(ROOT, file).split(sep).join("/"), text: readFileSync(file, "utf8") }));
}

/** Every module a file names: static, type-only, re-exported and dynamic imports. */
export function importsOf(source: Source): string[] {
  return ts.preProcessFile(source.text, true, true).importedFiles.map((file) => file.fileName);
}

/** Every use of a global or imported name as a value (`process` in `process.env`, not in `x.process`). */
export function identifiersOf(source: Source): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !isMemberName(node)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, true));
  return found;
}

function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  const named =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isNamedTupleMember(parent);
  return named && parent.name === node;
}
