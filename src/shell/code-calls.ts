import type { Lexed, Token } from "./code-tokens.ts";
import { JS_WORDS, PYTHON_WORDS } from "./code-words.ts";
import type { Word } from "./types.ts";
import { known, literal, type Text, wordOf } from "./value.ts";

/** A command that a program starts: text for a shell, or its words. */
export type ProgramCommand = { readonly text: string } | { readonly words: readonly Word[] };

interface Names {
  readonly language: Lexed;
  readonly modules: ReadonlyMap<string, string>;
  readonly taken: ReadonlyMap<string, { readonly module: string; readonly member: string }>;
}

interface Call {
  readonly does: "read" | "write" | "run" | "connect" | "unclear" | "none";
  /** The first argument, where it is one string. */
  readonly word?: Text | undefined;
  /** What is known of the beginning of the first argument. */
  readonly prefix: string;
}

/** Names of functions that mean files wherever they stand. */
const SCRIPT_FILES = /(?:File|Dir|Stream)(?:Sync)?$/;
const FILE_MODULES = /^(?:fs|fs\/promises|fs-extra|graceful-fs|node:fs|node:sqlite|better-sqlite3|sqlite3?)$/;
const PYTHON_FILES =
  /^(?:os|shutil|io|codecs|gzip|bz2|lzma|sqlite3|tarfile|zipfile|dbm|logging|aiofiles|mmap|wave|configparser)$/;
const RUNNERS = /^(?:os|subprocess|child_process)$/;
const NETWORK = /^(?:https?|http\.client|net|urllib|urllib\.request)$/;

/** What the name at a place does, as far as it names a function of a module that is known. */
export function callOf(tokens: readonly Token[], at: number, names: Names): Call | undefined {
  const name = tokens[at]?.text ?? "";
  const isMember = tokens[at - 1]?.text === ".";
  const taken = isMember ? undefined : names.taken.get(name);
  const member = taken?.member ?? name;
  const words = names.language === "python" ? PYTHON_WORDS : JS_WORDS;
  const all = [words.runs, words.reads, words.writes, words.connects, PATHS];
  if (!all.some((set) => set.has(member))) return undefined;
  const module = isMember ? ownerOf(tokens, at, names) : taken?.module;
  const does = kindOf(member, { module, isMember, names });
  if (does === undefined) return undefined;
  if (tokens[at + 1]?.text !== "(") return { does: handedOn(tokens, at, does), prefix: "" };
  const first = tokens[at + 2];
  const isWhole = first?.kind === "string" && /^[,)]$/.test(tokens[at + 3]?.text ?? "");
  const [head] = first?.value ?? [];
  const prefix = typeof head === "string" ? head : "";
  // `Path("x").open("w")`: the file is what stands before.
  const isMode = isMember && member === "open" && module === undefined && /^[rwaxbtU+]{1,3}$/.test(prefix);
  const isNew = does === "read" && /^["']?[wax]/.test(modeOf(tokens, at));
  return { does: isNew ? "write" : does, word: isWhole && !isMode ? first.value : undefined, prefix };
}

const PATHS: ReadonlySet<string> = new Set(["Path", "PosixPath", "read_text", "read_bytes"]);

function modeOf(tokens: readonly Token[], at: number): string {
  const mode = tokens[at + 3]?.text === "," ? tokens[at + 4] : undefined;
  const named = mode?.text === "mode" ? tokens[at + 6] : mode;
  return named?.kind === "string" ? (known(named.value) ?? "") : "";
}

/** The module that `x.y.NAME` starts with. */
function ownerOf(tokens: readonly Token[], at: number, { modules, taken }: Names): string | undefined {
  let from = at - 2;
  while (tokens[from - 1]?.text === "." && tokens[from]?.kind === "word" && at - from < 8) from -= 2;
  const head = tokens[from]?.text ?? "";
  // `require("fs").readFileSync(…)`.
  if (head === ")" && tokens[from - 1]?.kind === "string" && tokens[from - 3]?.text === "require")
    return known(tokens[from - 1]?.value ?? [])?.replace(/^node:/, "");
  return modules.get(head) ?? taken.get(head)?.module;
}

interface Place {
  readonly module: string | undefined;
  readonly isMember: boolean;
  readonly names: Names;
}

