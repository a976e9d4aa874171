import { PaldronError } from "../core/errors.ts";
import { printable } from "../core/printable.ts";
import { policyJsonSchema } from "../policy/parse.ts";
import { toolContract, toolJsonSchema } from "../tools/contracts.ts";

/** The contract of a built-in tool as JSON Schema. */
export function toolSchema(name: string): Readonly<Record<string, unknown>> {
  const contract = toolContract(name);
  if (contract === undefined) throw new PaldronError("request", `unknown tool '${printable(name)}'`);
  return toolJsonSchema(contract);
}

/** The JSON Schema of the policy file. */
export function policySchema(): Readonly<Record<string, unknown>> {
  return policyJsonSchema();
}
