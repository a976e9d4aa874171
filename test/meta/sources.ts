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

/** Every name that is used as a value and not declared by a function around it: globals and imports. */
export function identifiersOf(source: Source): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node, local: ReadonlySet<string>): void => {
    if (ts.isIdentifier(node) && !isMemberName(node) && !local.has(node.text)) found.add(node.text);
    const inner = ts.isFunctionLike(node) ? new Set([...local, ...declaredIn(node)]) : local;
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, true), new Set());
  return found;
}

/** Names of the parameters and variables of a function, without those of functions in it. */
function declaredIn(owner: ts.Node): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const declares = ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node);
    if (declares && ts.isIdentifier(node.name)) names.add(node.name.text);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(owner, visit);
  return names;
}

function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  const named =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isNamedTupleMember(parent);
  return named && parent.name === node;
}
