/** One unit of a name pattern. `run` is `*`, `any` is `?`. */
export type Token =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "any" }
  | { readonly kind: "run" }
  | ClassToken;

/** `[…]`. With `folds` a character is in it when its upper or lower form is. */
export interface ClassToken {
  readonly kind: "class";
  readonly negated: boolean;
  readonly folds: boolean;
  readonly ranges: readonly CharRange[];
}

interface CharRange {
  readonly low: number;
  readonly high: number;
}

/** One part between slashes; `globstar` is `**`. */
export type Component =
  | { readonly kind: "globstar" }
  | { readonly kind: "name"; readonly tokens: readonly Token[] };

/** One alternative of a pattern after brace expansion. `undefined` components: it can match nothing. */
export interface Alternative {
  readonly anchored: boolean;
  readonly components: readonly Component[] | undefined;
}

export const MAX_PATTERN_LENGTH = 1024;
export const MAX_ALTERNATIVES = 128;

/** How the characters of a pattern become those that names are compared with. */
export interface Reading {
  readonly folds: boolean;
  readonly char: (char: string) => string;
}

const code = (char: string): number => char.codePointAt(0) ?? 0;

/** Splits one alternative at its slashes and reads each part. */
export function parseAlternative(pattern: string, reading: Reading): Alternative {
  const anchored = pattern.startsWith("/");
  const components: Component[] = [];
  for (const part of pattern.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      const last = components.pop();
      if (last === undefined || last.kind === "globstar") return { anchored, components: undefined };
      continue;
    }
    components.push(
      /^\*{2,}$/.test(part) ? { kind: "globstar" } : { kind: "name", tokens: parseName(part, reading) },
    );
  }
  // "" names nothing; ".", "./" and "/" name the folder itself, and so all that is in it.
  return { anchored, components: pattern === "" ? undefined : components };
}

function parseName(part: string, reading: Reading): Token[] {
  const chars = [...part];
  const tokens: Token[] = [];
  for (let i = 0; i < chars.length; i += 1) {
    const char = chars[i] ?? "";
    const next = chars[i + 1];
    if (char === "*") {
      if (tokens.at(-1)?.kind !== "run") tokens.push({ kind: "run" });
    } else if (char === "?") tokens.push({ kind: "any" });
    else if (char === "\\" && next !== undefined) {
      tokens.push({ kind: "char", char: reading.char(next) });
      i += 1;
    } else if (char === "[") {
      const found = parseClass(chars, i, reading.folds);
      tokens.push(found?.token ?? { kind: "char", char: reading.char(char) });
      i = found?.end ?? i;
    } else tokens.push({ kind: "char", char: reading.char(char) });
  }
  return tokens;
}

/** `[abc]`, `[a-z]`, `[!abc]`, `[^abc]`; a `]` in first place is itself. Not closed: not a class. */
function parseClass(
  chars: readonly string[],
  start: number,
  folds: boolean,
): { token: Token; end: number } | undefined {
  const negated = chars[start + 1] === "!" || chars[start + 1] === "^";
  const first = negated ? start + 2 : start + 1;
  const ranges: CharRange[] = [];
  let i = first;
  while (i < chars.length && (chars[i] !== "]" || i === first)) {
    const low = chars[i] ?? "";
    const high = chars[i + 2];
    const isRange = chars[i + 1] === "-" && high !== undefined && high !== "]";
    ranges.push({ low: code(low), high: code(isRange ? high : low) });
    i += isRange ? 3 : 1;
  }
  return i < chars.length ? { token: { kind: "class", negated, folds, ranges }, end: i } : undefined;
}

/** `{a,b}` spelled out, nested ones too. Undefined where that would be more than {@link MAX_ALTERNATIVES}. */
export function expandBraces(pattern: string): readonly string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    const group = firstGroup(current);
    if (group === undefined) done.push(current);
    else {
      const [start, ...cuts] = group;
      const end = cuts.at(-1) ?? start;
      let from = start + 1;
      for (const cut of cuts) {
        open.push(current.slice(0, start) + current.slice(from, cut) + current.slice(end + 1));
        from = cut + 1;
      }
    }
    if (done.length + open.length > MAX_ALTERNATIVES) return undefined;
  }
  return done;
}

/** Positions of the first brace group that has a comma: its `{`, each comma of its own level, its `}`. */
function firstGroup(text: string): readonly [number, ...number[]] | undefined {
  const stack: [number, ...number[]][] = [];
  let best: readonly [number, ...number[]] | undefined;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (char === "\\") i += 1;
    else if (char === "{") stack.push([i]);
    else if (char === ",") stack.at(-1)?.push(i);
    else if (char === "}") {
      const group = stack.pop();
      if (group === undefined || group.length === 1) continue;
      group.push(i);
      if (best === undefined || group[0] < best[0]) best = group;
      if (stack.length === 0) return best;
    }
  }
  return best;
}
