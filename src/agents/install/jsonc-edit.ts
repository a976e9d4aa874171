import type { Json } from "../../core/strict-json.ts";
import type { Container, Item } from "./jsonc.ts";

/**
 * Edits of a text that leave everything else in it as it is. What is put in can be told from what was there by its
 * spaces: a container that is made here begins with a line break, and the first item that is put into an empty one
 * stands right behind its bracket. So taking an item out gives back the text as it was.
 */

interface Style {
  readonly indent: string;
  readonly newline: string;
}

/** How a text is indented: by its first indented line, else by two spaces. */
function styleOf(text: string): Style {
  const indent = /\n([ \t]+)["[{]/.exec(text)?.[1] ?? "  ";
  return { indent: indent.length > 8 ? "  " : indent, newline: /\r?\n/.exec(text)?.[0] ?? "\n" };
}

/** A value as JSON, its further lines indented by `base` and more. */
function printJson(value: Json, { indent, newline }: Style, base: string): string {
  return JSON.stringify(value, undefined, indent).split("\n").join(`${newline}${base}`);
}

/** The blanks with which the line of a place begins. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t\ufeff]*/.exec(line)?.[0].replace("\ufeff", "") ?? "";
}

function baseOf(text: string, container: Container, style: Style): string {
  const last = container.items.at(-1);
  const own = last !== undefined && /^[^\n]*\n\s*$/.test(text.slice(last.before, last.start));
  return own ? indentAt(text, last.start) : `${indentAt(text, container.start)}${style.indent}`;
}

/** Puts an item behind the last one of a container. */
export function insertItem(
  text: string,
  container: Container,
  item: { readonly key?: string; readonly value: Json },
): string {
  const style = styleOf(text);
  const base = baseOf(text, container, style);
  const key = item.key === undefined ? "" : `${JSON.stringify(item.key)}: `;
  const printed = key + printJson(item.value, style, base);
  const last = container.items.at(-1);
  const { tail } = container;
  const isBare = last === undefined && tail === container.start + 1;
  const alone =
    last === undefined || container.tailIsLine || text.slice(last.before, last.start).includes("\n");
  const lead = isBare ? "" : alone ? `${style.newline}${base}` : " ";
  const trailing = last?.comma === undefined ? "" : ",";
  const inserted = text.slice(0, tail) + lead + printed + trailing + text.slice(tail);
  if (last === undefined || last.comma !== undefined) return inserted;
  return `${inserted.slice(0, last.end)},${inserted.slice(last.end)}`;
}

/** Takes an item out again, with the blanks before it and the comma that came with it. */
export function removeItem(text: string, container: Container, index: number): string {
  const item = container.items[index];
  if (item === undefined) return text;
  const previous = container.items[index - 1];
  const isLast = index === container.items.length - 1;
  const comma = isLast && item.comma === undefined ? previous?.comma : item.comma;
  const cuts = [
    [item.before, item.end] as const,
    ...(comma === undefined ? [] : [[comma, comma + 1] as const]),
  ];
  return cuts
    .sort(([a], [b]) => b - a)
    .reduce((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), text);
}

export function replaceValue(text: string, item: Item, value: Json): string {
  const printed = printJson(value, styleOf(text), indentAt(text, item.start));
  return text.slice(0, item.node.start) + printed + text.slice(item.node.end);
}

/** A container that was made here and holds nothing but this one item. */
export function isMade(text: string, container: Container): boolean {
  const [only, ...others] = container.items;
  if (only === undefined || others.length > 0 || only.comma !== undefined) return false;
  return (
    /^\r?\n\s*$/.test(text.slice(container.start + 1, only.start)) &&
    /^\r?\n\s*$/.test(text.slice(only.end, container.end - 1))
  );
}
