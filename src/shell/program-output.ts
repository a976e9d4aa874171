import { printed } from "./builtin-helpers.ts";
import { seeks } from "./searches.ts";
import type { Session } from "./session.ts";
import type { CommandSpec, ParsedCommand } from "./spec.ts";
import { hasGlob, hole, isMany, known, partsOf, piecesOf, sourceOf, type Text, textOf } from "./value.ts";

/** What a program prints, as far as the table tells. */
export function programOutput(session: Session, spec: CommandSpec, parsed: ParsedCommand): Text {
  switch (spec.prints) {
    case "integer":
      return hole("integer");
    case "listing":
      // Hidden names, among them those of secrets, stand in the list only when they are asked for.
      return hole(spec.shows?.split(" ").some((option) => parsed.given.has(option)) ? "unknown" : "listing");
    case "fresh":
      return hole("fresh");
    case "operands":
      return parsed.found.flatMap(
        ({ word }): Text => [...(isMany(word) ? hole("unknown") : partsOf(word)), "\n"],
      );
    case "toplevel":
      return revParse(session, parsed);
    case "input":
      return passedOn(session, spec, parsed);
    default:
      return hole("unknown");
  }
}

/** A filter hands on what it reads; only `cat` leaves it as it is. */
function passedOn(session: Session, spec: CommandSpec, parsed: ParsedCommand): Text {
  const files = parsed.found.filter((found) => found.role === "read" && found.option === undefined);
  const whole =
    spec.operands === "read" && spec.options?.startsWith("-A -b -e") === true && parsed.given.size === 0;
  if (files.length > 0) {
    const lists = parsed.given.has("-l") || parsed.given.has("-L");
    if (!whole) return hole(lists && !seeks(parsed) ? "listing" : "unknown");
    const texts = files.map((found) => printed.contentOf(session, found.word));
    return texts.includes(undefined) ? hole("unknown") : [texts.join("")];
  }
  const { stdin } = session;
  if (stdin.kind !== "text") return stdin.kind === "empty" ? [] : hole("unknown");
  if (whole || spec.operands === "write") return stdin.text;
  // What it takes of the lines, and what it sets beside them, is no other name.
  if (hasGlob(stdin.text)) return ending(parsed, stdin.text);
  const text = known(stdin.text);
  if (text === undefined && picksSecrets(parsed)) return hole("unknown");
  return text === undefined ? hole(sourceOf(stdin.text) ?? "unknown") : text === "" ? [] : hole("unknown");
}

/** `git ls-files | grep env`: of the names that are listed, those of secrets. */
function picksSecrets(parsed: ParsedCommand): boolean {
  if (parsed.given.has("-v") || parsed.given.has("--invert-match")) return false;
  return parsed.found.some(
    ({ role, word, option }) =>
      role === "data" &&
      option === undefined &&
      /(?:^|[^a-z])env(?:$|[^a-z])|pem|secret|ssh|id_|netrc|p12|pfx/i.test(textOf(word) ?? ""),
  );
}

/** `grep '\.js$'`: each of the names ends so. */
function ending(parsed: ParsedCommand, text: Text): Text {
  const [pattern] = parsed.found.filter(({ role, option }) => role === "data" && option === undefined);
  const suffix = /\\(\.\w+)\$$/.exec(textOf(pattern?.word) ?? "")?.[1];
  if (
    suffix === undefined ||
    ["-v", "-i", "--invert-match", "-c", "-o"].some((option) => parsed.given.has(option))
  )
    return text;
  const pieces = piecesOf(text).filter((piece) => typeof piece.at(-1) !== "string");
  return pieces.flatMap((piece): Text => [...piece, suffix, "\n"]);
}

/** `git rev-parse HEAD`: the name of a commit, which is no file's and no option. */
function isRevision(parsed: ParsedCommand): boolean {
  const isPlain = [...parsed.given].every((option) => ["--short", "--verify", "-q"].includes(option));
  const names = parsed.found.filter(({ option }) => option === undefined);
  return (
    isPlain &&
    parsed.unlisted === undefined &&
    names.length > 0 &&
    names.every(({ word }) => /^(?:HEAD|@)(?:[~^]\d*)*$/.test(textOf(word) ?? ""))
  );
}

/** `git rev-parse --show-toplevel`, when the folder is known. */
function revParse(session: Session, parsed: ParsedCommand): Text {
  if (isRevision(parsed)) return hole("fresh");
  const { cwds } = session.scope;
  if (cwds?.length !== 1 || parsed.operands > 0 || !parsed.given.has("--show-toplevel"))
    return hole("unknown");
  const top = session.options.toplevel?.(cwds[0] ?? "/");
  return top === undefined || parsed.given.size > 1 ? hole("unknown") : [`${top}\n`];
}
