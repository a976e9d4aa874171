import type {
  ParameterExpansionPart,
  ParameterOperation,
  ParameterSliceOperation,
  Word as WordNode,
} from "unbash";
import type { ExpandEnv } from "./expand.ts";
import { isMarked } from "./integer-mark.ts";
import type { Variable } from "./scope.ts";
import type { HoleSource } from "./types.ts";
import { hole, known, partsOf, sourceOf, type Text } from "./value.ts";

/** What one expansion yields: a string, a known list (`"${a[@]}"`), or any number of words. */
export type Expansion =
  | { readonly kind: "text"; readonly text: Text }
  | { readonly kind: "list"; readonly items: readonly Text[]; readonly star: boolean }
  | { readonly kind: "any"; readonly source: HoleSource };

type ExpandText = (word: WordNode, env: ExpandEnv) => Text;

const text = (value: Text): Expansion => ({ kind: "text", text: value });
const INTEGER = new Set(
  "? $ # RANDOM SRANDOM SECONDS LINENO UID EUID PPID BASHPID OPTIND EPOCHSECONDS SHLVL".split(" "),
);

/** `$name`, `$1`, `$@`. */
export function expandSimple(name: string, env: ExpandEnv): Expansion {
  if (name === "@" || name === "*") return positionalList(env, name === "*");
  if (/^\d+$/.test(name)) return text(positional(Number(name), env));
  const variable = env.scope.get(name);
  if (variable !== undefined) return text(choose(name, variable, env));
  if (INTEGER.has(name)) return text(hole("integer"));
  return text(inherited(name, env));
}

function inherited(name: string, env: ExpandEnv): Text {
  if (name === "PWD") {
    const folders = env.scope.cwds;
    if (folders === undefined) return hole("unknown");
    const index = folders.length === 1 ? 0 : env.pick("PWD", folders.length);
    const folder = folders[index];
    return folder === undefined ? hole("unknown") : [folder];
  }
  if (name === "HOME" && env.home !== undefined) return [env.home];
  if (name === "IFS") return [" \t\n"];
  const value = env.environment.get(name);
  return value === undefined ? hole("inherited") : [value];
}

function choose(name: string, variable: Variable, env: ExpandEnv): Text {
  const { values } = variable;
  const index = values.length === 1 ? 0 : env.pick(name, values.length);
  return values[index] ?? hole("unknown");
}

function positionalList(env: ExpandEnv, star: boolean): Expansion {
  const words = env.scope.positional;
  if (words === undefined) return { kind: "any", source: "unknown" };
  if (words.some((word) => word.kind !== "literal" && word.many)) return { kind: "any", source: "unknown" };
  return { kind: "list", items: words.map(partsOf), star };
}

function positional(index: number, env: ExpandEnv): Text {
  if (index === 0) return hole("inherited");
  const words = env.scope.positional;
  if (words === undefined) return hole("unknown");
  const before = words.slice(0, index);
  if (before.some((word) => word.kind !== "literal" && word.many)) return hole("unknown");
  const word = words[index - 1];
  return word === undefined ? [] : partsOf(word);
}

/** `${…}` in all its forms; whatever is not worked out is a hole. */
export function expandParameter(part: ParameterExpansionPart, env: ExpandEnv, expand: ExpandText): Expansion {
  if (part.prefix === "#") return text(hole("integer"));
  if (part.prefix === "!") return indirect(part, env);
  const value =
    part.index === undefined ? expandSimple(part.parameter, env) : element(part, part.index, env, expand);
  const operation = part.operation;
  if (operation === undefined) return value;
  if (operation.type === "Default") return withDefault(part, value, env, expand);
  if (value.kind === "any") return value;
  if (value.kind === "list") return { ...value, items: value.items.map((item) => derive(item)) };
  if (operation.type === "Remove")
    return text(remove(value.text, operation.operator, expand(operation.operand, env)));
  if (operation.type === "Transform") return text(hole("unknown"));
  return text(change(value.text, operation, (word) => expand(word, env)));
}

/** Characters cut out of a value or changed in it. */
function derive(value: Text): Text {
  const source = sourceOf(value);
  if (source === undefined) return known(value) === "" ? value : hole("unknown");
  return hole(source);
}

