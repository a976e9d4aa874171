import { parse as parseToml, TomlError } from "smol-toml";
import { PaldronError } from "../core/errors.ts";
import { printable } from "../core/printable.ts";

/** A TOML text as tables. Whole numbers are bigint, so that `30.0` can be told from `30`. */
export function parseDocument(text: string, path: string): Record<string, unknown> {
  try {
    return parseToml(text, { integersAsBigInt: true });
  } catch (error) {
    if (error instanceof TomlError) {
      const why = printable(error.message.split("\n")[0]?.replace(/^Invalid TOML document: /, "") ?? "");
      throw new PaldronError("policy", `${path}:${error.line}: not valid TOML: ${why}`, { cause: error });
    }
    throw new PaldronError("policy", `${path}: not valid TOML`, { cause: error });
  }
}
