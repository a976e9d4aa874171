import type { ClassToken, Component, Token } from "./glob-parse.ts";

/** Counts comparisons, so that a test can prove the bound instead of timing it. */
export interface StepCounter {
  steps: number;
}

/** A name as characters; a plain string serves where every character is one code unit. */
export type Chars = ArrayLike<string>;

/** Splits a name into characters. */
export function toChars(name: string): Chars {
  return /[\u0080-\uffff]/.test(name) ? [...name] : name;
}

/**
 * Whether a name matches. Only the last `*` is ever tried again, so the work is at most the product of the two
 * lengths: `*` matches any run, so an earlier one never needs to give up what it took.
 */
function matchName(tokens: readonly Token[], name: Chars, counter?: StepCounter): boolean {
  let t = 0;
  let n = 0;
  let runToken = -1;
  let runName = 0;
  while (n < name.length) {
    if (counter !== undefined) counter.steps += 1;
    const token = tokens[t];
    if (token?.kind === "run") {
      runToken = t;
      runName = n;
      t += 1;
    } else if (token !== undefined && matchChar(token, name[n] ?? "")) {
      t += 1;
      n += 1;
    } else if (runToken >= 0) {
      t = runToken + 1;
      runName += 1;
      n = runName;
    } else return false;
  }
  while (tokens[t]?.kind === "run") t += 1;
  return t === tokens.length;
}

/**
 * The same over the parts of a path, with `**` for any run of parts. Comparing every part with every other costs at
 * most the product of the two whole lengths.
 */
export function matchPath(
  components: readonly Component[],
  path: readonly Chars[],
  counter?: StepCounter,
): boolean {
  let c = 0;
  let p = 0;
  let starComponent = -1;
  let starPath = 0;
  while (p < path.length) {
    if (counter !== undefined) counter.steps += 1;
    const component = components[c];
    if (component?.kind === "globstar") {
      if (c === components.length - 1) return true;
      starComponent = c;
      starPath = p;
      c += 1;
    } else if (component !== undefined && matchName(component.tokens, path[p] ?? "", counter)) {
      c += 1;
      p += 1;
    } else if (starComponent >= 0) {
      c = starComponent + 1;
      starPath += 1;
      p = starPath;
    } else return false;
  }
  while (components[c]?.kind === "globstar") c += 1;
  return c === components.length;
}

/** Whether one character fits one unit of a pattern. */
export function matchChar(token: Token, char: string): boolean {
  if (token.kind === "any") return true;
  if (token.kind === "char") return token.char === char;
  return token.kind === "class" && inClass(token, char) !== token.negated;
}

function inClass(token: ClassToken, char: string): boolean {
  const forms = token.folds ? [char, char.toUpperCase(), char.toLowerCase()] : [char];
  const codes = forms.map((form) => form.codePointAt(0) ?? 0);
  return token.ranges.some((range) => codes.some((value) => value >= range.low && value <= range.high));
}
