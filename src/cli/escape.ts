import { printable } from "../core/printable.ts";

/** One line of text that is safe to show: names and arguments of others are printed visibly, never acted on. */
export function visible(text: string): string {
  return printable(text, Number.POSITIVE_INFINITY);
}

/** What {@link visible} spells out, but for the line breaks of indented JSON. */
const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

function escapeUnits(char: string): string {
  let out = "";
  for (let i = 0; i < char.length; i++) out += `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`;
  return out;
}

/** JSON that stays JSON and is as safe to show as {@link visible} text. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(HIDDEN, escapeUnits);
}
