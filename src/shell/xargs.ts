import { FieldBuilder } from "./fields.ts";
import { checkParse, parseCommand } from "./grammar.ts";
import { applyRoles } from "./roles.ts";
import type { Session } from "./session.ts";
import { specOf } from "./table.ts";
import type { Word } from "./types.ts";
import { hole, isMany, partsOf, type Text, textOf, wordOf } from "./value.ts";

/** `xargs COMMAND`: the command with the words of the input, or with each of them in place of `{}`. */
export function runXargs(session: Session, argv: readonly Word[], name: string): Text {
  const spec = specOf("xargs") ?? {};
  const parsed = parseCommand(spec, argv);
  checkParse(session, "xargs", spec, parsed);
  applyRoles(session, { name, spec }, parsed);
  const command = parsed.argv ?? [{ kind: "literal", text: "echo" } as const];
  const items = inputWords(session, parsed.given, argv);
  const mark = replaceMark(argv, parsed.given);
  const run = (words: readonly Word[]): Text =>
    session.within("via xargs", () => session.start(words), hole("unknown"));
  if (mark === undefined) {
    for (const group of inGroups(items, argv, parsed.given)) run([...command, ...group]);
    return hole("unknown");
  }
  for (const item of items.slice(0, 50)) run(command.map((word) => replaceIn(word, mark, partsOf(item))));
  return hole("unknown");
}

function replaceMark(argv: readonly Word[], given: ReadonlySet<string>): string | undefined {
  if (!["-I", "-i", "--replace"].some((option) => given.has(option))) return undefined;
  for (const [index, word] of argv.entries()) {
    const text = textOf(word) ?? "";
    if (text === "-I") return textOf(argv[index + 1]) ?? "{}";
    if (/^-\w*I./.test(text)) return text.slice(text.indexOf("I") + 1);
    if (/^-i./.test(text)) return text.slice(2);
    if (text.startsWith("--replace=")) return text.slice(10);
  }
  return "{}";
}

/** How many words go to one command; without an option, as many as there are. */
function inGroups(
  items: readonly Word[],
  argv: readonly Word[],
  given: ReadonlySet<string>,
): readonly (readonly Word[])[] {
  const limits = ["-L", "-l", "-s", "-x", "--max-lines", "--max-chars", "--exit"];
  const isCut = given.has("-n") || given.has("--max-args");
  if (!isCut && !limits.some((option) => given.has(option))) return [items];
  const size = isCut ? sizeOf(argv) : undefined;
  if (size === undefined || limits.some((option) => given.has(option)) || items.some(isMany)) return [[ANY]];
  const groups: Word[][] = [];
  for (let at = 0; at < items.length; at += size) groups.push(items.slice(at, at + size));
  return groups;
}

function sizeOf(argv: readonly Word[]): number | undefined {
  for (const [index, word] of argv.entries()) {
    const text = textOf(word) ?? "";
    const glued = /^(?:-[0rtp]*n|--max-args=)(\d*)$/.exec(text)?.[1];
    if (glued === undefined && text !== "--max-args") continue;
    const size = Number(glued === undefined || glued === "" ? textOf(argv[index + 1]) : glued);
    return Number.isInteger(size) && size > 0 ? size : undefined;
  }
  return undefined;
}

const ANY: Word = { kind: "unknown", source: "unknown", many: true };

function inputWords(session: Session, given: ReadonlySet<string>, argv: readonly Word[]): readonly Word[] {
  const any = ANY;
  const { stdin } = session;
  if (given.has("-a") || given.has("--arg-file") || stdin.kind === "file" || stdin.kind === "inherited")
    return [any];
  if (stdin.kind === "empty") return [];
  // Quotes and backslashes mean something to xargs, unless it is told otherwise.
  if (stdin.text.some((part) => typeof part === "string" && /["'\\\0]/.test(part))) return [any];
  const zero = ["-0", "--null", "-d", "--delimiter"].some((option) => given.has(option));
  const byLine = replaceMark(argv, given) !== undefined;
  const builder = new FieldBuilder(zero ? "\n" : byLine ? "\n" : " \t\n");
  builder.split(stdin.text);
  const words = builder.finish();
  // What is split is no pattern here: the shell does not see it again.
  return words.length > 100
    ? [any]
    : words.map((word) => (zero && word.kind === "literal" ? any : plain(word)));
}

const plain = (word: Word): Word =>
  word.kind === "partial" &&
  word.parts.every((part) => typeof part === "string" || "glob" in part) &&
  !word.many
    ? wordOf(word.parts.map((part) => (typeof part === "string" ? part : "glob" in part ? part.glob : "")))
    : word;

/** A word with every `{}` in it replaced. */
export function replaceIn(word: Word, mark: string, by: Text): Word {
  if (mark === "") return word;
  const parts = partsOf(word).flatMap((part): Text => {
    if (typeof part !== "string" || !part.includes(mark)) return [part];
    return part.split(mark).flatMap((piece, index): Text => (index === 0 ? [piece] : [...by, piece]));
  });
  return wordOf(parts);
}
