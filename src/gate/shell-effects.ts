import { analyze } from "../shell/analyze.ts";
import type { AnalyzeOptions, Effect } from "../shell/types.ts";
import type { CallEffect } from "./call-effects.ts";
import { shownWord } from "./words.ts";

/** What shell text would do, as far as the text says so; what is not known is an ellipsis. */
export function shellEffects(text: string, options: AnalyzeOptions): readonly CallEffect[] {
  const { effects, complete } = analyze(text, options);
  const shown = effects.filter(isShown).map(showEffect);
  return complete ? shown : [...shown, { kind: "unknown", what: "a part that could not be read" }];
}

/** Code that was read is told by what it does. */
const isShown = (effect: Effect): boolean => effect.kind !== "opaque" || effect.reach !== "known";

/** An effect for people and programs that read what a request would do. */
export function showEffect(effect: Effect): CallEffect {
  switch (effect.kind) {
    case "command":
      return { kind: "command", what: [effect.name, ...effect.argv].map(shownWord).join(" ") };
    case "read":
    case "write":
      return { kind: effect.kind, what: shownWord(effect.path) };
    case "network":
      return { kind: "network", what: shownWord(effect.target) };
    case "assign":
      return { kind: "assign", what: `${effect.name}=${shownWord(effect.value)}` };
    case "opaque":
      return { kind: "unknown", what: `code for ${effect.interpreter}` };
  }
}
