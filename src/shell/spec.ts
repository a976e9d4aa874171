import type { Word } from "./types.ts";

/**
 * What a word of a command is.
 * Data: `data`, `mention`, `pattern` (of file names). Files: `file` (if it looks like one), `name`, `read`, `write`, `dir`, `chdir`.
 * Run: `argv` (the rest is a command), `shell` (text for sh), `program` (a command line), `split` (`env -S`).
 * Opaque: `code` (in the program's own language), `load` (a file of code), `opaque`, `elsewhere`.
 * Other: `assign` (`NAME=value`), `net` (a URL or host), `unit` (find's expression and the like; read by a handler).
 */
export type Role =
  | "data"
  | "mention"
  | "pattern"
  | "file"
  | "name"
  | "read"
  | "write"
  | "both"
  | "dir"
  | "chdir"
  | "argv"
  | "shell"
  | "program"
  | "split"
  | "code"
  | "load"
  | "opaque"
  | "elsewhere"
  | "assign"
  | "net"
  | "volume"
  | "config"
  | "unit";

/** The option grammar of one command; docs/shell.md describes the notation. */
export interface CommandSpec {
  /** `-n:role` takes a value, `-n?role` a glued or `=` one, `-n!role` counts by being there, `-n` is a flag, `-#` a number. */
  readonly options?: string | undefined;
  /** Roles of the operands in order; the last repeats; `>role` is that of the last of several. `assign` swallows leading `NAME=value`. */
  readonly operands?: string | undefined;
  /** When one of these options is given, the first operand's role is skipped (`grep -e`). */
  readonly instead?: string | undefined;
  /** `long`: options have one dash (find, gcc); `cluster`: the first word may be letters without a dash (tar); `pairs`: key=value (dd). */
  readonly style?: "long" | "cluster" | "pairs" | undefined;
  /** What it prints: `integer`, names it lists, a fresh file, its own input, its operands, the top of the repository. */
  readonly prints?: "integer" | "listing" | "fresh" | "input" | "operands" | "toplevel" | undefined;
  /** Options with which what it lists holds hidden names. */
  readonly shows?: string | undefined;
  /** What is on its standard input when no operand says otherwise: code of its language, or a shell script. */
  readonly input?: "code" | "shell" | undefined;
  /** With one of these options (one with a value: when that is `-`), its standard input is a list of files. */
  readonly lists?: string | undefined;
  /** Commands of the command (`git commit`); `*` for any other. */
  readonly commands?: Readonly<Record<string, CommandSpec>> | undefined;
  /** Counts whatever the arguments: a daemon, a remote shell. Not for what its settings tell it to connect to (git). */
  readonly always?: "elsewhere" | "opaque" | "net" | undefined;
  /** What stands behind a leading `+` (`vim +CMD`); a number or one letter is a place in the text. */
  readonly plus?: Role | undefined;
  /** Operands may be URLs, which it fetches. */
  readonly fetches?: true | undefined;
  /** It makes programs: in the file behind `-o` (without one in `a.out`, or nowhere known), or in the environment that `-m venv` names. */
  readonly makes?: "program" | "output" | "environment" | undefined;
  /** What it writes keeps its content (`chmod`). */
  readonly keeps?: true | undefined;
  /** An option that is not listed makes the command not understood. */
  readonly strict?: boolean | undefined;
  /** Options end at the first operand and after these options: the rest belongs to the script. */
  readonly stop?: string | undefined;
  /** The language of its `code`, for the reader of harmless code. */
  readonly language?:
    | "js"
    | "python"
    | "perl"
    | "awk"
    | "sed"
    | "vim"
    | "gdb"
    | "sql"
    | "ruby"
    | "php"
    | "m4"
    | "yq"
    | "rename"
    | "other"
    | undefined;
}

export interface Found {
  readonly role: Role;
  readonly word: Word;
  /** The option that carries it. */
  readonly option: string | undefined;
  /** Shown of the file are only lines that a search for plain words finds. */
  readonly sought?: true;
  /** What is written goes behind what is there. */
  readonly appends?: boolean;
}

