import type { Lexed, Token } from "./code-tokens.ts";
import { known } from "./value.ts";

export interface Import {
  /** Undefined: not known. */
  readonly module: string | undefined;
  /** The name that stands for the module. */
  readonly alias?: string | undefined;
  /** Names that stand for its members: how it is called here, and there. */
  readonly members: readonly (readonly [local: string, member: string])[];
}

/** The modules that a program loads. */
export function importsOf(language: Lexed, tokens: readonly Token[]): readonly Import[] {
  return language === "python" ? pythonImports(tokens) : scriptImports(tokens);
}

const textAt = (tokens: readonly Token[], at: number): string => tokens[at]?.text ?? "";
const isWord = (token: Token | undefined): boolean => token?.kind === "word";

/** `a.b.c` from a place on, and the place behind it. */
function dotted(tokens: readonly Token[], from: number): { readonly name: string; readonly end: number } {
  let at = from;
  let name = "";
  while (textAt(tokens, at) === "." || (isWord(tokens[at]) && (name === "" || name.endsWith(".")))) {
    if (/^(?:import|as)$/.test(textAt(tokens, at))) break;
    name += textAt(tokens, at);
    at += 1;
  }
  return { name, end: at };
}

function pythonImports(tokens: readonly Token[]): readonly Import[] {
  const out: Import[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const word = textAt(tokens, at);
    if (!isWord(tokens[at]) || (word !== "import" && word !== "from")) continue;
    if (textAt(tokens, at - 1) === ".") continue;
    if (word === "from") {
      const { name, end } = dotted(tokens, at + 1);
      // `yield from x`, `raise x from y`.
      if (textAt(tokens, end) !== "import") continue;
      const { members, end: last } = names(tokens, end + 1);
      out.push(members === undefined ? { module: star(name), members: [] } : { module: name, members });
      at = last - 1;
      continue;
    }
    let from = at + 1;
    for (;;) {
      const { name, end } = dotted(tokens, from);
      if (name === "") break;
      const isNamed = textAt(tokens, end) === "as";
      out.push({ module: name, alias: isNamed ? textAt(tokens, end + 1) : name.split(".")[0], members: [] });
      from = isNamed ? end + 2 : end;
      if (textAt(tokens, from) !== ",") break;
      from += 1;
    }
    at = from - 1;
  }
  return out;
}

/** `from os import *` takes every member. */
const star = (name: string): string | undefined =>
  /^(?:os|sys|subprocess|shutil|io|codecs|logging|urllib|http)$/.test(name) ? undefined : name;

/** `a, b as c` or the same in parentheses; undefined members: all of them. */
function names(
  tokens: readonly Token[],
  from: number,
): { readonly members: readonly (readonly [string, string])[] | undefined; readonly end: number } {
  if (textAt(tokens, from) === "*") return { members: undefined, end: from + 1 };
  const members: [string, string][] = [];
  let at = textAt(tokens, from) === "(" ? from + 1 : from;
  while (isWord(tokens[at])) {
    const isNamed = textAt(tokens, at + 1) === "as";
    members.push([textAt(tokens, isNamed ? at + 2 : at), textAt(tokens, at)]);
    at += isNamed ? 3 : 1;
    if (textAt(tokens, at) !== ",") break;
    at += 1;
  }
  return { members, end: at };
}

/** `import x, { a as b } from "m"`, `export … from "m"`, `const { a: b } = require("m")`, `import("m")`. */
function scriptImports(tokens: readonly Token[]): readonly Import[] {
  const out: Import[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== "word" || textAt(tokens, at - 1) === ".") continue;
    if (token.text === "require" || (token.text === "import" && textAt(tokens, at + 1) === "(")) {
      if (textAt(tokens, at + 1) !== "(") continue;
      const isWhole = textAt(tokens, at + 3) === ")";
      // `const x = await import("m")`.
      const equals = textAt(tokens, at - 1) === "await" ? at - 2 : at - 1;
      const left = textAt(tokens, equals) === "=" ? bound(tokens, equals - 1) : undefined;
      out.push({ module: isWhole ? stringAt(tokens, at + 2) : undefined, members: [], ...left });
    } else if (token.text === "import" && tokens[at + 1]?.kind === "string") {
      out.push({ module: stringAt(tokens, at + 1), members: [] });
    } else if (token.text === "from" && tokens[at + 1]?.kind === "string") {
      out.push({ module: stringAt(tokens, at + 1), members: [], ...bound(tokens, at - 1) });
    }
  }
  return out;
}

const stringAt = (tokens: readonly Token[], at: number): string | undefined =>
  tokens[at]?.kind === "string" ? known(tokens[at]?.value ?? []) : undefined;

/** What stands before `=` or `from`: a name, or names in braces. */
function bound(tokens: readonly Token[], last: number): Partial<Import> {
  if (isWord(tokens[last])) return { alias: textAt(tokens, last) };
  if (textAt(tokens, last) !== "}") return {};
  const members: [string, string][] = [];
  let at = last - 1;
  for (; at >= 0 && !/^[{};]$/.test(textAt(tokens, at)); at -= 1) {
    if (!isWord(tokens[at])) continue;
    const isNamed = /^(?::|as)$/.test(textAt(tokens, at - 1));
    members.push([textAt(tokens, at), textAt(tokens, isNamed ? at - 2 : at)]);
    if (isNamed) at -= 2;
  }
  // Names within names: which is which is not followed.
  if (textAt(tokens, at) !== "{") return { module: undefined };
  const alias = textAt(tokens, at - 1) === "," ? textAt(tokens, at - 2) : undefined;
  return { members, alias };
}
