import {
  type ArithmeticExpression,
  forEachChild,
  type ParameterExpansionPart,
  type ParsedScript,
  type SyntaxNode,
  type Word as WordNode,
} from "unbash";
import { checkArithmetic, checkArithmeticText, checkSubscript, checkText } from "./arithmetic.ts";
import { NO_CHOICE } from "./choices.ts";
import { expandText } from "./expand.ts";
import { lookupsOf } from "./lookups.ts";
import type { Session } from "./session.ts";
import { hole, known, type Text, unionTexts } from "./value.ts";

/** How the scripts inside a word are walked; given by the walker. */
export type WalkScript = (session: Session, script: ParsedScript) => Text;

/**
 * Finds what the words of a command run by themselves: substitutions, subscripts that are evaluated, `${x@P}`,
 * `${x:=…}`. Every part that runs something is visited once, before the command's own words are expanded.
 */
export function scanWord(session: Session, node: SyntaxNode, walk: WalkScript): void {
  switch (node.type) {
    case "Word":
      // Without parts nothing in the word expands.
      if (node.parts === undefined) return;
      break;
    case "CommandExpansion":
    case "ProcessSubstitution":
      scanScript(session, node, walk);
      return;
    case "ArithmeticExpansion":
      if (node.expression !== undefined) scanArithmetic(session, node.expression, walk);
      else checkArithmeticText(session, node.text.replace(/^\$\(\(|\)\)$|^\$\[|\]$/g, ""));
      return;
    case "ParameterExpansion":
      forEachChild(node, (child) => scanWord(session, child, walk));
      scanParameter(session, node);
      return;
    case "BraceExpansion":
      // Without parts the braces hold plain text; with a script inside, it is among the parts.
      break;
    default:
      break;
  }
  forEachChild(node, (child) => scanWord(session, child, walk));
}

function scanScript(
  session: Session,
  node: Extract<SyntaxNode, { type: "CommandExpansion" | "ProcessSubstitution" }>,
  walk: WalkScript,
): void {
  const script = node.script;
  if (script === undefined) {
    session.problem("a substitution could not be read");
    return;
  }
  const process = node.type === "ProcessSubstitution";
  const run = (): Text => session.isolated(() => walk(session, script));
  session.printing = filePrinted(script);
  const out = session.within(process ? "process substitution" : "substitution", run, hole("unknown"));
  if (process) session.printed.set(node, out);
  session.outputs.set(node, process ? hole("fresh") : trimNewlines(out));
  if (process) return;
  const lookups = lookupsOf(session, script, out);
  if (lookups !== undefined) session.alternatives.set(node, lookups.map(trimNewlines));
  // `${ cmd; }` runs in the current shell.
  if (node.text.startsWith("${")) {
    session.scope.forgetAll();
    session.scope.cwds = undefined;
  }
}

/** `$(<file)` prints the file; with anything beside it nothing is printed. */
function filePrinted({ commands }: ParsedScript): SyntaxNode | undefined {
  const [statement, ...others] = commands;
  const command = statement?.command;
  if (others.length > 0 || statement?.background === true || command?.type !== "Command") return undefined;
  const { name, prefix, redirects } = command;
  const [only, ...more] = redirects;
  const isRead = only?.type === "Redirect" && only.operator === "<" && more.length === 0;
  const isBare = name === undefined && prefix.every((part) => part.type !== "Assignment");
  return isRead && isBare ? command : undefined;
}

function trimNewlines(text: Text): Text {
  const last = text[text.length - 1];
  if (typeof last !== "string") return text;
  return [...text.slice(0, -1), last.replace(/\n+$/, "")];
}

/** Substitutions inside an arithmetic expression, then what its variables would evaluate. */
export function scanArithmetic(session: Session, expression: ArithmeticExpression, walk: WalkScript): void {
  const visit = (node: SyntaxNode): void => {
    if (node.type === "ArithmeticCommandExpansion") {
      const script = node.script;
      if (script === undefined) {
        session.problem("a substitution could not be read");
        return;
      }
      session.within("substitution", () => session.isolated(() => walk(session, script)), hole("unknown"));
      return;
    }
    if (node.type === "ArithmeticWord") {
      for (const part of node.parts ?? []) scanWord(session, part, walk);
      return;
    }
    forEachChild(node, visit);
  };
  visit(expression);
  checkArithmetic(session, expression);
}

function scanParameter(session: Session, node: ParameterExpansionPart): void {
  if (node.index !== undefined && !session.associative.has(node.parameter))
    checkSubscript(session, node.index);
  const operation = node.operation;
  if (node.prefix === "!" && operation?.type !== "Names") checkIndirect(session, node);
  if (operation === undefined) return;
  if (operation.type === "Unknown") {
    session.problem("an expansion could not be read");
    return;
  }
  if (operation.type === "Slice") {
    checkSubscript(session, operation.offset);
    if (operation.length !== undefined) checkSubscript(session, operation.length);
  }
  if (operation.type === "Default" && operation.operator.includes("="))
    assignDefault(session, node, operation.operand);
  if (operation.type === "Transform" && /[PEA]/.test(operation.operand.text)) checkTransform(session, node);
}

function assignDefault(session: Session, node: ParameterExpansionPart, operand: WordNode): void {
  if (node.index !== undefined) {
    session.scope.forget(node.parameter);
    return;
  }
  session.countAssignment(node.parameter);
  const value = expandText(operand, session.expandEnv(NO_CHOICE));
  if (session.integers.has(node.parameter)) checkText(session, value);
  const before = session.scope.get(node.parameter)?.values ?? [hole("inherited")];
  const values = unionTexts(before, [value]);
  session.scope.set(node.parameter, { values: values ?? [hole("unknown")] });
}

/** `${!x}`: the value of `x` is a name, and a subscript in it is evaluated. */
function checkIndirect(session: Session, node: ParameterExpansionPart): void {
  // `${!m[@]}` are the keys of an array.
  if (node.index !== undefined && /^[@*]$/.test(node.index.text)) return;
  const variable = session.scope.get(node.parameter);
  for (const value of variable?.values ?? []) {
    const name = known(value);
    if (name === undefined || /[[$`]/.test(name)) {
      session.problem("the name in an indirect expansion is not known");
      return;
    }
  }
}

/** `${x@P}` expands the value once more, substitutions included. */
function checkTransform(session: Session, node: ParameterExpansionPart): void {
  if (node.operation?.type !== "Transform" || node.operation.operand.text !== "P") return;
  const values = session.scope.get(node.parameter)?.values ?? [hole("inherited")];
  for (const value of values) {
    const text = known(value);
    if (text === undefined || /[$`\\]/.test(text)) {
      session.problem("a value is expanded a second time");
      return;
    }
  }
}
