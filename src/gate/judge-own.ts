import type { Decision } from "../core/decision.ts";
import { baseName } from "./binaries.ts";
import type { GateContext } from "./context.ts";
import { judgeArgument } from "./judge-argument.ts";
import { seenFromHere } from "./link-target.ts";
import { ownArguments } from "./nested.ts";
import { argumentKinds } from "./operands.ts";

/** Judges the arguments of a program by its conventions; those that are a command of their own are left out. */
export function judgeOwnArguments(
  [name = "", ...args]: readonly string[],
  context: GateContext,
): Decision | undefined {
  const program = baseName(name);
  const own = seenFromHere(program, ownArguments(program, args));
  const kinds = argumentKinds(program, own);
  for (const [index, arg] of own.entries()) {
    const kind = kinds[index];
    const decision = kind === undefined ? undefined : judgeArgument(arg, kind, context);
    if (decision !== undefined) return decision;
  }
  return undefined;
}
