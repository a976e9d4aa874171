/** Lines around a change that are shown. */
const CONTEXT = 3;
/** Larger middles are shown as taken out and put in whole. */
const MOST_CELLS = 4_000_000;

interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** Both texts as `diff -u` shows them; undefined is a file that does not exist. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  const lines = compare(split(before), split(after));
  const hunks = hunksOf(lines);
  const name = (text: string | undefined): string => (text === undefined ? "/dev/null" : path);
  return [`--- ${name(before)}`, `+++ ${name(after)}`, ...hunks].join("\n");
}

/** A last line without an end is shown as such, and differs from the same with one. */
function split(text: string | undefined): readonly string[] {
  if (text === undefined || text === "") return [];
  const lines = text.split("\n");
  const last = lines.pop();
  return last === "" || last === undefined ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const line =
    (mark: Line["mark"]) =>
    (text: string): Line => ({ mark, text });
  return [
    ...before.slice(0, start).map(line(" ")),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(line(" ")),
  ];
}

/** The longest common subsequence, by its table. */
function middle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const width = after.length + 1;
  const isLarge = (before.length + 1) * width > MOST_CELLS;
  const table = new Uint32Array(isLarge ? 0 : (before.length + 1) * width);
  const common = (i: number, j: number): number => table[i * width + j] ?? 0;
  if (!isLarge) {
    for (let i = before.length - 1; i >= 0; i -= 1) {
      for (let j = after.length - 1; j >= 0; j -= 1) {
        table[i * width + j] =
          before[i] === after[j] ? common(i + 1, j + 1) + 1 : Math.max(common(i + 1, j), common(i, j + 1));
      }
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [left, right] = [before[i], after[j]];
    if (left !== undefined && left === right && !isLarge) {
      lines.push({ mark: " ", text: left });
      [i, j] = [i + 1, j + 1];
    } else if (
      left !== undefined &&
      (right === undefined || isLarge || common(i + 1, j) >= common(i, j + 1))
    ) {
      lines.push({ mark: "-", text: left });
      i += 1;
    } else {
      lines.push({ mark: "+", text: right ?? "" });
      j += 1;
    }
  }
  return lines;
}

function hunksOf(lines: readonly Line[]): readonly string[] {
  const changed = lines.flatMap(({ mark }, at) => (mark === " " ? [] : [at]));
  const groups: [from: number, to: number][] = [];
  for (const at of changed) {
    const last = groups.at(-1);
    if (last !== undefined && at - CONTEXT <= last[1]) last[1] = Math.min(at + CONTEXT + 1, lines.length);
    else groups.push([Math.max(at - CONTEXT, 0), Math.min(at + CONTEXT + 1, lines.length)]);
  }
  return groups.flatMap(([from, to]) => {
    const part = lines.slice(from, to);
    const range = (mark: "-" | "+"): string => {
      const skipped = mark === "-" ? "+" : "-";
      const start = lines.slice(0, from).filter((line) => line.mark !== skipped).length;
      const count = part.filter((line) => line.mark !== skipped).length;
      return `${mark}${count === 0 ? start : start + 1},${count}`;
    };
    return [`@@ ${range("-")} ${range("+")} @@`, ...part.map(({ mark, text }) => mark + text)];
  });
}
