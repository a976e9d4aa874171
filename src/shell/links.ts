import { emitFile, type Owner } from "./emit.ts";
import { parseCommand } from "./grammar.ts";
import { LIMITS } from "./limits.ts";
import { noteLink } from "./made-links.ts";
import { baseName, resolve } from "./path.ts";
import { applyRoles } from "./roles.ts";
import type { Session } from "./session.ts";
import type { ParsedCommand } from "./spec.ts";
import { specOf } from "./table.ts";
import type { Word } from "./types.ts";
import { hole, knownPrefix, partsOf, type Text, textOf, wordOf } from "./value.ts";

/**
 * `ln TARGET… NAME`. The text of a symbolic link is read from the folder that the link lies in: `ln -s ../f sub/f`
 * names `f`. Where NAME is itself a folder the link lies one level deeper, so what is judged never reaches less far.
 */
export function runLn(session: Session, argv: readonly Word[]): Text {
  const owner: Owner = { name: "ln", spec: specOf("ln") ?? {} };
  const parsed = parseCommand(owner.spec, argv);
  const isSymbolic = ["-s", "--symbolic"].some((option) => parsed.given.has(option));
  const isRelative = ["-r", "--relative"].some((option) => parsed.given.has(option));
  const place = parsed.found.find(({ role }) => role === "write");
  // Of a name that is partly unknown the folder counts that is known; where it may lie instead, its write is judged.
  const name = place === undefined ? "" : knownPrefix(place.word);
  const folder = place?.option === undefined ? name.slice(0, name.lastIndexOf("/") + 1) : `${name}/`;
  const noted = { ...parsed, symbolic: isSymbolic && !isRelative };
  if (!isSymbolic || isRelative || folder === "") {
    applyRoles(session, owner, parsed);
    noteLinks(session, noted);
    return hole("unknown");
  }
  applyRoles(session, owner, { ...parsed, found: parsed.found.filter(({ role }) => role !== "read") });
  for (const found of parsed.found) {
    if (found.role !== "read") continue;
    const rooted = /^[/~]/.test(knownPrefix(found.word));
    const word = rooted ? found.word : wordOf([folder, ...partsOf(found.word)]);
    emitFile(session, owner, { ...found, word }, "read", "path");
  }
  noteLinks(session, noted);
  return hole("unknown");
}

/** `cp`, `mv` and `install`: what the text wrote is known under its new name too. `cp -l` and `cp -s` make links. */
export function runCopy(session: Session, argv: readonly Word[], name: string): Text {
  const owner: Owner = { name, spec: specOf(name) ?? {} };
  const parsed = parseCommand(owner.spec, argv);
  const before = [...session.scope.written];
  applyRoles(session, owner, parsed);
  const isLink = name === "cp" && LINKING.some((option) => parsed.given.has(option));
  if (isLink) noteLinks(session, { ...parsed, symbolic: parsed.given.has("-s") });
  const words = parsed.found.filter(({ role }) => role === "read" || role === "write");
  const target = words.find(({ option }) => option !== undefined) ?? words.at(-1);
  const sources = words.filter((found) => found !== target && found.option === undefined);
  for (const cwd of session.scope.cwds ?? [])
    noteCopies(session, {
      before,
      cwd,
      sources: sources.map(({ word }) => textOf(word)),
      target: textOf(target?.word),
    });
  return hole("unknown");
}

const LINKING = ["-l", "-s", "--link", "--symbolic-link"];

interface Copies {
  /** What the text had written before. */
  readonly before: readonly (readonly [path: string, content: string | undefined])[];
  readonly cwd: string;
  readonly sources: readonly (string | undefined)[];
  readonly target: string | undefined;
}

/** A copy of a file that was there before the text is as good as that file. */
function noteCopies(session: Session, { before, cwd, sources, target }: Copies): void {
  if (target === undefined || sources.length === 0) return;
  const { written } = session.scope;
  const place = resolve(cwd, target);
  if (!sources.includes(undefined)) written.delete(place);
  for (const source of sources) {
    if (source === undefined) continue;
    const from = resolve(cwd, source);
    for (const [path, content] of before) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      const rest = path.slice(from.length);
      for (const to of [place, `${place}/${baseName(from)}`]) {
        if (written.size >= LIMITS.variables) session.problem("too many files are written");
        else written.set(`${to}${rest}`, content);
      }
    }
  }
}

type Linking = Pick<ParsedCommand, "found"> & { readonly symbolic: boolean };

/** What is read or written through a link later in the text is judged as what the link leads to. */
function noteLinks(session: Session, { found, symbolic }: Linking): void {
  const names = found.filter(({ role }) => role === "write").map(({ word }) => textOf(word));
  for (const { word } of found.filter(({ role }) => role === "read")) {
    const target = textOf(word);
    // `ln TARGET` links into the folder that the text is in.
    for (const name of names.length === 0 ? ["."] : names) {
      if (target === undefined || name === undefined) continue;
      for (const cwd of session.scope.cwds ?? [])
        if (!noteLink(session.scope.links, { cwd, name, target, symbolic }))
          session.problem("too many links are made");
    }
  }
}
