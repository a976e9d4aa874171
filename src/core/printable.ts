/** Control, zero-width, bidirectional and unpaired characters: they could forge or hide what a terminal shows. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const MAX_SHOWN = 200;

/** Text of others made safe for one line of a message: unsafe characters escaped, long text cut. */
export function printable(text: string, max = MAX_SHOWN): string {
  const shown: string[] = [];
  for (const char of text) {
    if (shown.length >= max) {
      shown.push("…");
      break;
    }
    shown.push(UNSAFE.test(char) ? escapeChar(char) : char);
  }
  return shown.join("");
}

function escapeChar(char: string): string {
  if (char === "\n") return "\\n";
  if (char === "\r") return "\\r";
  if (char === "\t") return "\\t";
  const code = char.codePointAt(0) ?? 0;
  // core/bytes keeps a byte that is not UTF-8 as U+DC80 to U+DCFF.
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
  return `\\u{${code.toString(16)}}`;
}
