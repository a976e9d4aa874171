import { emitFile, type Owner } from "./emit.ts";
import { parseCommand } from "./grammar.ts";
import { noteLink } from "./made-links.ts";
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

/** `cp -l` and `cp -s` make links too. */
export function runCp(session: Session, argv: readonly Word[]): Text {
  const owner: Owner = { name: "cp", spec: specOf("cp") ?? {} };
  const parsed = parseCommand(owner.spec, argv);
  applyRoles(session, owner, parsed);
  const isLink = ["-l", "-s", "--link", "--symbolic-link"].some((option) => parsed.given.has(option));
  if (isLink) noteLinks(session, { ...parsed, symbolic: parsed.given.has("-s") });
  return hole("unknown");
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
