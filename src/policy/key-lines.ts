/**
 * Where each top-level key of a TOML text first stands (line numbers from 1). The text is known to be valid, so that
 * it is enough to step over values: strings, comments and brackets.
 */
export function keyLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let at = 0;
  let line = 1;
  let insideTable = false;
  while (at < text.length) {
    const first = skipBlanks(text, at);
    const brackets = text.startsWith("[[", first) ? 2 : text.startsWith("[", first) ? 1 : 0;
    const isTable = brackets > 0;
    const key = readKey(text, skipBlanks(text, first + brackets));
    if (key !== undefined && (isTable || !insideTable) && !lines.has(key)) lines.set(key, line);
    insideTable ||= isTable;
    const end = endOfStatement(text, at);
    line += text.slice(at, end).split("\n").length - 1;
    at = end;
  }
  return lines;
}

function skipBlanks(text: string, at: number): number {
  let i = at;
  while (text[i] === " " || text[i] === "\t") i += 1;
  return i;
}

/** The first segment of a bare, quoted or dotted key. */
function readKey(text: string, at: number): string | undefined {
  const quote = text[at];
  if (quote === '"' || quote === "'") return unquote(text.slice(at, endOfString(text, at)));
  return /^[\w-]+/.exec(text.slice(at, at + 256))?.[0];
}

function unquote(quoted: string): string {
  const inner = quoted.slice(1, -1);
  if (quoted.startsWith("'")) return inner;
  const escapes: Readonly<Record<string, string>> = {
    b: "\b",
    t: "\t",
    n: "\n",
    f: "\f",
    r: "\r",
    e: "\u001b",
  };
  return inner.replace(/\\(u[\da-f]{4}|U[\da-f]{8}|x[\da-f]{2}|.)/gi, (_, sequence: string) =>
    sequence.length > 1
      ? String.fromCodePoint(Number.parseInt(sequence.slice(1), 16))
      : (escapes[sequence] ?? sequence),
  );
}

/** Just behind the newline that ends the statement at `at`. */
function endOfStatement(text: string, at: number): number {
  let depth = 0;
  let i = at;
  while (i < text.length) {
    const char = text[i];
    if (char === '"' || char === "'") {
      i = endOfString(text, i);
      continue;
    }
    if (char === "#") {
      const newline = text.indexOf("\n", i);
      i = newline < 0 ? text.length : newline;
      continue;
    }
    if (char === "[" || char === "{") depth += 1;
    if (char === "]" || char === "}") depth -= 1;
    i += 1;
    if (char === "\n" && depth <= 0) return i;
  }
  return i;
}

/** Just behind the string that starts at `at`; `"""` and `'''` span lines. */
function endOfString(text: string, at: number): number {
  const quote = text[at] ?? "";
  const mark = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  let i = at + mark.length;
  while (i < text.length && !text.startsWith(mark, i)) i += text[i] === "\\" && quote === '"' ? 2 : 1;
  i += mark.length;
  // A multi-line string may end in one or two more quotes of its own.
  while (mark.length === 3 && text[i] === quote) i += 1;
  return Math.min(i, text.length);
}
