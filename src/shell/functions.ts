import type { Coproc, Function as FunctionNode } from "unbash";
import type { Runner } from "./runner.ts";
import { nothing, type Outcome, type Session } from "./session.ts";
import type { Word } from "./types.ts";
import { hole, type Text } from "./value.ts";

export function defineFunction(session: Session, node: FunctionNode): Outcome {
  if (!session.bodies.has(node)) session.bodies.set(node, "defined");
  if (!session.scope.setFunction(node.name.value, node)) session.problem("too many functions");
  if (session.scope.dialect !== "bash" && node.name.text !== node.name.value)
    session.problem("a function name in quotes");
  return nothing(session);
}

/** A call: the body runs in the caller's shell, with arguments of its own. */
export function callFunction(
  session: Session,
  node: FunctionNode,
  args: readonly Word[],
  runner: Runner,
): Text {
  const nested = session.calls.filter((call) => call === node).length;
  session.bodies.set(node, "called");
  if (nested > 1) {
    // A recursive call was already read with every value unknown.
    session.scope.forgetAll();
    session.scope.cwds = undefined;
    return hole("unknown");
  }
  const before = session.scope.positional;
  if (nested === 1) {
    session.scope.forgetAll();
    session.scope.cwds = undefined;
  }
  session.scope.positional = nested === 1 ? undefined : args;
  session.calls.push(node);
  session.exits.push([]);
  const out = session.within("function", () => runBody(session, node, runner), hole("unknown"));
  for (const exit of session.exits.pop() ?? []) session.scope.join(exit);
  session.calls.pop();
  session.scope.dead = false;
  session.scope.positional = before;
  return out;
}

function runBody(session: Session, node: FunctionNode, runner: Runner): Text {
  const body = node.body;
  if (body.type === "CompoundList") return runner.list(session, body).out;
  const outcome = runner.node(session, body);
  if (outcome.ok !== outcome.fail) {
    session.scope = outcome.ok.fork();
    session.scope.join(outcome.fail);
  } else session.scope = outcome.ok;
  return outcome.out;
}

export function runCoproc(session: Session, node: Coproc, runner: Runner): Outcome {
  const body = node.body;
  const work = (): void => {
    session.isolated(() =>
      body.type === "CompoundList" ? runner.list(session, body) : runner.node(session, body),
    );
  };
  if (session.scope.dialect !== "bash") session.problem("`coproc` means something else in other shells");
  session.within("coproc", () => session.withStdin({ kind: "file" }, work), undefined);
  session.scope.forget(node.name?.value ?? "COPROC");
  return nothing(session);
}