function kindOf(member: string, { module, isMember, names }: Place): Call["does"] | undefined {
  const isPython = names.language === "python";
  const words = isPython ? PYTHON_WORDS : JS_WORDS;
  if (words.runs.has(member) && module !== undefined && RUNNERS.test(module)) return "run";
  if (member === "fetch" && !isMember) return "connect";
  if (words.connects.has(member) && module !== undefined && NETWORK.test(module)) return "connect";
  const isFile = module !== undefined && (isPython ? PYTHON_FILES : FILE_MODULES).test(module);
  if (isPython) {
    if (PATHS.has(member)) return "read";
    if (member === "open" && (isMember || module === undefined || isFile)) return "read";
  } else if (SCRIPT_FILES.test(member) && words.reads.has(member)) return "read";
  else if (SCRIPT_FILES.test(member) && words.writes.has(member)) return "write";
  else if (/^(?:DatabaseSync|Database)$/.test(member)) return "read";
  if (!isFile) return undefined;
  return words.reads.has(member) ? "read" : words.writes.has(member) ? "write" : undefined;
}

/** The function itself as a value: `promisify(exec)`, `open = io.open`. */
function handedOn(tokens: readonly Token[], at: number, does: Call["does"]): Call["does"] {
  const before = tokens[at - 1]?.text ?? "";
  const after = tokens[at + 1]?.text ?? "";
  const isListed = /^(?:[{,]|import|as|:)$/.test(before) && /^(?:[,}:)]|as|from)$/.test(after);
  if (isListed || /^(?:import|as)$/.test(before) || after === "as" || after === "=" || after === ":")
    return "none";
  return does === "run" || does === "connect" ? "unclear" : does;
}

/** The command in the arguments of a call; undefined: it is not written there. */
export function commandOf(language: Lexed, tokens: readonly Token[], at: number): ProgramCommand | undefined {
  const first = tokens[at + 2];
  const after = tokens[at + 3]?.text ?? "";
  if (first?.text === "[" && first.kind === "mark") {
    const words = listAt(language, tokens, at + 2);
    return words?.[0]?.kind === "literal" ? { words } : undefined;
  }
  const name = programAt(language, tokens, at + 2);
  if (name === undefined) return undefined;
  const end = first?.kind === "string" ? at + 3 : at + 5;
  if (first?.kind === "string" && !/^[,)]$/.test(after)) return undefined;
  const takesList = language === "js" && /^(?:execFile|spawn|fork)/.test(tokens[at]?.text ?? "");
  if (!takesList) return { text: name };
  const program = tokens[at]?.text === "fork" ? [literal("node"), literal(name)] : [literal(name)];
  if (tokens[end]?.text !== "," || tokens[end + 1]?.text === "{")
    return tokens[at]?.text === "fork" ? { words: program } : { text: name };
  const rest = tokens[end + 1]?.text === "[" ? listAt(language, tokens, end + 1) : [ANY];
  return rest === undefined ? undefined : { words: [...program, ...rest] };
}

const ANY: Word = { kind: "unknown", source: "unknown", many: true };
const ONE: Word = { kind: "unknown", source: "unknown", many: false };

/** A string without holes, or the interpreter itself. */
function programAt(language: Lexed, tokens: readonly Token[], at: number): string | undefined {
  const token = tokens[at];
  if (token?.kind === "string") return known(token.value);
  const name = `${token?.text}.${tokens[at + 2]?.text}`;
  if (language === "python" && name === "sys.executable") return "python3";
  return language === "js" && name === "process.execPath" ? "node" : undefined;
}

/** Tokens of one word of a command that are looked at; of the command four times as many. */
const MOST = 100;

/** The words of `["a", b, *c]`. */
function listAt(language: Lexed, tokens: readonly Token[], open: number): readonly Word[] | undefined {
  const words: Word[] = [];
  let at = open + 1;
  while (at < tokens.length && tokens[at]?.text !== "]") {
    if (at - open > 4 * MOST) return undefined;
    const { end, isMany } = elementEnd(tokens, at);
    const token = tokens[at];
    const name = end - at === 3 ? programAt(language, tokens, at) : undefined;
    if (end - at === 1 && token?.kind === "string") words.push(wordOf(token.value));
    else words.push(name !== undefined ? literal(name) : isMany ? ANY : ONE);
    at = tokens[end]?.text === "," ? end + 1 : end;
  }
  return at < tokens.length ? words : undefined;
}

function elementEnd(
  tokens: readonly Token[],
  from: number,
): { readonly end: number; readonly isMany: boolean } {
  let depth = 0;
  let at = from;
  for (; at < Math.min(tokens.length, from + MOST); at += 1) {
    if (tokens[at]?.kind !== "mark") continue;
    const text = tokens[at]?.text ?? "";
    if (depth === 0 && (text === "," || text === "]")) break;
    if (/[([{]/.test(text)) depth += 1;
    if (/[)\]}]/.test(text)) depth -= 1;
  }
  const mark = tokens[from]?.text;
  return { end: Math.max(at, from + 1), isMany: mark === "*" || mark === "." };
}
