import type { Statement } from "unbash";
import { concat, hole, sourceOf, type Text } from "./value.ts";

/** Beside a command in the background nothing is known of the order of what is printed. */
export function outputJoiner(among: readonly Statement[]): (a: Text, b: Text) => Text {
  if (!among.some(({ background }) => background === true)) return concatOutputs;
  return (a, b) => (a.length > 0 && b.length > 0 ? hole("unknown") : concatOutputs(a, b));
}

/** Two outputs after one another; holes swallow what a reader could not tell apart. */
function concatOutputs(a: Text, b: Text): Text {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const source = sourceOf([...a, ...b]);
  return source === undefined || (a.length + b.length < 8 && source !== "unknown")
    ? concat(a, b)
    : hole(source);
}
