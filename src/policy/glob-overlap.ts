import { compose, foldCase } from "./fold.ts";
import { globComponents } from "./glob.ts";
import { matchChar } from "./glob-match.ts";
import type { Component, Token } from "./glob-parse.ts";

/** A path of which not every character is known: `*` stands for any run in one name, `**` for any run of names. */
export type PathPattern = readonly Component[];

/** Makes the pattern of a path from its parts: text as it is, and what is not known. */
export function pathPattern(parts: readonly (string | { readonly any: "name" | "names" })[]): PathPattern {
  const components: Component[] = [];
  let tokens: Token[] = [];
  const end = (): void => {
    if (tokens.length > 0) components.push({ kind: "name", tokens });
    tokens = [];
  };
  for (const part of parts) {
    if (typeof part === "string") {
      for (const char of foldCase(part)) {
        if (char === "/") end();
        else tokens.push({ kind: "char", char });
      }
    } else {
      // What stands before `**` in the same name is given up: the run may hold slashes or none.
      if (part.any === "names") {
        components.push({ kind: "globstar" });
        tokens = [];
      }
      tokens.push({ kind: "run" });
    }
  }
  end();
  return components.filter((component) => !isDot(component));
}

function isDot(component: Component): boolean {
  const [first, ...rest] = component.kind === "name" ? component.tokens : [];
  return first?.kind === "char" && first.char === "." && rest.length === 0;
}

/** Whether some path fits both a glob (as `compileGlob` reads it, case folded) and a pattern. */
export function mayOverlap(glob: string, roots: readonly string[], pattern: PathPattern): boolean {
  return globComponents(compose(glob), { roots }).some((components) =>
    overlap(components, pattern, componentsMeet),
  );
}

function componentsMeet(a: Component, b: Component): boolean {
  if (a.kind === "globstar" || b.kind === "globstar") return true;
  return overlap(a.tokens, b.tokens, tokensMeet);
}

function tokensMeet(a: Token, b: Token): boolean {
  if (a.kind === "char") return matchChar(b, a.char);
  return b.kind !== "char" || matchChar(a, b.char);
}

const isRun = (item: Component | Token | undefined): boolean =>
  item?.kind === "globstar" || item?.kind === "run";

/** Two sequences with runs in them have a common reading. At most the product of both lengths in steps. */
function overlap<T extends Component | Token>(
  one: readonly T[],
  other: readonly T[],
  meet: (a: T, b: T) => boolean,
): boolean {
  let row = new Array<boolean>(other.length + 1).fill(false);
  for (let i = one.length; i >= 0; i -= 1) {
    const next = new Array<boolean>(other.length + 1).fill(false);
    for (let j = other.length; j >= 0; j -= 1) {
      const a = one[i];
      const b = other[j];
      if (a === undefined && b === undefined) next[j] = true;
      else if (isRun(a) && row[j] === true) next[j] = true;
      else if (isRun(b) && next[j + 1] === true) next[j] = true;
      else if (a !== undefined && b !== undefined) {
        if (isRun(a) || isRun(b))
          next[j] = (isRun(a) && next[j + 1] === true) || (isRun(b) && row[j] === true);
        else next[j] = row[j + 1] === true && meet(a, b);
      }
    }
    row = next;
  }
  return row[0] === true;
}
