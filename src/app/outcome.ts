import type { ErrorCode } from "../core/errors.ts";
import type { ProducedFile, ScanResult } from "../host/produced.ts";
import type { EndedMessage } from "../plan/types.ts";
import type { Policy } from "../policy/types.ts";
import type { ChildEnd, Reason, Verdict } from "./exec-types.ts";
import type { JevVerdict } from "./jev.ts";
import { signalName } from "./signals.ts";

/** Produced files named on stderr; the receipt holds all of them. */
const SHOWN_PRODUCED = 20;

export interface Outcome {
  readonly verdict: Verdict;
  readonly reason: Reason;
  readonly lines: readonly string[];
  readonly error?: ErrorCode;
}

export interface OutcomeInput {
  readonly ended: EndedMessage;
  readonly scan: ScanResult;
  readonly jev: JevVerdict | undefined;
  readonly policy: Policy;
}

/**
 * The one place where a finished run gets its verdict, strictest first: what it left behind, what Jev says of what it
 * printed, what Paldron stopped it for, how it ended.
 */
export function judgeRun(input: OutcomeInput): Outcome {
  return (
    producedOutcome(input.scan.produced) ?? jevOutcome(input.jev) ?? stopOutcome(input) ?? endOutcome(input)
  );
}

function producedOutcome(produced: readonly ProducedFile[]): Outcome | undefined {
  const first = produced[0];
  if (first === undefined) return undefined;
  const lines = produced.slice(0, SHOWN_PRODUCED).map(producedLine);
  const more = produced.length - lines.length;
  if (more > 0) lines.push(`run produced ${more} more files that the policy forbids`);
  lines.push(...laterHint(produced));
  return {
    verdict: "deny",
    reason: {
      code: first.code === "runs_later" ? first.code : `produced_${first.code}`,
      rule: first.rule,
      text: producedLine(first),
    },
    lines,
  };
}

/** What a person can do who wants such a change: said once, whatever the number of files. */
function laterHint(produced: readonly ProducedFile[]): readonly string[] {
  const later = produced.filter(({ code }) => code === "runs_later");
  if (later.length === 0) return [];
  const keys = [
    ...(later.some(({ what }) => what === undefined) ? ["later_exceptions"] : []),
    ...(later.some(({ what }) => what !== undefined) ? ["git_config_exceptions (key=value)"] : []),
  ];
  return [`only a policy lets a run change what runs later (builtin:later): ${keys.join(", ")}`];
}

function producedLine(file: ProducedFile): string {
  if (file.code === "unreadable") return `run left ${file.path} unreadable, so it cannot be judged`;
  if (file.code === "runs_later") {
    const what = file.what === undefined ? "" : `: ${file.what}`;
    const after = file.restored === true ? "undone" : "could not be undone";
    return `run ${file.change} ${file.path}${what} (runs later, ${after})`;
  }
  return `run produced ${file.path} (${file.code === "secret" ? "secret" : "policy deny_glob"})`;
}

function jevOutcome(jev: JevVerdict | undefined): Outcome | undefined {
  if (jev === undefined || jev.kind === "allow") return undefined;
  const reason = { code: jev.code, rule: "jev_verdict", text: jev.message };
  return { verdict: "deny", reason, lines: [jev.message] };
}

function broken(code: string, text: string, error: ErrorCode): Outcome {
  return { verdict: "broken", reason: { code, text }, lines: [text], error };
}

/** Runs that Paldron or a limit ended. */
function stopOutcome({ ended, policy }: OutcomeInput): Outcome | undefined {
  switch (ended.cause) {
    case "timeout":
      return broken("timeout", "command timed out", "start");
    case "cancelled":
      return broken("cancelled", `command stopped by ${signalName(ended.causeDetail)} to paldron`, "start");
    case "memory":
      return broken("limit_memory", `command exceeded max_memory_mb (${policy.maxMemoryMb})`, "start");
    case "processes":
      return broken("limit_processes", `command exceeded max_processes (${policy.maxProcesses})`, "start");
    case "room":
      return broken("limit_disk", "command stopped before it filled the disk of the workspace", "start");
    case "output-unwritable":
      return broken(
        "output",
        `the command's output cannot be written (errno ${ended.causeDetail})`,
        "output",
      );
    case "relay-limit":
      return broken("limit_output", "command printed more than can be held for the verdict", "output");
    case "guardian-died":
      return broken("guardian", "a part of the launcher was killed, so the run was stopped", "launcher");
    case "own":
      return undefined;
  }
}

function endOutcome({ ended, policy }: OutcomeInput): Outcome {
  if (ended.exitCode === 0) return { verdict: "allow", reason: { code: "allow", text: "allow" }, lines: [] };
  const failed = (code: string, text: string): Outcome => ({
    verdict: "allow",
    reason: { code, text },
    lines: [text],
  });
  if (ended.exitCode !== undefined) return failed("command_failed", `command exited ${ended.exitCode}`);
  const name = signalName(ended.signal ?? 0);
  if (name === "SIGXCPU" || (name === "SIGKILL" && overCpu(ended, policy))) {
    return broken("limit_cpu", `command exceeded cpu_time_sec (${policy.cpuTimeSec})`, "start");
  }
  if (name === "SIGXFSZ")
    return broken("limit_file_size", `command exceeded max_file_size_mb (${policy.maxFileSizeMb})`, "start");
  return failed("command_signalled", `command killed by ${name}`);
}

function overCpu(ended: EndedMessage, policy: Policy): boolean {
  return ended.userUs + ended.systemUs >= BigInt(Math.floor(policy.cpuTimeSec * 1e6));
}

/** The command's end as the receipt shows it. */
export function childEnd(ended: EndedMessage): ChildEnd {
  return {
    exit_code: ended.exitCode ?? null,
    signal: ended.signal === undefined ? null : signalName(ended.signal),
    timed_out: ended.cause === "timeout",
  };
}
