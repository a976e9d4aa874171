import { type Command, forEachChild, type SyntaxNode } from "unbash";

/** What the body of a loop may change, found by its form alone. */
export interface Changes {
  /** Names that only ever get numbers, and all others. */
  readonly names: ReadonlyMap<string, "integer" | "any">;
  /** Something may assign any variable (`eval`, `source`, an unknown command). */
  readonly all: boolean;
  readonly folder: boolean;
  /** Names that `declare -i` makes numbers. */
  readonly integers: readonly string[];
}

const NAMING = new Set(
  "read mapfile readarray getopts printf declare typeset local export readonly unset let wait".split(" "),
);
const DECLARING = new Set("declare typeset local export readonly".split(" "));
const ANY = new Set("eval source . trap set shift shopt enable builtin command exec alias".split(" "));
const FOLDER = new Set(["cd", "pushd", "popd"]);

/** `functions`: names of functions of the text, whose bodies may assign anything. */
export function changesIn(node: SyntaxNode, functions: { has(name: string): boolean }): Changes {
  const names = new Map<string, "integer" | "any">();
  const integers: string[] = [];
  let all = false;
  let folder = false;
  const add = (name: string, kind: "integer" | "any"): void => {
    names.set(name, kind === "integer" && names.get(name) !== "any" ? "integer" : "any");
  };
  const visit = (child: SyntaxNode): void => {
    if (
      child.type === "Subshell" ||
      child.type === "CommandExpansion" ||
      child.type === "ProcessSubstitution"
    )
      return;
    if (child.type === "Word" && child.parts === undefined) return;
    if (child.type === "Assignment") add(child.name, isNumber(child.value) ? "integer" : "any");
    if (child.type === "For" || child.type === "Select") add(child.name.value, "any");
    if (child.type === "ArithmeticBinary" && child.left.type === "ArithmeticWord")
      addName(child.left.value, add);
    if (child.type === "ArithmeticUnary" && child.operand.type === "ArithmeticWord")
      addName(child.operand.value, add);
    if (child.type === "ParameterExpansion" && child.operation?.type === "Default")
      add(child.parameter, "any");
    if (child.type === "Function" || child.type === "Coproc") all = true;
    if (child.type === "Command" && child.name !== undefined) {
      const name = child.name.value;
      if (FOLDER.has(name)) folder = true;
      if (ANY.has(name) || functions.has(name) || isDynamic(child.name)) all = true;
      if (DECLARING.has(name)) integers.push(...integersOf(child));
      if (NAMING.has(name))
        for (const arg of child.args) if (arg.type === "Word") addWord(arg.text, add, () => (all = true));
    }
    forEachChild(child, visit);
  };
  forEachChild(node, visit);
  return { names, all, folder: folder || all, integers };
}

function integersOf({ args }: Command): readonly string[] {
  const texts = args.map((arg) => (arg.type === "Word" ? arg.text : arg.name));
  return texts.some((text) => /^-\w*i/.test(text)) ? texts.filter((text) => /^[A-Za-z_]\w*$/.test(text)) : [];
}

const isDynamic = (word: SyntaxNode & { type: "Word" }): boolean =>
  word.parts?.some((part) => /Expansion$/.test(part.type) || part.type === "DoubleQuoted") === true;

function isNumber(value: SyntaxNode): boolean {
  if (value.type !== "Word") return false;
  if (value.parts === undefined) return /^-?\d+$/.test(value.value);
  return value.parts.every((part) => part.type === "ArithmeticExpansion");
}

function addName(text: string, add: (name: string, kind: "integer" | "any") => void): void {
  const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
  if (name !== undefined) add(name, "integer");
}

function addWord(text: string, add: (name: string, kind: "any") => void, everything: () => void): void {
  if (text.startsWith("-")) return;
  const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
  if (name !== undefined) add(name, "any");
  else if (/[$`"']/.test(text)) everything();
}
