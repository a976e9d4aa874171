import { emitOpaque, emitWritten } from "./emit.ts";
import { expand, type Makefile, type Rule, wordsOf } from "./makefile-words.ts";
import { resolve } from "./path.ts";
import type { Session } from "./session.ts";
import type { ParsedCommand } from "./spec.ts";
import type { Word } from "./types.ts";
import { knownPrefix, literal, textOf } from "./value.ts";

/** Words that the variables of one makefile may become. */
const LOOKUPS = 20_000;

const NAMES = ["GNUmakefile", "makefile", "Makefile"];

/** Recipes of a makefile that the text itself wrote are shell text: those of the goals, and of all that they need. */
export function runMakefiles(session: Session, { found }: ParsedCommand): void {
  const goals = found.filter(({ role }) => role === "unit").map(({ word }) => word);
  const files = found.filter(({ role, option }) => role === "read" && option !== undefined);
  const { cwds = [], written } = session.scope;
  if (written.size === 0) return;
  const named = files.length === 0 ? NAMES : files.map(({ word }) => textOf(word) ?? "");
  for (const path of new Set(cwds.flatMap((cwd) => named.map((name) => resolve(cwd, name))))) {
    const content = written.get(path);
    if (content !== undefined) runRules(session, content, goals);
    else emitWritten(session, "make", literal(path));
  }
}

/** Operands are goals, or variables that are set. Goals that are not known are all there are. */
function runRules(session: Session, content: string, operands: readonly Word[]): void {
  const goals = operands.filter((word) => !/^[\w.-]+\s*[:+?!]*=/.test(knownPrefix(word)));
  const given = operands.flatMap((word): readonly (readonly [string, string])[] => {
    const match = /^([\w.-]+)\s*[:+?]*=(.*)$/s.exec(textOf(word) ?? "");
    return match === null ? [] : [[match[1] ?? "", match[2] ?? ""]];
  });
  const key = `make\0${operands.map(textOf).join("\0")}\0${content}`;
  if (session.notes.programs.has(key)) return;
  session.notes.programs.add(key);
  if (!session.notes.take(content.length)) {
    emitOpaque(session, "make", "code", "a makefile that the command wrote");
    return;
  }
  const makefile = readMakefile(content);
  for (const [name, value] of given)
    makefile.variables.set(name, `${makefile.variables.get(name) ?? ""} ${value}`.trim());
  if (makefile.isOdd) emitOpaque(session, "make", "code", "a makefile that the command wrote");
  for (const text of makefile.variables.values()) runCalls(session, makefile, text);
  for (const rule of reached(makefile, goals)) runRecipe(session, makefile, rule);
}

/** `$(shell …)` in a variable runs when it is read. */
function runCalls(session: Session, makefile: Makefile, text: string): void {
  if (!text.includes("(shell") && !text.includes("{shell")) return;
  runLine(session, `: ${expand(makefile, text, { target: "", needs: [] })}`);
}

function runRecipe(session: Session, makefile: Makefile, { targets, needs, recipe }: Rule): void {
  for (const target of targets) {
    for (const line of recipe) {
      const text = expand(makefile, line, { target, needs });
      runLine(session, text.replace(/^[\s@+-]+/, ""));
    }
  }
}

function runLine(session: Session, text: string): void {
  session.walker.text(session, { text: [text], context: "via make", dialect: "sh", inPlace: false });
}

