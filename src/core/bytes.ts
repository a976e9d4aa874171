/**
 * Linux names and arguments are bytes, JavaScript strings are not. Bytes that are not UTF-8 become lone
 * surrogates U+DC80 to U+DCFF (as Python's `surrogateescape`), so that every byte survives the way in and out.
 */
const ESCAPE_BASE = 0xdc00;
const ESCAPED = /[\udc80-\udcff]/;

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Length of the UTF-8 sequence that starts at `i`, or 0 when the bytes there are not valid UTF-8. */
function sequenceLength(bytes: Uint8Array, i: number): number {
  const lead = bytes[i] ?? 0;
  const length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length === 0 || i + length > bytes.length) return 0;
  try {
    strict.decode(bytes.subarray(i, i + length));
    return length;
  } catch {
    return 0;
  }
}

/** Bytes to a string; every byte that is not part of valid UTF-8 becomes one lone surrogate. */
export function decodeBytes(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    // Falls through to the slow way: at least one byte is not UTF-8.
  }
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    const length = sequenceLength(bytes, i);
    if (length === 0) {
      text += String.fromCharCode(ESCAPE_BASE + (bytes[i] ?? 0));
      i += 1;
    } else {
      text += strict.decode(bytes.subarray(i, i + length));
      i += length;
    }
  }
  return text;
}

/** The inverse of {@link decodeBytes}. A lone surrogate that is no escape is encoded as U+FFFD. */
export function encodeBytes(text: string): Uint8Array {
  if (!ESCAPED.test(text)) return encoder.encode(text);
  const out: number[] = [];
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (code >= 0xdc80 && code <= 0xdcff) out.push(code - ESCAPE_BASE);
    else out.push(...encoder.encode(char));
  }
  return Uint8Array.from(out);
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}
