export type DecisionKind = "allow" | "ask" | "deny";

/** What the gate answers. Deny wins over ask, ask over allow. */
export interface Decision {
  readonly decision: DecisionKind;
  /** Id of the rule that decided: `deny_globs[2]`, `builtin:secrets`, `allow_binaries`, `default`. */
  readonly rule: string;
  /** Stable code for machines: `secret`, `deny_glob`, `outside_workspace`, `binary`, `argument`… */
  readonly code: string;
  /** What was judged, as the person wrote it (`../x`), or a whole sentence when `reason` is absent. */
  readonly what: string;
  /** Short reason, shown in parentheses: `secret`, `policy deny_glob`, `outside workspace`. */
  readonly reason?: string;
}

const RANK: Record<DecisionKind, number> = { allow: 0, ask: 1, deny: 2 };

/** The stricter of two decisions; the first one on a tie, so that the earliest reason is shown. */
export function strictest(a: Decision, b: Decision): Decision {
  return RANK[b.decision] > RANK[a.decision] ? b : a;
}

/** The strictest of some answers. */
export function strictestOf(...kinds: readonly [DecisionKind, ...DecisionKind[]]): DecisionKind {
  return kinds.reduce((a, b) => (RANK[b] > RANK[a] ? b : a));
}

/** The text behind `paldron: deny: `. */
export function describe(decision: Decision): string {
  return decision.reason === undefined ? decision.what : `${decision.what} (${decision.reason})`;
}
