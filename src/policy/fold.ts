const BEYOND_ASCII = /[\u0080-\uffff]/;

/**
 * Folds the case of one text so that two names which a case-insensitive file system could take for the same file
 * compare equal: canonical composition, then each character upper and lower again (`ſ` and the Kelvin sign become
 * `s` and `k`). A mapping that changes the number of characters is not applied, and none depends on the neighbours.
 */
export function foldCase(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
  let folded = "";
  for (const char of text.normalize("NFC")) folded += foldChar(char);
  return folded;
}

function foldChar(char: string): string {
  return single(single(char, char.toUpperCase()), single(char, char.toUpperCase()).toLowerCase());
}

function single(before: string, after: string): string {
  return [...after].length === 1 ? after : before;
}

/** Canonical composition alone, for comparisons that keep case. */
export function compose(text: string): string {
  return BEYOND_ASCII.test(text) ? text.normalize("NFC") : text;
}
