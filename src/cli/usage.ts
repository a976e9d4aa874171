import { COMMANDS, type CommandSpec, HELP_OPTION, type OptionSpec } from "./commands.ts";

const SPECS: readonly CommandSpec[] = Object.values(COMMANDS);

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function left(option: OptionSpec): string {
  if (option === HELP_OPTION) return "-h, --help";
  const value = option.choices === undefined ? option.value : option.choices.join("|");
  if (value === undefined) return option.name;
  return option.optional ? `${option.name}[=${value}]` : `${option.name}=${value}`;
}

/** `paldron --help`. */
export function generalHelp(): string {
  return [
    "paldron: may this command or tool call run, confined, and what came out of it?",
    "",
    "usage:",
    ...SPECS.flatMap((spec) => spec.usage.map((line) => `  paldron ${line}`)),
    "",
    "commands:",
    ...table(SPECS.map((spec) => [spec.name, spec.summary])),
    "",
    "`paldron COMMAND --help` tells more. Options stand before `--`.",
    "exit codes: 0 allow, 2 deny, 1 broken",
    "",
  ].join("\n");
}

/** `paldron COMMAND --help`. */
export function commandHelp(spec: CommandSpec): string {
  return [
    `paldron ${spec.name}: ${spec.summary}`,
    "",
    "usage:",
    ...spec.usage.map((line) => `  paldron ${line}`),
    "",
    "options:",
    ...table([...spec.options, HELP_OPTION].map((option) => [left(option), option.help])),
    ...(spec.notes.length > 0 ? ["", ...spec.notes] : []),
    "",
  ].join("\n");
}

/** The one line behind a usage error: `usage: paldron check ...`. */
export function usageLine(spec: CommandSpec): string {
  return `usage: ${spec.usage.map((line) => `paldron ${line}`).join(" | ")}`;
}
