import { PaldronError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import type { CommandSpec, OptionSpec } from "./commands.ts";

export interface ParsedArgs {
  readonly help: boolean;
  /** Values by option name (`--policy`); a switch that was given has the value "". */
  readonly values: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

export interface ParseOptions {
  /**
   * The operands are a command with options of its own: without `--` the first operand ends Paldron's options.
   * One of Paldron's options further on is then refused, because it could be meant for either.
   */
  readonly operandsAreCommand?: boolean;
}

function usage(message: string): PaldronError {
  return new PaldronError("usage", message);
}

function hint(word: string, known: Iterable<string>): string {
  const meant = nearest(word, known);
  return meant === undefined ? "" : ` (did you mean '${meant}'?)`;
}

function checkValue(option: OptionSpec, value: string): void {
  if (value === "") throw usage(`${option.name} needs ${option.needs ?? "a value"}`);
  const choices = option.choices;
  if (choices === undefined || choices.includes(value)) return;
  throw usage(`${option.name} must be ${choices.join(" or ")}, not '${value}'${hint(value, choices)}`);
}

/** The value of `--name=value`, `--name value`; how many arguments were used is in `next`. */
function readOption(
  option: OptionSpec,
  args: readonly string[],
  index: number,
): { value: string; next: number } {
  const word = args[index] ?? "";
  const inline = word.startsWith(`${option.name}=`) ? word.slice(option.name.length + 1) : undefined;
  if (option.value === undefined) {
    if (inline !== undefined) throw usage(`${option.name} takes no value`);
    return { value: "", next: index + 1 };
  }
  if (inline !== undefined) {
    checkValue(option, inline);
    return { value: inline, next: index + 1 };
  }
  const next = args[index + 1];
  if (option.optional && (next === undefined || next.startsWith("-"))) return { value: "", next: index + 1 };
  const value = next ?? "";
  if (value.startsWith("-") && value !== "-") {
    throw usage(
      `${option.name} needs ${option.needs ?? "a value"} (write ${option.name}=${value} if that is it)`,
    );
  }
  checkValue(option, value);
  return { value, next: index + 2 };
}

function find(spec: CommandSpec, word: string): OptionSpec | undefined {
  const name = word.split("=", 1)[0] ?? word;
  return spec.options.find((option) => option.name === name);
}

function unknown(spec: CommandSpec, word: string): PaldronError {
  const name = word.split("=", 1)[0] ?? word;
  const known = [...spec.options.map((option) => option.name), "--help"];
  return usage(`unknown option '${name}'${hint(name, known)}`);
}

function refuseAmbiguous(spec: CommandSpec, command: readonly string[]): void {
  for (const word of command.slice(1)) {
    if (word === "--") return;
    const option = find(spec, word);
    if (option === undefined) continue;
    throw usage(
      `put -- before the command: ${option.name} could be meant for paldron or for '${command[0] ?? ""}'`,
    );
  }
}

/**
 * Reads the arguments of one command by its table. A mistake is an error, never a default: unknown, repeated,
 * misspelt and empty options are refused. Only the first `--` ends the options; later ones are operands.
 */
export function parseArgs(
  spec: CommandSpec,
  args: readonly string[],
  options: ParseOptions = {},
): ParsedArgs {
  const values = new Map<string, string>();
  const operands: string[] = [];
  for (let i = 0; i < args.length; ) {
    const word = args[i] ?? "";
    if (word === "--") return { help: false, values, operands: [...operands, ...args.slice(i + 1)] };
    if (word === "--help" || word === "-h") return { help: true, values, operands };
    if (!word.startsWith("-") || word === "-") {
      if (options.operandsAreCommand === true) {
        const command = args.slice(i);
        refuseAmbiguous(spec, command);
        return { help: false, values, operands: command };
      }
      operands.push(word);
      i += 1;
      continue;
    }
    const option = find(spec, word);
    if (option === undefined) throw unknown(spec, word);
    if (values.has(option.name)) throw usage(`${option.name} is given twice`);
    const { value, next } = readOption(option, args, i);
    values.set(option.name, value);
    i = next;
  }
  return { help: false, values, operands };
}
