export interface Rule {
  readonly targets: readonly string[];
  readonly needs: readonly string[];
  readonly recipe: readonly string[];
}

export interface Makefile {
  readonly rules: readonly Rule[];
  readonly variables: Map<string, string>;
  /** It holds what this reader does not follow. */
  readonly isOdd: boolean;
  /** Variables that may still be looked up. */
  readonly budget: { left: number };
}

export const wordsOf = (text: string): string[] => text.split(/[\s|]+/).filter((word) => word !== "");

interface Place {
  readonly target: string;
  readonly needs: readonly string[];
}

const BUILT_IN: Readonly<Record<string, string>> = {
  CC: "cc",
  CXX: "c++",
  CPP: "cc -E",
  LD: "ld",
  AR: "ar",
  AS: "as",
  RM: "rm -f",
  MAKE: "make",
  SHELL: "/bin/sh",
  CURDIR: ".",
};
/** Variables within variables, and characters that all of it may become. */
const DEPTH = 8;
const LONGEST = 16 * 1024;

/** Make's own variables in a line become what they hold; the others are those of the shell. */
export function expand(makefile: Makefile, text: string, place: Place, depth = 0): string {
  let out = "";
  let at = 0;
  while (at < text.length && out.length < LONGEST) {
    const dollar = text.indexOf("$", at);
    if (dollar === -1) return out + text.slice(at);
    out += text.slice(at, dollar);
    const next = text[dollar + 1] ?? "";
    if (next === "(" || next === "{") {
      const end = closing(text, dollar + 1);
      makefile.budget.left -= 1 + place.needs.length;
      const isDeep = depth > DEPTH || makefile.budget.left < 0;
      out += isDeep ? "$paldron_deep" : named(makefile, text.slice(dollar + 2, end), place, depth);
      at = end + 1;
    } else {
      makefile.budget.left -= 1 + place.needs.length;
      out += next === "$" ? "$" : makefile.budget.left < 0 ? "$paldron_long" : automatic(next, place);
      at = dollar + 2;
    }
  }
  return out.length < LONGEST ? out : "$paldron_long";
}

function closing(text: string, open: number): number {
  const [start, stop] = text[open] === "(" ? ["(", ")"] : ["{", "}"];
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === start) depth += 1;
    if (text[at] === stop) depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

function automatic(name: string, { target, needs }: Place): string {
  if (name === "@") return target.replaceAll("%", "*");
  if (name === "<") return (needs[0] ?? "").replaceAll("%", "*");
  if (name === "^" || name === "+" || name === "?") return needs.join(" ").replaceAll("%", "*");
  if (name === "*") return target.includes("%") ? "*" : target.replace(/\.[^./]*$/, "");
  return `$${name}`;
}

function named(makefile: Makefile, name: string, place: Place, depth: number): string {
  const inner = (text: string): string => expand(makefile, text, place, depth + 1);
  const call = /^(\w[\w-]*)\s+(.*)$/s.exec(name);
  if (call !== null) return called(call[1] ?? "", inner(call[2] ?? ""));
  const part = /^([@<^+?*])[DF]$/.exec(name)?.[1];
  if (/^[@<^+?*]$/.test(name)) return automatic(name, place);
  if (part !== undefined) return `$paldron_part`;
  const [variable = "", change] = name.split(":", 2);
  if (change !== undefined) return changed(inner(`$(${variable})`), change);
  const value = makefile.variables.get(name) ?? BUILT_IN[name];
  if (value !== undefined) return inner(value);
  return /^\w+$/.test(name) ? `$${name.replace(/^(?=\d)/, "_")}` : "$paldron_name";
}

/** `$(SOURCES:.c=.o)`. */
function changed(words: string, change: string): string {
  const [from = "", to = ""] = change.split("=", 2);
  const suffix = from.replace(/^%/, "");
  return wordsOf(words)
    .map((word) =>
      suffix !== "" && word.endsWith(suffix) ? word.slice(0, -suffix.length) + to.replace(/^%/, "") : word,
    )
    .join(" ");
}

/** A function of make: what its words name, or what the shell prints. */
function called(name: string, args: string): string {
  if (name === "shell") return `$(${args})`;
  if (name === "wildcard" || name === "strip" || name === "sort" || name === "firstword") return args;
  if (name === "info" || name === "warning" || name === "error") return "";
  const last = args.slice(args.lastIndexOf(",") + 1).trim();
  if (name === "filter" || name === "filter-out") return last;
  if (name !== "patsubst") return "$paldron_call";
  const [from = "", to = ""] = args.split(",", 2);
  return changed(last, `${from.trim()}=${to.trim()}`);
}
