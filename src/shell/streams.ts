import type { Session } from "./session.ts";
import { operandsOf, type ParsedCommand } from "./spec.ts";
import { namesOfGit, treesBelow } from "./trees.ts";
import { type Glob, TRACKED, type Word } from "./types.ts";
import { knownPrefix, piecesOf, type Text, textOf, wordOf } from "./value.ts";

/** Stands before the names of the files that an archive on standard output holds. */
const STREAM: Glob = { glob: "**/stream/" };

export const isStream = (text: Text): boolean => text[0] === STREAM;

/** The archive that a program writes to its standard output. */
export function archiveOf(name: string, parsed: ParsedCommand): Text | undefined {
  const { given, found } = parsed;
  const operands = operandsOf(found);
  if (/^(?:g|bsd)?tar$/.test(name)) {
    const files = found.filter(({ option }) => option === "-f" || option === "--file");
    if (!given.has("-c") && !given.has("--create")) return undefined;
    if (!files.every(({ word }) => STANDARD_OUTPUT.test(textOf(word) ?? ""))) return undefined;
    return operands.length === 0 ? undefined : stream(treesBelow(operands).map((below) => [...below, ANY]));
  }
  if (name !== "zip" || !STANDARD_OUTPUT.test(textOf(operands[0]) ?? "")) return undefined;
  return stream(treesBelow(operands.slice(1)).map((below) => [...below, ANY]));
}

/** `git archive HEAD`, `git bundle create -`, every object there is: what is tracked. */
export function archiveOfGit(
  command: string,
  { given, found }: ParsedCommand,
  argv: readonly Word[],
): Text | undefined {
  const operands = operandsOf(found);
  if (command === "archive" && !["-o", "--output", "-l", "--list"].some((option) => given.has(option)))
    return tracked(operands.slice(1));
  if (command === "cat-file" && argv.some((word) => textOf(word) === "--batch-all-objects"))
    return argv.some((word) => /^--batch(?:=|$)/.test(knownPrefix(word))) ? tracked([]) : undefined;
  const isOut = textOf(argv[0]) === "create" && argv.some((word) => STANDARD_OUTPUT.test(textOf(word) ?? ""));
  return command === "bundle" && isOut ? tracked([]) : undefined;
}

const tracked = (specs: readonly Word[]): Text => stream(piecesOf(namesOfGit(specs, TRACKED)));

const STANDARD_OUTPUT = /^(?:-|\/dev\/stdout)$/;
const ANY: Glob = { glob: "*" };

const stream = (names: readonly Text[]): Text => [STREAM, ...names.flatMap((name): Text => [...name, "\n"])];

/** Programs that unpack an archive, or tell of it. */
const ENDS = /^(?:(?:g|bsd)?tar|cpio|pax|wc|cksum|(?:md5|sha\d+|b2)sum|shasum|file|true|:)$/;

/** An archive that a program reads is what it prints in one form or another. */
export function passedThrough(
  session: Session,
  name: string,
  parsed: ParsedCommand | undefined,
): Text | undefined {
  const { stdin } = session;
  if (stdin.kind !== "text" || !isStream(stdin.text)) return undefined;
  const prints = ["-O", "--to-stdout"].some((option) => parsed?.given.has(option) === true);
  return ENDS.test(name) && !prints ? undefined : stdin.text;
}

/** Whoever asked for a command sees the archive that it prints. */
export function showStream(session: Session, out: Text): void {
  if (session.context.includes("pipeline")) return;
  const base = { from: "operand", look: "path", command: "archive", option: undefined } as const;
  for (const piece of piecesOf(out.slice(1))) session.emit({ kind: "read", path: wordOf(piece), ...base });
}
