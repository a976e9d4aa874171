import { type WordPart as PartNode, parse, type Word as WordNode } from "unbash";
import { expandBraces } from "./braces.ts";
import { FieldBuilder } from "./fields.ts";
import { type Expansion, expandParameter, expandSimple } from "./parameter.ts";
import type { Scope } from "./scope.ts";
import { leadingTilde, plainWord, tildeText } from "./tilde.ts";
import type { Word } from "./types.ts";
import { concat, hasGlob, hole, known, type Text, wordOf } from "./value.ts";

/** What expansion needs to know beside the word. */
export interface ExpandEnv {
  readonly scope: Scope;
  readonly home: string | undefined;
  /** Variables of the environment whose value is known. */
  readonly environment: ReadonlyMap<string, string>;
  /** Chooses one of several values; the same name gets the same choice within one run. -1: too many to try. */
  readonly pick: (name: string, count: number) => number;
  /** What a substitution prints, as far as that is known. */
  readonly output: (part: PartNode) => Text;
  /** The texts one of which a substitution prints, where there are several. */
  readonly alternatives: (part: PartNode) => readonly Text[] | undefined;
}

/** A word in a place where it is split and globbed: any number of arguments. */
export function expandFields(word: WordNode, env: ExpandEnv): readonly Word[] {
  const parts = word.parts;
  if (parts === undefined) return [plainWord(word, env)];
  if (parts.some((part) => part.type === "BraceExpansion")) return expandBraced(word, env);
  const builder = new FieldBuilder(ifs(env));
  const rest = leadingTilde(parts, env, "word", (text) => builder.add(text));
  const pick: ExpandEnv["pick"] = (name, count) => (name.startsWith("$(") ? 0 : env.pick(name, count));
  // Nothing stands around it.
  const own = isOnlyOutput(parts) ? { ...env, pick } : env;
  for (const part of rest) addPart(part, builder, own);
  return builder.finish();
}

/** A word that stays one string: assignments, here-strings, `case`. */
export function expandText(word: WordNode, env: ExpandEnv, where: "value" | "assignment" = "value"): Text {
  const parts = word.parts;
  if (parts === undefined) return tildeText(word, env, where);
  let out: Text = [];
  const rest = leadingTilde(parts, env, where, (text) => {
    out = concat(out, [text]);
  });
  for (const part of rest) {
    const isLater = where === "assignment" && part.type === "Literal" && /:~/.test(part.text);
    out = concat(out, isLater ? hole("unknown") : textOfPart(part, env));
  }
  return out;
}

/** The target of a redirection: one word, globbed but never split into several files. */
export function expandTarget(word: WordNode, env: ExpandEnv): Word {
  const fields = expandFields(word, env);
  const [only] = fields;
  return fields.length === 1 && only !== undefined
    ? only
    : { kind: "unknown", source: "unknown", many: false };
}

/** The body of a here-document or other text that is read as between double quotes. */
export function expandQuoted(parts: readonly PartNode[], env: ExpandEnv): Text {
  let out: Text = [];
  for (const part of parts) out = concat(out, textOfPart(part, env));
  return out;
}

function ifs(env: ExpandEnv): string | undefined {
  const variable = env.scope.get("IFS");
  if (variable === undefined) return " \t\n";
  const [value] = variable.values;
  return variable.values.length === 1 && value !== undefined ? known(value) : undefined;
}

function addPart(part: PartNode, builder: FieldBuilder, env: ExpandEnv): void {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      builder.add(part.value);
      return;
    case "AnsiCQuoted":
      for (const piece of ansiText(part, env)) builder.add(piece);
      builder.add("");
      return;
    case "Glob":
      builder.add({ glob: part.text });
      return;
    case "ExtendedGlob":
      builder.add({ glob: part.text });
      return;
    case "DoubleQuoted":
    case "LocaleString":
      // `"$@"` without arguments is no word at all, unlike `""`.
      if (!isOnlyList(part.parts, env)) builder.add("");
      for (const child of part.parts) addExpansion(child, builder, env, true);
      return;
    default:
      addExpansion(part, builder, env, false);
      return;
  }
}

