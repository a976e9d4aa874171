import { ANY_WORD, type Rule, type RuleWord } from "../../policy/rules/types.ts";
import type { CommandEffect } from "../../shell/types.ts";
import { baseName, isProgram, realProgram } from "../binaries.ts";
import type { GateContext } from "../context.ts";
import { shownWord } from "../words.ts";
import type { Facts, FileFact } from "./facts.ts";
import { plainLook } from "./look-alike.ts";
import { mayMatchArguments, surelyMatchesArguments } from "./match-command.ts";
import { mayMatchPath, surelyMatchesPath } from "./match-path.ts";
import { matchesArguments, matchesTool } from "./match-tool.ts";
import { literalText, mayBeText } from "./words.ts";

/** What a rule matched, as a person would name it. Undefined: nothing. */
export type Matched = string | undefined;

/**
 * What of a request a rule that asks or denies may mean. Whatever is not known counts as what the rule is about, so
 * that nothing slips by for being hidden.
 */
export function mayMatch(rule: Rule, facts: Facts, context: GateContext): Matched {
  if (rule.command !== undefined) {
    const [name = [], ...words] = rule.command;
    const found = facts.commands.find((effect) => mayBeCommand({ name, words }, effect, context));
    return found === undefined ? undefined : shownCommand(found);
  }
  if (!mayBeTool(rule, facts, { strict: false })) return undefined;
  const file = mayFile(rule, facts, context);
  return file === "none" ? undefined : (file ?? facts.tool?.tool ?? "");
}

/** The first file that the rule may mean; undefined where it asks for none. */
function mayFile(rule: Rule, facts: Facts, context: GateContext): string | undefined {
  const { path, access } = rule;
  if (path === undefined) return undefined;
  const found = facts.files.find((file) => mayMatchPath({ path, access }, file, context));
  return found === undefined ? "none" : shownFile(found);
}

function mayBeTool(rule: Rule, { tool }: Facts, strictness: { readonly strict: boolean }): boolean {
  if (rule.tool === undefined && rule.args === undefined) return true;
  if (tool === undefined) return false;
  if (rule.tool !== undefined && !matchesTool(rule.tool, tool.tool, strictness)) return false;
  return rule.args === undefined || matchesArguments(rule.args, tool.args, strictness);
}

interface CommandRule {
  readonly name: RuleWord;
  readonly words: readonly RuleWord[];
}

function mayBeCommand({ name, words }: CommandRule, effect: CommandEffect, context: GateContext): boolean {
  const program = programMeant(name, effect, context);
  return program !== undefined && mayMatchArguments(words, program, effect.argv);
}

/** Programs that are many: the file that their name leads to does not say which one runs. */
const MANY_IN_ONE: ReadonlySet<string> = new Set(["busybox", "toybox", "coreutils", "uutils", "rustup"]);

/** The name by which a command may be the program that a rule means. */
function programMeant(wanted: RuleWord, effect: CommandEffect, context: GateContext): string | undefined {
  const written = literalText(effect.name);
  if (written === undefined) {
    const base = wanted.find((text) => text === ANY_WORD || mayBeProgram(effect, text));
    return base === undefined ? undefined : baseName(base);
  }
  const names = [baseName(written), plainLook(baseName(written)), ...realNames(written, effect, context)];
  const isMeant = wanted.some(
    (text) =>
      text === ANY_WORD ||
      (text.includes("/") ? isSameFile(text, written, effect, context) : names.includes(text)),
  );
  if (!isMeant) return undefined;
  return names.find((name) => wanted.includes(name)) ?? names[0];
}

function mayBeProgram({ name }: CommandEffect, text: string): boolean {
  // A path that is not wholly known may end in any name.
  return mayBeText(name, text) || (name.kind === "partial" && name.parts.some(isOpen));
}

function isOpen(part: unknown): boolean {
  return typeof part === "object" && part !== null && "hole" in part;
}

/** The name of the file that really runs, in every folder that the command may start in. */
function realNames(written: string, effect: CommandEffect, context: GateContext): readonly string[] {
  if (effect.internal) return [];
  return cwdsOf(effect, context).flatMap((here) => {
    const real = realProgram(written, here);
    const name = real === undefined ? "" : baseName(real);
    return name === "" || MANY_IN_ONE.has(name) ? [] : [name];
  });
}

function isSameFile(entry: string, written: string, effect: CommandEffect, context: GateContext): boolean {
  if (entry === written) return true;
  return cwdsOf(effect, context).some((here) => isProgram(entry, written, here));
}

function cwdsOf({ cwds }: CommandEffect, context: GateContext): readonly GateContext[] {
  const { workspace } = context;
  return (cwds ?? [workspace.cwd]).map((cwd) => ({ ...context, workspace: { ...workspace, cwd } }));
}

/** Whether a command surely is what a rule that allows means. */
export function surelyCommand(rule: Rule, effect: CommandEffect, context: GateContext): boolean {
  const [name, ...words] = rule.command ?? [];
  const written = literalText(effect.name);
  if (name === undefined || written === undefined) return false;
  const isNamed = cwdsOf(effect, context).every((here) =>
    name.some((entry) => entry === ANY_WORD || isProgram(entry, written, here)),
  );
  return isNamed && surelyMatchesArguments(words, baseName(written), effect.argv);
}

/** Whether a tool call surely is what a rule that allows means. */
export function surelyTool(rule: Rule, facts: Facts, context: GateContext): boolean {
  const { path, access } = rule;
  if (rule.command !== undefined || facts.tool === undefined) return false;
  if (!mayBeTool(rule, facts, { strict: true })) return false;
  if (path === undefined) return true;
  const files = facts.files.filter((file) => file.look === "path");
  return files.length > 0 && files.every((file) => surelyMatchesPath({ path, access }, file, context));
}

function shownCommand(effect: CommandEffect): string {
  return [effect.name, ...effect.argv].map(shownWord).join(" ");
}

function shownFile(file: FileFact): string {
  return shownWord(file.word);
}
