import type { CleanedOutput } from "../agents/types.ts";
import type { Workspace } from "../core/request.ts";
import type { Json } from "../core/strict-json.ts";
import type { Policy } from "../policy/types.ts";
import type { Redactor } from "../secrets/find.ts";
import { redactor } from "./hook-reason.ts";

const MAX_TEXT = 30_000;

/** A tool's output without the secrets that are in it; undefined where none is. */
export function cleanOutput(
  output: Json,
  where: { readonly policy: Policy; readonly workspace: Workspace },
): CleanedOutput | undefined {
  const cleaner = redactor(where);
  const texts: string[] = [];
  const cleaned = cleanJson(output, cleaner, texts);
  const { count } = cleaner;
  if (count === 0) return undefined;
  const text = texts.join("\n");
  return {
    output: cleaned,
    text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text,
    reason: `${count} secret ${count === 1 ? "value was" : "values were"} removed from the output of this tool`,
  };
}

function cleanJson(value: Json, cleaner: Redactor, texts: string[]): Json {
  if (typeof value === "string") {
    const text = cleaner.clean(value);
    texts.push(text);
    return text;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => cleanJson(item, cleaner, texts));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [cleaner.clean(name), cleanJson(inner, cleaner, texts)]),
  );
}
