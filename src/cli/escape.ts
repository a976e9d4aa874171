/**
 * Everything that could move the cursor, change colours, reorder or hide text on a terminal: control and format
 * characters (bidirectional marks, zero-width, tags), line and paragraph separators, lone surrogates, private use.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function spell(char: string): string {
  const named = NAMED[char];
  if (named !== undefined) return named;
  const code = char.codePointAt(0) ?? 0;
  // A byte that was not UTF-8 (core/bytes keeps it as a lone surrogate).
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

/** One line of text that is safe to show: names and arguments of others are printed visibly, never acted on. */
export function visible(text: string): string {
  return text.replace(HIDDEN, spell);
}

function escapeUnits(char: string): string {
  let out = "";
  for (let i = 0; i < char.length; i++) out += `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`;
  return out;
}

/** JSON that stays JSON and is as safe to show as {@link visible} text. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(HIDDEN, (char) =>
    char === "\n" ? char : escapeUnits(char),
  );
}
