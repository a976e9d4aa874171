import { baseName } from "./path.ts";
import type { Session } from "./session.ts";
import type { Found, ParsedCommand, Role } from "./spec.ts";
import type { Word } from "./types.ts";
import { dropPrefix, isMany, knownPrefix, textOf } from "./value.ts";

/** Names of options that hand over a command line, text of code, native code, or a file to write. */
const PROGRAM =
  /(?:^|-)(?:exec|execute|cmd|command|program|pager|editor|askpass|interpreter|wrapper|launcher|shell|hook)$/;
const CODE = /(?:^|-)(?:eval|init-command|exec-lines)$/;
const NATIVE = /(?:^|-)(?:load|preload|plugin|module|engine|provider|extension|agent|library)$/;
const OUTPUT =
  /(?:^|-)(?:out|output|outfile|outdir|out-(?:file|dir|path)|output-(?:file|dir|directory|path)|logfile|log-file|dest|destination)$/;

/** The role of an option's value that no table tells, by what the option is called. Undefined: by the value's looks. */
export function roleByName(option: string, value: Word): Role | undefined {
  const name = option.replace(/^--?/, "").replaceAll("_", "-").toLowerCase();
  if (CODE.test(name)) return "code";
  const text = textOf(value);
  // `--shell bash` and `--output json` name no command line and no file.
  if (text !== undefined && !/[\s/.;|&$~]/.test(text)) return undefined;
  if (PROGRAM.test(name)) return "program";
  if (NATIVE.test(name)) return /\.(?:so|dll|dylib)\b/.test(text ?? "") ? "load" : undefined;
  return OUTPUT.test(name) && /^[./~]/.test(text ?? "") ? "write" : undefined;
}

/** Words that stand before the command in `TOOL exec CMD`. */
const STARTS = new Set("run exec execute x do with start shell launch spawn cmd eval".split(" "));
/** Names of programs that are also what commands of other programs are called. */
const VERBS = new Set(
  (
    "install test link unlink file find grep sort split join time date users groups who host look view edit diff patch merge " +
    "reset clear watch kill top ps ls cat rm cp mv ln mkdir stat tree make cc go node npm python python3 ruby git docker info help man " +
    "login logout which tag apply format true false yes more less head tail wc sum print import export convert compare identify " +
    "script screen service sync mount umount dd df du id w write wall last tty uname uptime env printenv expand factor fold"
  ).split(" "),
);

/**
 * A program that no table knows may start the command in its arguments: what stands behind `--`, behind `exec` and its
 * like, or first, when there is a program of that name.
 */
export function commandAmong(session: Session, argv: readonly Word[]): readonly Word[] | undefined {
  const isProgram = (word: Word | undefined): boolean => {
    const text = textOf(word);
    if (text === undefined || text === "" || text.startsWith("-")) return false;
    if (text.includes("/")) return false;
    return session.options.findsProgram?.(text) === true;
  };
  const end = argv.findIndex((word) => textOf(word) === "--");
  const behind = end === -1 ? undefined : argv[end + 1];
  if (behind !== undefined && (isProgram(behind) || isScriptName(behind))) return argv.slice(end + 1);
  let started = false;
  for (const [index, word] of argv.entries()) {
    const text = textOf(word);
    if (text === undefined || isMany(word)) return undefined;
    if (text.startsWith("-") || /^\w+=/.test(text)) continue;
    if (STARTS.has(text)) {
      started = true;
      continue;
    }
    const isValue = knownPrefix(argv[index - 1] ?? word).startsWith("-");
    if (isProgram(word) && (started || !VERBS.has(text))) return argv.slice(index);
    if (!isValue) return undefined;
  }
  return undefined;
}

/** `./x`: a file of the workspace behind `--` is an operand of most programs, and no program with an ending. */
const isScriptName = (word: Word): boolean => {
  const text = textOf(word) ?? "";
  return text.startsWith("./") && !baseName(text).includes(".");
};

/** The reading of a command of which nothing is known. */
export const NOTHING: ParsedCommand = {
  found: [],
  argv: undefined,
  operands: 0,
  given: new Set(),
  unsure: false,
  unlisted: undefined,
};

/** Options that tell by their names what their values are. */
export function namedOptions(argv: readonly Word[]): readonly Found[] {
  return argv.flatMap((word, index): readonly Found[] => {
    const option = /^--?[A-Za-z][\w-]+/.exec(knownPrefix(word))?.[0];
    if (option === undefined) return [];
    const isGlued = knownPrefix(word).startsWith(`${option}=`);
    const value = isGlued ? dropPrefix(word, option.length + 1) : argv[index + 1];
    const role = value === undefined ? undefined : roleByName(option, value);
    return value === undefined || role === undefined ? [] : [{ role, word: value, option }];
  });
}
