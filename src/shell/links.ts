import { emitFile, type Owner } from "./emit.ts";
import { parseCommand } from "./grammar.ts";
import { applyRoles } from "./roles.ts";
import type { Session } from "./session.ts";
import { specOf } from "./table.ts";
import type { Word } from "./types.ts";
import { hole, knownPrefix, partsOf, type Text, wordOf } from "./value.ts";

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
  if (!isSymbolic || isRelative || folder === "") {
    applyRoles(session, owner, parsed);
    return hole("unknown");
  }
  applyRoles(session, owner, { ...parsed, found: parsed.found.filter(({ role }) => role !== "read") });
  for (const found of parsed.found) {
    if (found.role !== "read") continue;
    const rooted = /^[/~]/.test(knownPrefix(found.word));
    const word = rooted ? found.word : wordOf([folder, ...partsOf(found.word)]);
    emitFile(session, owner, { ...found, word }, "read", "path");
  }
  return hole("unknown");
}
