import { compose, foldCase } from "./fold.ts";

/**
 * Whether a text fits a pattern in which `*` stands for any run of characters and `?` for one. Only the last `*` is
 * ever tried again, so the work is at most the product of both lengths.
 */
export function matchesText(pattern: string, text: string, options: { readonly folds: boolean }): boolean {
  const read = (raw: string): readonly string[] => [...(options.folds ? foldCase(raw) : compose(raw))];
  const wanted = read(pattern);
  const chars = read(text);
  let p = 0;
  let t = 0;
  let star = -1;
  let from = 0;
  while (t < chars.length) {
    if (wanted[p] === "*") {
      star = p;
      from = t;
      p += 1;
    } else if (p < wanted.length && (wanted[p] === "?" || wanted[p] === chars[t])) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      from += 1;
      t = from;
    } else return false;
  }
  while (wanted[p] === "*") p += 1;
  return p === wanted.length;
}
