/** A statement of a TOML text: `key = value`, `[table]` or `[[list of tables]]`. */
interface Statement {
  readonly kind: "key" | "table" | "list";
  /** The segments of its (dotted) key. */
  readonly path: readonly string[];
  /** From 1. */
  readonly line: number;
}

/**
 * The statements of a TOML text in their order. The text is known to be valid, so that it is enough to step over
 * values: strings, comments and brackets.
 */
function statements(text: string): readonly Statement[] {
  const found: Statement[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const first = skipBlanks(text, at);
    const brackets = text.startsWith("[[", first) ? 2 : text.startsWith("[", first) ? 1 : 0;
    const path = readPath(text, skipBlanks(text, first + brackets));
    if (path.length > 0)
      found.push({ kind: (["key", "table", "list"] as const)[brackets] ?? "key", path, line });
    const end = endOfStatement(text, at);
    line += text.slice(at, end).split("\n").length - 1;
    at = end;
  }
  return found;
}

/** Where each top-level key of a TOML text first stands. */
export function keyLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let insideTable = false;
  for (const { kind, path, line } of statements(text)) {
    const [key = ""] = path;
    if ((kind !== "key" || !insideTable) && !lines.has(key)) lines.set(key, line);
    insideTable ||= kind !== "key";
  }
  return lines;
}

/** Where a list of tables stands, and each key of each of its tables (`args.x` for one of a table in it). */
interface TableLines {
  readonly line: number;
  readonly keys: Readonly<Record<string, number>>;
}

/** The lines of `[[name]]`, in order. Empty where the list is written in place (`name = [{ … }]`). */
export function tableLines(text: string, name: string): readonly TableLines[] {
  const tables: { line: number; keys: Record<string, number> }[] = [];
  let prefix: readonly string[] | undefined;
  for (const { kind, path, line } of statements(text)) {
    const isOwn = path[0] === name;
    if (kind === "list" && isOwn && path.length === 1) tables.push({ line, keys: Object.create(null) });
    if (kind !== "key") prefix = isOwn ? path.slice(1) : undefined;
    const keys = tables.at(-1)?.keys;
    if (prefix === undefined || keys === undefined) continue;
    const full = kind === "key" ? [...prefix, ...path] : prefix;
    for (let length = 1; length <= full.length; length += 1) keys[full.slice(0, length).join(".")] ??= line;
  }
  return tables;
}

function skipBlanks(text: string, at: number): number {
  let i = at;
  while (text[i] === " " || text[i] === "\t") i += 1;
  return i;
}

/** The segments of a bare, quoted or dotted key. */
function readPath(text: string, at: number): string[] {
  const path: string[] = [];
  let i = at;
  for (;;) {
    const quote = text[i];
    const end =
      quote === '"' || quote === "'"
        ? endOfString(text, i)
        : i + (/^[\w-]+/.exec(text.slice(i, i + 256))?.[0].length ?? 0);
    if (end === i) return path;
    path.push(quote === '"' || quote === "'" ? unquote(text.slice(i, end)) : text.slice(i, end));
    i = skipBlanks(text, end);
    if (text[i] !== ".") return path;
    i = skipBlanks(text, i + 1);
  }
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

/** The lines of the strings in the list that the key on `line` holds, in order. */
export function itemLines(text: string, line: number): readonly number[] {
  const start = text.split("\n", line - 1).join("\n").length + (line > 1 ? 1 : 0);
  const end = endOfStatement(text, start);
  const found: number[] = [];
  let at = text.indexOf("[", start);
  let now = line;
  while (at >= start && at < end) {
    const char = text[at];
    if (char === '"' || char === "'") {
      found.push(now);
      const behind = endOfString(text, at);
      now += text.slice(at, behind).split("\n").length - 1;
      at = behind;
      continue;
    }
    if (char === "#") {
      const newline = text.indexOf("\n", at);
      at = newline < 0 ? end : newline;
      continue;
    }
    if (char === "\n") now += 1;
    at += 1;
  }
  return found;
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