export interface ParsedCommand {
  readonly found: readonly Found[];
  /** The command the rest of the words is, for wrappers. */
  readonly argv: readonly Word[] | undefined;
  readonly operands: number;
  /** Names of the options that were there. */
  readonly given: ReadonlySet<string>;
  /** A word in option position whose value is not known. */
  readonly unsure: boolean;
  /** An option that the grammar does not list. */
  readonly unlisted: string | undefined;
}

/** The words that are no option and no option's value. */
export function operandsOf(found: readonly Found[]): readonly Word[] {
  return found.filter(({ option }) => option === undefined).map(({ word }) => word);
}

export interface Rule {
  readonly name: string;
  readonly kind: "flag" | "value" | "optional";
  readonly role: Role | undefined;
}

export interface Grammar {
  readonly rules: ReadonlyMap<string, Rule>;
  readonly longs: readonly string[];
  readonly numeric: boolean;
  readonly operands: readonly Role[];
  /** The role of the last of several operands (`cp a b DIR`). */
  readonly last: Role | undefined;
  /** Its operands end in a command of its own. */
  readonly wraps: boolean;
  /** Its operands begin with assignments. */
  readonly assigns: boolean;
  /** The roles of operands that are neither assignments nor the command. */
  readonly plain: readonly Role[];
  /** The options after which the first operand has no role of its own. */
  readonly instead: readonly string[];
  /** The options behind which everything is an operand. */
  readonly stops: readonly string[];
  /** Some option of the command runs or writes something. */
  readonly dangerous: boolean;
}

export const RUNS = new Set<Role>([
  "argv",
  "shell",
  "program",
  "split",
  "code",
  "load",
  "opaque",
  "elsewhere",
  "write",
  "config",
]);

const uniforms = new WeakMap<CommandSpec, CommandSpec>();

/** The same entry with every field, in one order: reading entries of many shapes is what reading them costs. */
export function uniform(spec: CommandSpec): CommandSpec {
  const have = uniforms.get(spec);
  if (have !== undefined) return have;
  const whole: Required<CommandSpec> = {
    options: spec.options,
    operands: spec.operands,
    instead: spec.instead,
    style: spec.style,
    prints: spec.prints,
    shows: spec.shows,
    input: spec.input,
    lists: spec.lists,
    commands: spec.commands,
    always: spec.always,
    plus: spec.plus,
    fetches: spec.fetches,
    makes: spec.makes,
    keeps: spec.keeps,
    strict: spec.strict,
    stop: spec.stop,
    language: spec.language,
  };
  uniforms.set(spec, whole);
  uniforms.set(whole, whole);
  return whole;
}

const compiled = new WeakMap<CommandSpec, Grammar>();

export function grammarOf(spec: CommandSpec): Grammar {
  const have = compiled.get(spec);
  if (have !== undefined) return have;
  const rules = new Map<string, Rule>();
  for (const token of (spec.options ?? "").split(/\s+/)) {
    const match = /^(-[^:?!]*|[^:?!]+)(?:([:?!])(\w+))?$/.exec(token);
    if (match === null) continue;
    const name = match[1] ?? "";
    const kind = match[2] === ":" ? "value" : match[2] === "?" ? "optional" : "flag";
    rules.set(name, { name, kind, role: match[3] as Role | undefined });
  }
  const listed = (spec.operands ?? "file").split(/\s+/);
  const operands = listed.filter((role) => !role.startsWith(">")) as Role[];
  const grammar: Grammar = {
    rules,
    longs: [...rules.keys()].filter((name) => name.startsWith("--")),
    numeric: rules.has("-#"),
    operands,
    last: listed.find((role) => role.startsWith(">"))?.slice(1) as Role | undefined,
    wraps: operands.includes("argv"),
    assigns: operands[0] === "assign",
    plain: operands.filter((role) => role !== "argv" && role !== "assign"),
    instead: (spec.instead ?? "").split(/\s+/),
    stops: (spec.stop ?? "").split(" "),
    dangerous: [...rules.values()].some((rule) => rule.role !== undefined && RUNS.has(rule.role)),
  };
  compiled.set(spec, grammar);
  return grammar;
}
