/** Letters of Cyrillic and Greek that look like Latin ones (Unicode TR 39, confusables), and those they look like. */
const LETTERS = new Map(
  [..."асԁеһіјӏорԛѕԝхуѵαιοκνρυχɡɩ"].map((letter, index) => [
    letter,
    "acdehijlopqswxyvaiokvpuxgi"[index] ?? "",
  ]),
);

/**
 * What a word that is not plain ASCII looks like: without characters that do not show and marks above letters, wide
 * and styled letters as plain ones, and letters of other scripts as the Latin ones they resemble.
 */
export function plainLook(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  const bare = text.normalize("NFKD").replace(/[\p{Cf}\p{Mn}\p{Default_Ignorable_Code_Point}\s]/gu, "");
  return [...bare.replace(/[\u2010-\u2015\u2212\ufe58]/gu, "-")]
    .map((char) => LETTERS.get(char) ?? char)
    .join("");
}
