import type { Decision } from "../core/decision.ts";
import type { Request } from "../core/request.ts";
import type { GateContext } from "./context.ts";

/**
 * The part of the gate that knows `[[rule]]` (`./rules/judge.ts`). It reads shell, so whoever asks the gate loads it
 * only for a policy that has rules.
 */
export interface RuleJudge {
  /**
   * The decision with the rules of the policy, given the one without them.
   * @throws PaldronError `policy` where a rule does not do what its own `match` and `not_match` lines say.
   */
  readonly judge: (request: Request, without: Decision, context: GateContext) => Decision;
}
