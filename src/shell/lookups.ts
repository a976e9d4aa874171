import type { Command, ParsedScript, SyntaxNode } from "unbash";
import type { Session } from "./session.ts";
import { known, type Text } from "./value.ts";

/**
 * `$(command -v a || which b || echo c)`: what it may print, each of the names or nothing. Undefined for any other text.
 */
export function lookupsOf(session: Session, script: ParsedScript, out: Text): readonly Text[] | undefined {
  const [statement, ...others] = script.commands;
  if (statement === undefined || others.length > 0 || statement.background === true) return undefined;
  const { command } = statement;
  if (isLookup(command)) return found(session, [out], true);
  if (command.type !== "AndOr") return undefined;
  const outs = session.either.get(command);
  const looked = command.commands.slice(0, -1);
  if (outs === undefined || !looked.every(isLookup)) return undefined;
  return found(session, outs, command.commands.every(isLookup));
}

/** The first program that there is ends the search, unless the text itself may have made one, or moved the places. */
function found(session: Session, outs: readonly Text[], mayFail: boolean): readonly Text[] | undefined {
  const { options, scope, built } = session;
  const isPlain = scope.get("PATH") === undefined && options.findsProgram !== undefined;
  const mayMake = scope.written.size > 0 || built.size > 0;
  const out: Text[] = [];
  for (const [index, text] of outs.entries()) {
    const name = known(text)?.trim();
    if (name === undefined) return undefined;
    const isThere = isPlain && options.findsProgram?.(name) === true;
    const isLast = index === outs.length - 1;
    if (isThere || !isPlain || mayMake || (isLast && !mayFail)) out.push(text);
    if (isThere) return out;
  }
  return mayFail ? [...out, []] : out;
}

function isLookup(node: SyntaxNode): boolean {
  if (node.type !== "Command" || node.prefix.length > 0) return false;
  const [name, option, ...rest] = wordsOf(node);
  if (name === "which") return option !== undefined && !option.startsWith("-") && rest.length === 0;
  return name === "command" && option === "-v" && rest.length === 1;
}

const wordsOf = ({ name, args }: Command): readonly string[] =>
  [name, ...args].map((word) => (word?.type === "Word" && word.parts === undefined ? word.value : "-"));
