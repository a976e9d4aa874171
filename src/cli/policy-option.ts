import { PaldronError } from "../core/errors.ts";
import type { Context } from "./context.ts";
import type { ParsedArgs } from "./parse.ts";

/** The policy file that was named; undefined means the built-in defaults. An empty name is a mistake, not none. */
export function policyPath(args: ParsedArgs, env: Context["env"]): string | undefined {
  const given = args.values.get("--policy");
  if (given !== undefined) return given;
  const fromEnv = env["PALDRON_POLICY"];
  if (fromEnv === "") throw new PaldronError("usage", "PALDRON_POLICY is set but empty");
  return fromEnv;
}
