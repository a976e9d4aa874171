/** Blanks of all kinds and characters that do not show, which some tools cut off. */
const UNSEEN = /^[\s\p{Cf}\p{Cc}]+|[\s\p{Cf}\p{Cc}]+$/gu;
/** A place in the file (`:10`, `:1-5`, `#L3`), a query, a stream of NTFS. */
const PLACE = /(?:[#?][^/]*|:[\w$:,-]*)$/;

/**
 * What a lenient tool could take a path for: without the blanks, quotes and marks around it, and without the place in
 * the file behind it. None for what is written plainly.
 */
export function otherReadings(text: string): readonly string[] {
  if (/^[\w./-]*$/.test(text)) return [];
  const bare = text
    .replace(UNSEEN, "")
    .replace(/^@/, "")
    .replace(/^(["'`])(.*)\1$/s, "$2")
    .replace(UNSEEN, "");
  const placed = bare.replace(PLACE, "");
  return [...new Set([bare, placed])].filter((reading) => reading !== text && reading !== "");
}
