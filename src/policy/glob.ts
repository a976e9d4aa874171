import { compose, foldCase } from "./fold.ts";
import { type Chars, matchPath, type StepCounter, toChars } from "./glob-match.ts";
import {
  type Alternative,
  type Component,
  expandBraces,
  MAX_ALTERNATIVES,
  MAX_PATTERN_LENGTH,
  parseAlternative,
  type Reading,
  type Token,
} from "./glob-parse.ts";

/** A compiled pattern over paths relative to the workspace. */
export interface Glob {
  readonly pattern: string;
  /** Whether it names something: false for patterns of wildcards alone (`*`, `**`, `?/*`). */
  readonly specific: boolean;
  /** Whether the path, or a folder above it, matches. */
  matches(path: string | PreparedPath, counter?: StepCounter): boolean;
  /**
   * Patterns for single names with `*` and `?` (one ASCII byte) only, case aside. Every path that this glob matches
   * has a part that matches one of them or that is not ASCII.
   */
  namePatterns(): readonly string[];
  /** Names of which every path that this glob matches has one as a part, case folded; undefined: none are sure. */
  neededParts(): readonly string[] | undefined;
}

/** A path split once, for many globs. */
export interface PreparedPath {
  readonly path: string;
  readonly folded: readonly Chars[];
}

export interface GlobOptions {
  /** Case counts: for patterns that widen what is allowed. Otherwise it folds. */
  readonly caseSensitive?: boolean;
  /** The pattern starts at the workspace, also without a leading slash. */
  readonly anchored?: boolean;
  /** Absolute names of the workspace; a pattern that starts with one is anchored below it. */
  readonly roots?: readonly string[];
}

const FOLDED: Reading = { folds: true, char: foldCase };
const EXACT: Reading = { folds: false, char: compose };
const GLOBSTAR: Component = { kind: "globstar" };

/**
 * Compiles an ordinary glob. It matches at any depth unless it starts with a slash; `**` spans folders; a match on a
 * folder covers everything in it. Never throws: what {@link globProblem} objects to matches only itself, literally.
 */
export function compileGlob(pattern: string, options: GlobOptions = {}): Glob {
  const reading = readingOf(options);
  const compiled = globComponents(pattern, options);
  return {
    pattern,
    specific: compiled.every((components) => components.some(isSpecific)),
    matches: (path, counter) => {
      const parts = partsOf(path, reading);
      return compiled.some((components) => matchPath(components, parts, counter));
    },
    namePatterns: () => compiled.map(mostTelling),
    neededParts: () => (reading.folds ? neededOf(compiled) : undefined),
  };
}

function readingOf(options: GlobOptions): Reading {
  return options.caseSensitive === true ? EXACT : FOLDED;
}

/** The parts of a glob, for each of its alternatives. */
export function globComponents(pattern: string, options: GlobOptions): readonly (readonly Component[])[] {
  const reading = readingOf(options);
  const relative = compose(belowRoot(pattern, options.roots ?? []));
  const alternatives = (expandBraces(relative) ?? [relative]).map((text) => parseAlternative(text, reading));
  return alternatives.flatMap((alternative) => toComponents(alternative, options.anchored === true));
}

/** Why a pattern is not accepted in a policy, or undefined. */
export function globProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH) return `is longer than ${MAX_PATTERN_LENGTH} characters`;
  if (pattern.includes("\0")) return "holds a NUL character";
  if (pattern.startsWith("!")) return "starts with `!`: patterns cannot be negated";
  if (expandBraces(pattern) === undefined) return `has more than ${MAX_ALTERNATIVES} brace alternatives`;
  return undefined;
}

function belowRoot(pattern: string, roots: readonly string[]): string {
  for (const root of roots) {
    if (pattern === root) return "/";
    if (root !== "/" && pattern.startsWith(`${root}/`)) return pattern.slice(root.length);
  }
  return pattern;
}

function toComponents(alternative: Alternative, anchored: boolean): Component[][] {
  if (alternative.components === undefined) return [];
  const start = anchored || alternative.anchored ? [] : [GLOBSTAR];
  return [[...start, ...alternative.components, GLOBSTAR]];
}

/** Splits a path relative to the workspace, for globs that fold case. */
export function preparePath(path: string): PreparedPath {
  return { path, folded: splitPath(foldCase(path)) };
}

function partsOf(path: string | PreparedPath, reading: Reading): readonly Chars[] {
  if (typeof path !== "string") return reading.folds ? path.folded : splitPath(compose(path.path));
  return splitPath(reading.folds ? foldCase(path) : compose(path));
}

function splitPath(path: string): Chars[] {
  const parts: Chars[] = [];
  for (let start = 0; start <= path.length; ) {
    const slash = path.indexOf("/", start);
    const end = slash === -1 ? path.length : slash;
    const part = path.slice(start, end);
    if (part !== "" && part !== ".") parts.push(toChars(part));
    start = end + 1;
  }
  return parts;
}

/** One part of each alternative that is spelt out. Parts beyond ASCII are left alone: they are no plain strings. */
function neededOf(compiled: readonly (readonly Component[])[]): readonly string[] | undefined {
  const found = compiled.map((components) => components.map(spelt).find((text) => text !== undefined));
  return found.every((text) => text !== undefined) ? found : undefined;
}

function spelt(component: Component): string | undefined {
  if (component.kind === "globstar") return undefined;
  let text = "";
  for (const token of component.tokens) {
    if (token.kind !== "char") return undefined;
    text += token.char;
  }
  return /^\p{ASCII}+$/u.test(text) ? text : undefined;
}

const isWild = (token: Token): boolean => token.kind === "any" || token.kind === "run";

function isSpecific(component: Component): boolean {
  return component.kind === "name" && !component.tokens.every(isWild);
}

/** The part with the most literal characters; the last of equals, since file names differ more than folders. */
function mostTelling(components: readonly Component[]): string {
  let best = "*";
  let most = -1;
  for (const component of components) {
    if (component.kind === "globstar") continue;
    const text = component.tokens.map(wireText).join("");
    const literals = component.tokens.filter((token) => token.kind === "char").length;
    if (literals >= most) {
      best = text.replace(/\*{2,}/g, "*");
      most = literals;
    }
  }
  return best;
}

function wireText(token: Token): string {
  if (token.kind === "run") return "*";
  // A literal `*` or `?` cannot be written on the wire, but is one byte.
  if (token.kind !== "char" || token.char === "*" || token.char === "?" || token.char === "\0") return "?";
  return /^[\p{ASCII}]$/u.test(token.char) ? token.char : "*";
}
