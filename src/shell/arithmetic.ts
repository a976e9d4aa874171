import { type ArithmeticExpression, forEachChild, type SyntaxNode, type Word as WordNode } from "unbash";
import { NO_CHOICE } from "./choices.ts";
import { expandQuoted, expandText } from "./expand.ts";
import type { Session } from "./session.ts";
import { hole, isHole, type Text } from "./value.ts";

/**
 * Arithmetic evaluates the values of variables again: a value such as `a[$(cmd)]` runs `cmd`. So every name in
 * an expression must hold a number, or come from the environment the shell was started with.
 */
export function checkArithmetic(session: Session, expression: ArithmeticExpression): void {
  const visit = (node: SyntaxNode): void => {
    if (node.type === "ArithmeticWord") {
      checkWord(session, node);
      return;
    }
    if (node.type === "ArithmeticBinary" && /^[^=!<>]*=$/.test(node.operator) && node.operator !== "==") {
      assignNumber(session, node.left);
    }
    if (node.type === "ArithmeticUnary" && /\+\+|--/.test(node.operator)) assignNumber(session, node.operand);
    forEachChild(node, visit);
  };
  visit(expression);
}

function assignNumber(session: Session, target: ArithmeticExpression): void {
  if (target.type !== "ArithmeticWord") return;
  const name = /^[A-Za-z_]\w*/.exec(target.value)?.[0];
  if (name === undefined) return;
  checkWord(session, target);
  session.countAssignment(name);
  session.scope.set(name, { values: [hole("integer")] });
}

function checkWord(session: Session, node: Extract<ArithmeticExpression, { type: "ArithmeticWord" }>): void {
  const parts = node.parts;
  if (parts === undefined) {
    checkArithmeticText(session, node.value);
    return;
  }
  checkText(session, expandQuoted(parts, session.expandEnv(NO_CHOICE)));
}

/** A subscript, an offset or an operand of `-eq`. */
export function checkSubscript(session: Session, word: WordNode): void {
  if (word.text === "@" || word.text === "*") return;
  checkText(session, expandText(word, session.expandEnv(NO_CHOICE)));
}

/** Text that is evaluated as arithmetic, such as the argument of `let`. */
export function checkText(session: Session, text: Text): void {
  for (const part of text) {
    if (typeof part === "string") checkArithmeticText(session, part);
    else if (!isHole(part)) session.problem("a file name is evaluated as arithmetic");
    else checkHole(session, part.hole);
  }
}

function checkHole(session: Session, source: string): void {
  if (source === "integer" || source === "inherited") return;
  session.emit({
    kind: "opaque",
    interpreter: "arithmetic",
    reach: "code",
    detail: "evaluates a value that is not known",
    literals: [],
  });
}

export function checkArithmeticText(session: Session, text: string): void {
  if (/[$`]/.test(text)) {
    session.problem("arithmetic holds a substitution in quotes");
    return;
  }
  for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) checkName(session, name, 0);
}

function checkName(session: Session, name: string, depth: number): void {
  session.step();
  if (depth > 8) {
    session.problem("arithmetic refers to too many variables");
    return;
  }
  const variable = session.scope.get(name);
  for (const value of [...(variable?.values ?? []), ...(variable?.elements ?? [])]) {
    for (const part of value) {
      if (typeof part !== "string") checkHole(session, isHole(part) ? part.hole : "unknown");
      else if (/[$`]/.test(part)) session.problem("arithmetic evaluates a value with a substitution");
      else
        for (const [next] of part.matchAll(/[A-Za-z_]\w*/g))
          if (next !== name) checkName(session, next, depth + 1);
    }
  }
}
