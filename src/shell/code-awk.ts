import type { CodeReading } from "./code.ts";

const TOKEN =
  /\s+|#[^\n]*|"(?:[^"\\\n]|\\[\s\S])*"|[A-Za-z_]\w*|@\w*|\d[\w.]*|\|\||\|&|&&|>>|>=|<=|==|!=|!~|[+\-*/%^]=|\+\+|--|\\\n|[\s\S]/y;

/** Reads an awk program: `system`, pipes, `getline` and `print >` reach beyond its input. */
export function readAwk(program: string): CodeReading {
  const state = {
    reads: [] as string[],
    writes: [] as string[],
    commands: [] as string[],
    literals: [] as string[],
  };
  const harmless = scan(program, state);
  return { harmless, ...state };
}

interface Found {
  readonly reads: string[];
  readonly writes: string[];
  readonly literals: string[];
}

function scan(program: string, found: Found): boolean {
  let at = 0;
  let last = "";
  let printing = false;
  let depth = 0;
  while (at < program.length) {
    if (program[at] === "/" && regexMayStart(last)) {
      const end = regexEnd(program, at + 1);
      if (end === -1) return false;
      at = end;
      last = "REGEX";
      continue;
    }
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(program)?.[0] ?? program[at] ?? "";
    at += token.length;
    if (/^(?:\s+|#.*|\\\n)$/.test(token)) {
      if (token.includes("\n")) printing = false;
      continue;
    }
    if (token.startsWith('"')) found.literals.push(token.slice(1, -1));
    if (/^(?:system|ARGV|ARGC|ENVIRON|SYMTAB|FUNCTAB|PROCINFO|@.*)$/.test(token)) return false;
    if (token === "|" || token === "|&") return false;
    if (token === "print" || token === "printf") printing = true;
    if (token === ";" || token === "}" || token === "{") printing = false;
    if (token === "(") depth += 1;
    if (token === ")") depth = Math.max(0, depth - 1);
    if (token === "getline") return false;
    if (printing && depth === 0 && (token === ">" || token === ">>")) {
      const target = /^\s*"((?:[^"\\\n])*)"\s*(?=[;}\n]|$)/.exec(program.slice(at, at + 500));
      if (target === null) return false;
      found.writes.push(target[1] ?? "");
    }
    last = token;
  }
  return true;
}

const regexMayStart = (last: string): boolean =>
  last === "" ||
  !/^(?:[\w$]+|\)|\]|REGEX|"[\s\S]*|\+\+|--)$/.test(last) ||
  /^(?:return|print|in|if|while|and|or)$/.test(last);

function regexEnd(text: string, from: number): number {
  let bracket = false;
  for (let i = from; i < text.length && text[i] !== "\n"; i += 1) {
    const char = text[i];
    if (char === "\\") i += 1;
    else if (char === "[") bracket = true;
    else if (char === "]") bracket = false;
    else if (char === "/" && !bracket) return i + 1;
  }
  return -1;
}
