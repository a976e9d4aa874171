import type { Owner } from "./emit.ts";
import type { Session } from "./session.ts";
import type { ParsedCommand } from "./spec.ts";
import { namesOfGit, treesBelow } from "./trees.ts";
import { TRACKED, TREE, VISIBLE } from "./types.ts";
import { globParts, piecesOf, type Text, textOf, wordOf } from "./value.ts";

const SEARCHES = /^(?:[efz]?grep|rg|diff|git)$/;
const RECURSIVE: Readonly<Record<string, readonly string[]>> = { git: ["--no-index"] };
const SHOWS_HIDDEN = ["--hidden", "-.", "-u", "-uu", "-uuu", "--unrestricted"];
const NAMES_ONLY = ["-l", "-L", "-c", "-q", "--files", "--files-with-matches", "--count", "--quiet"];
/** Made for what a secret holds. */
const SEEKS_SECRETS =
  /SECRET|PASSW|TOKEN|API_?KEY|PRIVATE|CREDENTIAL|AKIA|BEGIN|_KEY|KEY=|(?:secret|passw\w*|token|key)\w*\s*[=:]|\bsk-|ghp_/;

/** `grep -r`, `diff -r`: what they print of the files below a folder, where they may print anything. */
export function searchedFolders(session: Session, { name }: Owner, parsed: ParsedCommand): void {
  if (!SEARCHES.test(name) || !isRecursive(name, parsed)) return;
  const { given, found } = parsed;
  const isDiff = name === "diff" || name === "git";
  const isHidden = name !== "rg" || SHOWS_HIDDEN.some((option) => given.has(option));
  if (!isDiff && (NAMES_ONLY.some((option) => given.has(option)) || !seeks(parsed))) return;
  // Of what is not hidden, `rg TOKEN` is for the most part code.
  if (!isHidden && (given.has("-t") || given.has("--type") || !seeksAnything(parsed))) return;
  const files = found.filter(({ role, option }) => option === undefined && role !== "data");
  if (files.length === 0 && name === "git") return;
  const base = { from: "operand", look: "path", command: name, option: undefined } as const;
  const tree = isHidden ? TREE : VISIBLE;
  for (const below of treesBelow(
    files.map(({ word }) => word),
    tree,
  ))
    for (const pattern of namesSought(found))
      session.emit({ kind: "read", path: wordOf([...below, ...pattern]), ...base });
}

/** `git grep`: lines of the files that are tracked. */
export function searchedByGit(session: Session, parsed: ParsedCommand): void {
  const { given, found } = parsed;
  if (given.has("--no-index") || NAMES_ONLY.some((option) => given.has(option)) || !seeksAnything(parsed))
    return;
  const operands = found.filter(({ role, option }) => option === undefined && role !== "data");
  const base = { from: "operand", look: "path", command: "git grep", option: undefined } as const;
  for (const piece of piecesOf(
    namesOfGit(
      operands.map(({ word }) => word),
      TRACKED,
    ),
  ))
    session.emit({ kind: "read", path: wordOf(piece), ...base });
}

function isRecursive(name: string, { given, found }: ParsedCommand): boolean {
  if (name === "rg") return true;
  const recurses = found.some(
    ({ option, word }) => /^(?:-d|--directories)$/.test(option ?? "") && textOf(word) === "recurse",
  );
  const options = RECURSIVE[name] ?? ["-r", "-R", "--recursive", "--dereference-recursive"];
  return recurses || options.some((option) => given.has(option));
}

/** `--include='*.ts'`: the names of the files that are searched. */
function namesSought(found: ParsedCommand["found"]): readonly Text[] {
  const patterns = found.flatMap(({ role, word }) => {
    const text = role === "pattern" ? textOf(word) : undefined;
    return text === undefined || text.startsWith("!") ? [] : [text.slice(text.lastIndexOf("/") + 1)];
  });
  return patterns.length === 0 ? [[{ glob: "*" }]] : patterns.slice(0, 8).map(globParts);
}

/** Whether a search finds the lines of any file, or those of secrets above all. */
export function seeks({ found, given }: Pick<ParsedCommand, "found" | "given">): boolean {
  if (given.has("-v") || given.has("--invert-match")) return true;
  return patternsOf(found).some(({ word }) => {
    const text = textOf(word);
    if (text === undefined) return word.kind === "unknown" && word.source === "unknown";
    const isFolded = ["-i", "--ignore-case", "-y"].some((option) => given.has(option));
    return SEEKS_SECRETS.test(isFolded ? text.toUpperCase() : text) || !hasWords(text);
  });
}

/** Whether it finds the lines of any file. */
function seeksAnything({ found, given }: ParsedCommand): boolean {
  if (given.has("-v") || given.has("--invert-match")) return true;
  return patternsOf(found).some(({ word }) => !hasWords(textOf(word) ?? "xx"));
}

const patternsOf = (found: ParsedCommand["found"]): ParsedCommand["found"] =>
  found.filter(({ role, option }) =>
    option === undefined ? role === "data" : /^(?:-e|--regexp)$/.test(option),
  );

/** Longer patterns are not looked into, since that takes time in proportion to the square of the length. */
const LONGEST_PATTERN = 500;

/** Every alternative of a pattern holds two characters beside one another that must be there as they are. */
function hasWords(pattern: string): boolean {
  if (pattern.length > LONGEST_PATTERN) return false;
  const plain = pattern
    .replace(/\\([.\-/"'$^*+?[\]{}])/g, "_")
    .replace(/\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|\(\?[^)]*\)/g, "\0")
    .replace(/.(?:\*|\?|\\\?|\\?\{0?,?\d*\\?\})/g, "\0")
    .replace(/\\[^|()]/g, "\0");
  return plain.split(/\\?\|/).every((part) => /[^\0^$.*+?()\\\s=]{2}/.test(part));
}

/** A search for plain words, of which nothing else is shown. */
export function findsWords(name: string, parsed: ParsedCommand): true | undefined {
  if (!/^(?:[efz]?grep|pcregrep|rg|ag|ack)$/.test(name)) return undefined;
  const { given, found } = parsed;
  if (NAMES_ONLY.some((option) => given.has(option))) return true;
  if (["-f", "--file"].some((option) => given.has(option)) || patternsOf(found).length === 0)
    return undefined;
  return seeks(parsed) ? undefined : true;
}
