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
  | "config"
  | "unit";

/** The option grammar of one command; docs/shell.md describes the notation. */
export interface CommandSpec {
  /** `-n:role` takes a value, `-n?role` a glued or `=` one, `-n!role` counts by being there, `-n` is a flag, `-#` a number. */
  readonly options?: string;
  /** Roles of the operands in order; the last repeats; `>role` is that of the last of several. `assign` swallows leading `NAME=value`. */
  readonly operands?: string;
  /** When one of these options is given, the first operand's role is skipped (`grep -e`). */
  readonly instead?: string;
  /** `long`: options have one dash (find, gcc); `cluster`: the first word may be letters without a dash (tar); `pairs`: key=value (dd). */
  readonly style?: "long" | "cluster" | "pairs";
  /** What it prints: `integer`, names it lists, a fresh file, its own input, the top of the repository. */
  readonly prints?: "integer" | "listing" | "fresh" | "input" | "toplevel";
  /** Options with which what it lists holds hidden names. */
  readonly shows?: string;
  /** What is on its standard input when no operand says otherwise: code of its language, or a shell script. */
  readonly input?: "code" | "shell";
  /** With one of these options (one with a value: when that is `-`), its standard input is a list of files. */
  readonly lists?: string;
  /** Commands of the command (`git commit`); `*` for any other. */
  readonly commands?: Readonly<Record<string, CommandSpec>>;
  /** Counts whatever the arguments: a daemon, a remote shell. */
  readonly always?: "elsewhere" | "opaque" | "net";
  /** What stands behind a leading `+` (`vim +CMD`); a number or one letter is a place in the text. */
  readonly plus?: Role;
  /** Operands may be URLs, which it fetches. */
  readonly fetches?: true;
  /** It makes programs: in the file behind `-o`, or in the environment that `-m venv` names. */
  readonly makes?: "program" | "environment";
  /** What it writes keeps its content (`chmod`). */
  readonly keeps?: true;
  /** An option that is not listed makes the command not understood. */
  readonly strict?: boolean;
  /** Options end at the first operand and after these options: the rest belongs to the script. */
  readonly stop?: string;
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
    | "other";
}

export interface Found {
  readonly role: Role;
  readonly word: Word;
  /** The option that carries it. */
  readonly option: string | undefined;
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
  const operands = (spec.operands ?? "file").split(/\s+/);
  const grammar: Grammar = {
    rules,
    longs: [...rules.keys()].filter((name) => name.startsWith("--")),
    numeric: rules.has("-#"),
    operands: operands.filter((role) => !role.startsWith(">")) as Role[],
    last: operands.find((role) => role.startsWith(">"))?.slice(1) as Role | undefined,
  };
  compiled.set(spec, grammar);
  return grammar;
}

/** Whether some option of the command runs or writes something. */
export function isDangerous(spec: CommandSpec): boolean {
  return [...grammarOf(spec).rules.values()].some((rule) => rule.role !== undefined && RUNS.has(rule.role));
}