const ODD =
  /^(?:-?include|sinclude|define|override|vpath|load|unexport)\b|^\s*\.?(?:SHELL|MAKEFLAGS|\.SHELLFLAGS|SHELLFLAGS|MAKEFILES|VPATH|RECIPEPREFIX)\s*[:+?!]*=|\$[({](?:eval|call|file|guile|foreach|let|origin|value)\b|^\.(?:RECIPEPREFIX|SECONDEXPANSION|ONESHELL)\b/;

function readMakefile(content: string): Makefile {
  const rules: { targets: string[]; needs: string[]; recipe: string[] }[] = [];
  const variables = new Map<string, string>();
  let isOdd = false;
  for (const line of logicalLines(content)) {
    if (line.startsWith("\t")) {
      rules.at(-1)?.recipe.push(line.slice(1));
      continue;
    }
    const plain = line.replace(/(^|\s)#.*$/, "$1");
    if (plain.trim() === "") continue;
    if (ODD.test(plain)) isOdd = true;
    if (/^\s*(?:ifn?eq|ifn?def|else|endif|export\s*$)\b/.test(plain)) continue;
    const assigned = /^\s*(?:export\s+)?([\w.-]+)\s*(?:[:+?!]|::)?=(.*)$/s.exec(plain);
    if (assigned !== null) {
      const [, name = "", value = ""] = assigned;
      // Set twice or added to, it may hold either.
      variables.set(name, `${variables.get(name) ?? ""} ${value.trim()}`.trim());
      if (/!=/.test(plain.slice(0, plain.indexOf("=") + 1))) isOdd = true;
      continue;
    }
    const rule = ruleOf(plain);
    const own = rule === undefined ? null : OWN_VARIABLE.exec(plain);
    if (own !== null)
      variables.set(own[1] ?? "", `${variables.get(own[1] ?? "") ?? ""} ${own[2] ?? ""}`.trim());
    if (rule === undefined) isOdd = true;
    else rules.push(rule);
  }
  const makefile: Makefile = { rules: [], variables, isOdd, budget: { left: LOOKUPS } };
  const known = (names: readonly string[]): string[] =>
    wordsOf(expand(makefile, names.join(" "), { target: "", needs: [] }));
  return {
    ...makefile,
    rules: rules.map((rule) => ({ ...rule, targets: known(rule.targets), needs: known(rule.needs) })),
  };
}

/** `target: VAR = value`. */
const OWN_VARIABLE = /^[^:=]*:\s*(?:export\s+|private\s+)?([\w.-]+)\s*[:+?]?=(.*)$/s;

/** Lines with those that go on put together. */
function logicalLines(content: string): readonly string[] {
  const out: string[] = [];
  let open: string[] = [];
  for (const line of content.split("\n")) {
    const goesOn = line.endsWith("\\");
    open.push(line);
    if (goesOn) continue;
    // In a recipe the shell sees the mark and takes it away itself.
    out.push(open[0]?.startsWith("\t") === true ? open.join("\n") : open.map(withoutMark).join(" "));
    open = [];
  }
  if (open.length > 0) out.push(open.map(withoutMark).join(" "));
  return out;
}

const withoutMark = (line: string): string => (line.endsWith("\\") ? line.slice(0, -1) : line);

function ruleOf(line: string): { targets: string[]; needs: string[]; recipe: string[] } | undefined {
  const colon = line.indexOf(":");
  if (colon < 1) return undefined;
  const rest = line.slice(colon + 1).replace(/^:/, "");
  const semicolon = rest.indexOf(";");
  const needs = semicolon === -1 ? rest : rest.slice(0, semicolon);
  return {
    targets: wordsOf(line.slice(0, colon)),
    // `target: VAR = value`, `targets: %.o: %.c`.
    needs: wordsOf(needs.replaceAll(":", " ")),
    recipe: semicolon === -1 ? [] : [rest.slice(semicolon + 1)],
  };
}

const isOpen = (name: string): boolean => /[%$*?]/.test(name);

/** The rules that run for some goals: by default the first one; those with patterns always. */
function reached({ rules }: Makefile, goals: readonly Word[]): readonly Rule[] {
  const names = goals.map(textOf);
  const first = rules.find(({ targets }) => targets.some((target) => !/^\.[^/]*$/.test(target)));
  const wanted = names.length === 0 ? (first?.targets ?? []) : names;
  const known = wanted.filter((name) => name !== undefined);
  if (known.length < wanted.length) return rules;
  const open = new Set(known);
  const found = new Set<Rule>();
  const byTarget = new Map<string, Rule[]>();
  for (const rule of rules) {
    for (const target of rule.targets) {
      const same = byTarget.get(target);
      if (same === undefined) byTarget.set(target, [rule]);
      else same.push(rule);
      if (isOpen(target) || /^\.[a-z]\w*(?:\.\w+)?$|^\.DEFAULT$/.test(target)) found.add(rule);
    }
  }
  for (const rule of found) for (const need of rule.needs) open.add(need);
  // A set is walked to its end also while it grows. What a variable stands for may be any target.
  for (const name of open) {
    if (name.includes("$")) return rules;
    for (const rule of byTarget.get(name) ?? []) {
      found.add(rule);
      for (const need of rule.needs) open.add(need);
    }
  }
  return [...found];
}
