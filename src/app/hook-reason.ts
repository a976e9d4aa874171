import type { Decision } from "../core/decision.ts";
import type { Workspace } from "../core/request.ts";
import { secretValuesIn } from "../host/secret-values.ts";
import { secretMatcher } from "../policy/secrets.ts";
import type { Policy } from "../policy/types.ts";
import { Redactor } from "../secrets/find.ts";

export interface ReasonInput {
  /** The command that was judged, if it was one. */
  readonly text: string | undefined;
  readonly policy: Policy;
  readonly workspace: Workspace;
}

/** A name that may stand in a reason: one word that hands nothing over. */
const PLAIN_NAME = /^[\p{L}\p{N}._/~@+,:*?{}[\]()…\\-]{1,120}$/u;

/**
 * Why, in one line that goes to a model, a screen and a log: never the raw command, which may hold a secret, nor the
 * value of one. What was judged is named only where it is a plain name; otherwise the rule is.
 */
export function hookReason(decision: Decision, input: ReasonInput): string {
  const { what, reason, rule } = decision;
  const isSentence = reason === undefined;
  const isNamed =
    isSentence || (what !== input.text?.trim() && PLAIN_NAME.test(what)) || /^(?:tool|argument) '/.test(what);
  const said = isSentence ? what : isNamed ? `${what} (${reason})` : `${reason} (rule ${rule})`;
  return redactor(input).clean(said.replace(/\s+/g, " "));
}

/** Knows secrets by their form and those of the workspace's files by their value. */
export function redactor({ policy, workspace }: Pick<ReasonInput, "policy" | "workspace">): Redactor {
  const secrets = secretMatcher(policy, [workspace.root]);
  const folders = [...new Set([workspace.root, workspace.cwd])];
  return new Redactor(
    folders.flatMap((folder) => secretValuesIn(folder, (name) => secrets.match(name) !== undefined)),
  );
}
