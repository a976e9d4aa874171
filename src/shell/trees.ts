import { operandsOf, type ParsedCommand } from "./spec.ts";
import { SEEN, TRACKED, TREE, type Word } from "./types.ts";
import { globParts, hole, isMany, partsOf, type Text, textOf } from "./value.ts";

/** More roots than this are as good as one that is not known. */
const ROOTS = 3;

/** What stands before the names of files anywhere below some folders; without any, the current one. */
export function treesBelow(roots: readonly Word[], tree = TREE): readonly Text[] {
  if (roots.length > ROOTS || roots.some(isMany)) return [[{ hole: "listing" }, "/"]];
  const below = roots.length === 0 ? [["."]] : roots.map(partsOf);
  return below.map((parts) => [...parts, "/", { glob: tree }]);
}

/** More pathspecs than this are as good as none. */
const SPECS = 4;

/** The names that a command of git lists, one text for each pathspec. Undefined: it prints something else. */
export function listedByGit(
  command: string,
  { found, given }: ParsedCommand,
  argv: readonly Word[],
): Text | undefined {
  const operands = operandsOf(found);
  if (command === "ls-files") {
    const isSeen = ["-o", "-i", "--others", "--ignored"].some((option) => given.has(option));
    return namesOfGit(operands, isSeen ? SEEN : TRACKED);
  }
  if (command === "ls-tree")
    return given.has("--name-only") || given.has("--name-status") ? namesOfGit([], TRACKED) : undefined;
  if (!/^diff(?:-files|-index|-tree)?$/.test(command) || !given.has("--name-only")) return undefined;
  // What stands before the dashes may be a commit.
  const at = argv.findIndex((word) => textOf(word) === "--");
  return namesOfGit(at === -1 ? [] : argv.slice(at + 1), TRACKED);
}

/** The files that git lists for some pathspecs; for none, all of them. */
export function namesOfGit(specs: readonly Word[], tree: string): Text {
  const isPlain = specs.length > 0 && specs.length <= SPECS && specs.every(isPlainSpec);
  const texts = isPlain ? specs.flatMap((word) => below(textOf(word) ?? "", tree)) : [whole(tree)];
  return texts.flatMap((text, index) => (index === 0 ? text : ["\n", ...text]));
}

const whole = (tree: string): Text => ["./", { glob: tree }, { glob: "*" }];

/** No magic (`:!x`), no way out, no name that is not known. */
function isPlainSpec(word: Word): boolean {
  const text = textOf(word);
  return text !== undefined && text !== "" && !/^[:/~]|(?:^|\/)\.\.(?:\/|$)/.test(text);
}

/** `src` and what is in it; `*.ts` and `src/*.ts` in any folder below. */
function below(spec: string, tree: string): readonly Text[] {
  const clean = spec.replace(/^\.\/|\/+$/g, "");
  if (clean === "" || clean === ".") return [whole(tree)];
  const first = clean.search(/[*?[]/);
  if (first === -1) return [[clean], [`./${clean}/`, { glob: tree }, { glob: "*" }]];
  const folder = clean.slice(0, clean.lastIndexOf("/", first) + 1);
  const name = clean.slice(clean.lastIndexOf("/") + 1);
  return [[`./${folder}`, { glob: tree }, ...(/[*?[]/.test(name) ? globParts(name) : hole("listing"))]];
}
