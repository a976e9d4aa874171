import type { Effect, Word } from "./types.ts";
import { partsOf, type Text, wordOf } from "./value.ts";

/**
 * Stands in a text that is parsed for digits that are not known, which stay digits wherever they stand. In the
 * effects it is a hole again.
 */
export const MARK = "4096271828";

export const isMarked = (text: string): boolean => text.includes(MARK);

function unmarked(word: Word): Word {
  if (word.kind === "unknown") return word;
  const parts = partsOf(word).flatMap((part): Text => {
    if (typeof part !== "string" || !isMarked(part)) return [part];
    return part.split(MARK).flatMap((piece, index) => (index === 0 ? [piece] : [{ hole: "integer" }, piece]));
  });
  return wordOf(parts, word.kind === "partial" && word.many);
}

/** The effect as it is, whatever the digits are. */
export function withHoles(effect: Effect): Effect {
  const cwds = effect.cwds?.some(isMarked) === true ? undefined : effect.cwds;
  switch (effect.kind) {
    case "command": {
      const assignments = effect.assignments.map(({ name, value }) => ({ name, value: unmarked(value) }));
      return { ...effect, cwds, name: unmarked(effect.name), argv: effect.argv.map(unmarked), assignments };
    }
    case "read":
    case "write":
      return { ...effect, cwds, path: unmarked(effect.path) };
    case "assign":
      return { ...effect, cwds, value: unmarked(effect.value) };
    case "network":
      return { ...effect, cwds, target: unmarked(effect.target) };
    case "opaque":
      return { ...effect, cwds };
  }
}