/** `\x{…}` and a backslash before the end of a line are read otherwise by the parser than by bash. */
function ansiText(part: Extract<PartNode, { type: "AnsiCQuoted" }>, env: ExpandEnv): Text {
  // Some shells behind `sh` know it not: a dollar sign and a string.
  const reading = env.scope.dialect === "sh" ? env.pick(`$'${part.pos}`, 2) : 0;
  if (reading !== 0) return reading === 1 ? [`$${part.text.slice(2, -1)}`] : hole("unknown");
  return /\\(?:x\{|\n)/.test(part.text) ? hole("unknown") : [part.value];
}

function isOnlyList(parts: readonly PartNode[], env: ExpandEnv): boolean {
  const [only] = parts;
  if (parts.length !== 1 || only === undefined || only.type === "Literal") return false;
  const expansion = expansionOf(only, env);
  return expansion.kind === "any" || (expansion.kind === "list" && !expansion.star);
}

function addExpansion(part: PartNode, builder: FieldBuilder, env: ExpandEnv, quoted: boolean): void {
  if (part.type === "Literal") {
    builder.add(part.value);
    return;
  }
  const expansion = expansionOf(part, env);
  if (expansion.kind === "any") {
    builder.anyNumber({ hole: expansion.source });
    return;
  }
  if (expansion.kind === "list" && !(expansion.star && quoted)) {
    builder.list(expansion.items, quoted);
    return;
  }
  const text = joined(expansion, env);
  if (!quoted) {
    builder.split(text);
    return;
  }
  for (const piece of text) builder.add(piece);
}

function expansionOf(part: PartNode, env: ExpandEnv): Expansion {
  switch (part.type) {
    case "SimpleExpansion":
      return expandSimple(part.text.replace(/\\\n/g, "").slice(1), env);
    case "ParameterExpansion":
      return expandParameter(part, env, expandText);
    case "CommandExpansion":
    case "ProcessSubstitution":
      return { kind: "text", text: printed(part, env) };
    case "ArithmeticExpansion":
      return { kind: "text", text: hole("integer") };
    default:
      return { kind: "text", text: hole("unknown") };
  }
}

function isOnlyOutput(parts: readonly PartNode[]): boolean {
  const [only] = parts;
  if (parts.length !== 1 || only === undefined) return false;
  return only.type === "DoubleQuoted" ? isOnlyOutput(only.parts) : only.type === "CommandExpansion";
}

/** A search that finds nothing prints nothing, which makes another name of what stands around it. */
function printed(part: PartNode, env: ExpandEnv): Text {
  const alternatives = env.alternatives(part);
  if (alternatives !== undefined) {
    const index = alternatives.length === 1 ? 0 : env.pick(`||${part.pos}`, alternatives.length);
    return alternatives[index] ?? hole("unknown");
  }
  const text = env.output(part);
  const [first] = text;
  if (!hasGlob(text) && (text.length === 1 || typeof first !== "object" || !("hole" in first))) return text;
  const outcome = env.pick(`$(${part.pos}`, 2);
  if (outcome === 0) return text;
  return outcome === 1 ? [] : hole("unknown");
}

function textOfPart(part: PartNode, env: ExpandEnv): Text {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return [part.value];
    case "AnsiCQuoted":
      return ansiText(part, env);
    case "Glob":
    case "ExtendedGlob":
      return [part.text];
    case "BraceExpansion":
      return part.parts === undefined ? [part.text.replace(/\\(.)/gs, "$1")] : expandQuoted(part.parts, env);
    case "DoubleQuoted":
    case "LocaleString":
      return expandQuoted(part.parts, env);
    default:
      return joined(expansionOf(part, env), env);
  }
}

function joined(expansion: Expansion, env: ExpandEnv): Text {
  if (expansion.kind === "text") return expansion.text;
  if (expansion.kind === "any") return hole(expansion.source);
  const separator = ifs(env);
  const between: Text = separator === undefined ? hole("unknown") : [separator.slice(0, 1)];
  let out: Text = [];
  expansion.items.forEach((item, index) => {
    out = concat(out, index === 0 ? item : [...between, ...item]);
  });
  return out;
}

/** Brace expansion is textual, so each of its results is read as a word of its own. */
function expandBraced(word: WordNode, env: ExpandEnv): readonly Word[] {
  const any: Word = { kind: "unknown", source: "unknown", many: true };
  // Some shells behind `sh` know no braces.
  const isPlain = env.scope.dialect === "sh" ? env.pick(`{${word.pos}}`, 2) : 0;
  if (isPlain !== 0)
    return isPlain === 1 && !/[$`*?[~]/.test(word.text) ? [wordOf(expandText(word, env))] : [any];
  const texts = expandBraces(word.text);
  if (texts === undefined) return [any];
  const out: Word[] = [];
  for (const text of texts) {
    if (text === "") continue;
    const script = parse(`: ${text.startsWith("#") ? "\\" : ""}${text}`);
    const command = script.commands[0]?.command;
    if (script.errors !== undefined || script.commands.length !== 1 || command?.type !== "Command")
      return [any];
    const [arg] = command.args;
    if (command.args.length !== 1 || arg?.type !== "Word" || command.redirects.length > 0) return [any];
    if (arg.parts?.some((part) => part.type === "BraceExpansion")) return [any];
    out.push(...expandFields(arg, env));
  }
  return out;
}