/** `${x,,}`, `${x/a/b}`, `${x:1:2}` of a value that is known, with operands that are. */
function change(value: Text, operation: ParameterOperation, expand: (word: WordNode) => Text): Text {
  const whole = known(value);
  if (whole === undefined) return derive(value);
  if (isMarked(whole)) return hole("unknown");
  // Other characters than these change their case by the locale.
  const isPlain = /^\p{ASCII}*$/u.test(whole);
  if (operation.type === "CaseModification" && operation.operand === undefined && isPlain)
    return [inCase(whole, operation.operator)];
  if (operation.type === "Slice") return slice(whole, operation, expand);
  if (operation.type === "Replace" && /^\/\/?$/.test(operation.operator)) {
    const pattern = known(expand(operation.pattern));
    const by = known(expand(operation.replacement));
    if (pattern === undefined || by === undefined || /[*?[\\(]/.test(pattern) || /[&\\]/.test(by))
      return hole("unknown");
    if (pattern === "") return [whole];
    return [
      operation.operator === "//" ? whole.replaceAll(pattern, () => by) : whole.replace(pattern, () => by),
    ];
  }
  return derive(value);
}

function inCase(text: string, operator: string): string {
  const [first = "", rest = ""] = operator.length === 2 ? [text, ""] : [text.slice(0, 1), text.slice(1)];
  return (operator.startsWith(",") ? first.toLowerCase() : first.toUpperCase()) + rest;
}

function slice(
  whole: string,
  { offset, length }: ParameterSliceOperation,
  expand: (word: WordNode) => Text,
): Text {
  const number = (word: WordNode | undefined): number | undefined => {
    const digits = word === undefined ? undefined : known(expand(word))?.trim();
    return digits !== undefined && /^\d{1,6}$/.test(digits) ? Number(digits) : undefined;
  };
  const [from, count] = [number(offset), number(length)];
  if (from === undefined || (length !== undefined && count === undefined) || !/^\p{ASCII}*$/u.test(whole))
    return hole("unknown");
  return [count === undefined ? whole.slice(from) : whole.slice(from, from + count)];
}

function remove(value: Text, operator: string, pattern: Text): Text {
  const cut = known(pattern);
  if (cut === undefined) return hole("unknown");
  const whole = known(value);
  if (whole !== undefined && isMarked(whole)) return hole("unknown");
  if (!/[*?[\\(]/.test(cut)) return removeLiteral(value, operator, cut);
  if (whole === undefined) return derive(value);
  if (cut === "*/" && operator === "##") return [whole.slice(whole.lastIndexOf("/") + 1)];
  if (cut === "/*" && operator === "%")
    return [whole.includes("/") ? whole.slice(0, whole.lastIndexOf("/")) : whole];
  if (cut === ".*" && operator === "%")
    return [whole.includes(".") ? whole.slice(0, whole.lastIndexOf(".")) : whole];
  return hole("unknown");
}

function removeLiteral(value: Text, operator: string, cut: string): Text {
  const suffix = operator.startsWith("%");
  const edge = suffix ? value[value.length - 1] : value[0];
  if (typeof edge !== "string") return value.length === 0 ? value : derive(value);
  if (edge.length < cut.length && value.length > 1) return derive(value);
  if (suffix)
    return edge.endsWith(cut) ? [...value.slice(0, -1), edge.slice(0, edge.length - cut.length)] : value;
  return edge.startsWith(cut) ? [edge.slice(cut.length), ...value.slice(1)] : value;
}

function indirect(part: ParameterExpansionPart, env: ExpandEnv): Expansion {
  if (part.index !== undefined || part.operation !== undefined) return { kind: "any", source: "unknown" };
  const name = expandSimple(part.parameter, env);
  const target = name.kind === "text" ? known(name.text) : undefined;
  if (target === undefined || !/^[A-Za-z_]\w*$/.test(target)) return { kind: "any", source: "unknown" };
  return expandSimple(target, env);
}

function element(
  part: ParameterExpansionPart,
  index: WordNode,
  env: ExpandEnv,
  expand: ExpandText,
): Expansion {
  const at = known(expand(index, env));
  if (part.parameter === "@" || part.parameter === "*") return { kind: "any", source: "unknown" };
  const variable = env.scope.get(part.parameter);
  const elements = variable?.elements;
  if (at === "@" || at === "*") {
    if (elements !== undefined) return { kind: "list", items: elements, star: at === "*" };
    return { kind: "any", source: variable === undefined ? "inherited" : weakest(variable) };
  }
  if (elements === undefined)
    return text(variable === undefined ? hole("inherited") : hole(weakest(variable)));
  const item = at !== undefined && /^\d{1,4}$/.test(at) ? elements[Number(at)] : undefined;
  return text(item ?? hole("unknown"));
}

const weakest = (variable: Variable): HoleSource =>
  variable.values.length === 1 && sourceOf(variable.values[0] ?? []) === "listing" ? "listing" : "unknown";

function withDefault(
  part: ParameterExpansionPart,
  value: Expansion,
  env: ExpandEnv,
  expand: ExpandText,
): Expansion {
  if (part.operation?.type !== "Default" || value.kind !== "text") return { kind: "any", source: "unknown" };
  const { operator, operand } = part.operation;
  const instead = (): Expansion => text(expand(operand, env));
  const plus = operator.includes("+");
  const certain = known(value.text);
  const assigned = env.scope.get(part.parameter) !== undefined;
  if (certain !== undefined && (assigned || certain !== "")) {
    const present = operator.startsWith(":") ? certain !== "" : true;
    return present === plus ? instead() : plus ? text([]) : value;
  }
  const both = [instead, (): Expansion => (plus ? text([]) : value)];
  const chosen = both[env.pick(`\${${part.pos}}`, both.length)];
  return chosen === undefined ? text(hole("unknown")) : chosen();
}
