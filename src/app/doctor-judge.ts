import {
  PROTECTIONS,
  type Protection,
  type ProtectionState,
  type ProtectionTable,
} from "../core/protection.ts";
import { SEEN_BY_STAND, TRIES } from "./doctor-tries.ts";
import type { DoctorRow, RowResult, Tried } from "./doctor-types.ts";

/** What became of the attempts, inside of a run or without one. */
export interface Observed {
  /** `ok`, the name of an errno or of a signal, or `broken`. */
  readonly outcomes: ReadonlyMap<string, string>;
  /** Attempts whose effect was seen on the disk. */
  readonly effects: ReadonlySet<string>;
  /** What the target was reached by. */
  readonly hits: ReadonlySet<string>;
}

export interface JudgeInput {
  readonly protections: ProtectionTable;
  readonly required: readonly Protection[];
  readonly inside: Observed;
  /** The control: the same attempts with nothing around them. */
  readonly outside: Observed;
  /** Attempts whose effect the disk would show. */
  readonly seenOnDisk: ReadonlySet<string>;
  readonly remedy: (name: Protection) => string | undefined;
}

/** How a kernel refuses. Anything else says that the attempt went wrong, which proves nothing. */
const REFUSALS: ReadonlySet<string> = new Set([
  "EACCES",
  "EPERM",
  "ENOENT",
  "ESRCH",
  "EROFS",
  "EBUSY",
  "EXDEV",
  "ENOSYS",
  "EIO",
  "ENOTTY",
  "ENXIO",
  "EOPNOTSUPP",
  "ENOTSUP",
  "EAFNOSUPPORT",
  "EPROTONOSUPPORT",
  "ESOCKTNOSUPPORT",
  "ECONNREFUSED",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EFBIG",
  "EMFILE",
  "ENOMEM",
  "EAGAIN",
  "SIGSYS",
  // Of the attempts that the runs answer.
  "refused",
]);

/** Attempts beside those of the probe, which the runs themselves answer. */
export const LEFT_ALIVE = "left-alive";
export const KEPT_TOO_MUCH = "kept-too-much";
export const UNSEEN_BY_SCAN = "unseen-by-scan";

const OF_THE_RUN: Partial<Readonly<Record<Protection, string>>> = {
  "tree-kill": LEFT_ALIVE,
  output: KEPT_TOO_MUCH,
  "secrets-late": UNSEEN_BY_SCAN,
};

/** A row for each protection. */
export function judgeRows(input: JudgeInput): readonly DoctorRow[] {
  return PROTECTIONS.map((name) => row(name, input));
}

function row(name: Protection, input: JudgeInput): DoctorRow {
  const state = input.protections[name];
  const { how, allowed } = TRIES[name];
  const own = OF_THE_RUN[name];
  const forbidden = own === undefined ? TRIES[name].forbidden : [...TRIES[name].forbidden, own];
  const verdict = judge({ state, forbidden, allowed }, input);
  return {
    protection: name,
    required: input.required.includes(name),
    enforced: state.enforced,
    by: state.by,
    whyNot: state.why_not,
    how,
    tried: [
      ...forbidden.map((attempt) => tried(attempt, "forbidden", input)),
      ...allowed.map((attempt) => tried(attempt, "allowed", input)),
    ],
    result: verdict.result,
    note: verdict.note,
    remedy: state.enforced ? undefined : input.remedy(name),
  };
}

function tried(name: string, kind: Tried["kind"], input: JudgeInput): Tried {
  const outcome = (observed: Observed): string | undefined => {
    const said = observed.outcomes.get(name);
    // A datagram to nobody, a change that was taken back.
    return said === "ok" && kind === "forbidden" && !gotThrough(name, observed, input) ? "no effect" : said;
  };
  return { name, kind, inside: outcome(input.inside) ?? "broken", outside: outcome(input.outside) };
}

interface Judged {
  readonly result: RowResult;
  readonly note: string | undefined;
}

interface Case {
  readonly state: ProtectionState;
  readonly forbidden: readonly string[];
  readonly allowed: readonly string[];
}

/** The strictest finding first. */
function judge({ state, forbidden, allowed }: Case, input: JudgeInput): Judged {
  const { inside, outside } = input;
  const through = forbidden.filter((name) => gotThrough(name, inside, input));
  const real = forbidden.filter((name) => gotThrough(name, outside, input));
  const note = (what: string, names: readonly string[]): string | undefined =>
    names.length === 0 ? undefined : `${what}: ${names.join(", ")}`;
  if (!state.enforced) {
    // The scan stands in for what cannot be hidden, and has to do that.
    const result = through.includes(UNSEEN_BY_SCAN) ? "open" : "missing";
    return { result, note: note("got through", through) };
  }
  if (through.length > 0) return { result: "open", note: note("got through", through) };
  // What cannot be done here anyway says nothing about the run.
  const failed = allowed.filter((name) => !works(name, inside) && works(name, outside));
  if (failed.length > 0) return { result: "broken", note: note("should work and does not", failed) };
  const unclear = real.filter((name) => !wasRefused(name, inside, input));
  if (unclear.length > 0) return { result: "broken", note: note("could not be tried", unclear) };
  const evidence = forbidden.length > 0 ? real : allowed.filter((name) => works(name, outside));
  if (evidence.length === 0)
    return { result: "untried", note: "nothing of it can be done here without paldron" };
  const absent = forbidden.filter((name) => !real.includes(name));
  return { result: "held", note: note("not possible here in any case", absent) };
}

function works(name: string, { outcomes }: Observed): boolean {
  return outcomes.get(name) === "ok";
}

function gotThrough(name: string, observed: Observed, { seenOnDisk }: JudgeInput): boolean {
  if (seenOnDisk.has(name)) return observed.effects.has(name);
  const reached = SEEN_BY_STAND[name];
  if (reached !== undefined) return works(name, observed) && observed.hits.has(reached);
  return works(name, observed);
}

/** Refused by the kernel, or without any effect where an effect would show. */
function wasRefused(name: string, { outcomes }: Observed, { seenOnDisk }: JudgeInput): boolean {
  const outcome = outcomes.get(name) ?? "broken";
  return REFUSALS.has(outcome) || (outcome === "ok" && (seenOnDisk.has(name) || name in SEEN_BY_STAND));
}

/** Nothing required is missing, and nothing that is claimed is open. */
export function allHold(rows: readonly DoctorRow[]): boolean {
  return rows.every(({ result, required }) => result !== "open" && (!required || result === "held"));
}
