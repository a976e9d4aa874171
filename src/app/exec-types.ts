import type { Decision } from "../core/decision.ts";
import type { ErrorCode } from "../core/errors.ts";
import type { ProtectionTable } from "../core/protection.ts";
import type { Workspace } from "../core/request.ts";
import type { LaunchStream } from "../host/launch.ts";
import type { Platform } from "../host/platform.ts";
import type { Finding, ProducedFile } from "../host/produced.ts";
import type { Spawn } from "../host/run-child.ts";
import type { HostFacts, Setting } from "../plan/types.ts";
import type { Policy, PolicySource } from "../policy/types.ts";

/** What a run was confined by: a setting of the launcher's plans, or macOS's own sandbox. */
export type RunSetting = Setting | "seatbelt";

/** `stream` relays the output as it comes; `capture` keeps only the bounded copy. */
type OutputMode = "stream" | "capture";

export interface RunExecOptions {
  readonly argv: readonly string[];
  readonly policy: Policy;
  readonly source: PolicySource;
  readonly workspace: Workspace;
  /** The caller's environment; an allow-list of it reaches the command. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: OutputMode;
  readonly stdin: LaunchStream;
  /**
   * The command is a server that others talk to for as long as they like, while somebody else works in the workspace
   * too: its output goes to `stdout`, and what runs later is reported and left, since the change may be theirs.
   */
  readonly server?: { readonly stdout: LaunchStream; readonly variables: readonly string[] } | undefined;
  /** Whether this process may stop and go on as a shell's job does; a command on a terminal gets its own only then. */
  readonly jobControl?: boolean | undefined;
  /** Aborting sends SIGTERM (or the signal whose number is the reason), then kills the tree after the grace. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the output as it comes, as far as it is copied. What a verdict is asked about first must not use it. */
  readonly onOutput?: ((stream: 1 | 2, bytes: Uint8Array) => void) | undefined;
  /** Called for each warning as it becomes known, before the command starts where possible. */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /** Asks a person about an `ask`; without it an ask is a deny that needs approval. */
  readonly confirm?: ((decision: Decision) => Promise<boolean>) | undefined;
  /** Replaces what the launcher found; tests use it to build plans for lesser kernels. */
  readonly facts?: ((found: HostFacts) => HostFacts) | undefined;
  /** The copies hold what is withheld as well: for a caller whose command is a program of its own. */
  readonly keepWithheld?: boolean | undefined;
  /** Tries this setting and no other: how `doctor` finds out which ones work. */
  readonly only?: Setting | undefined;
  /** Replaces the system that is run on; tests use it. */
  readonly system?: System | undefined;
}

/** The system a command runs on, as far as it decides how. */
export interface System {
  readonly platform: Platform;
  readonly launcherBuilt: boolean;
  /** Replaces `child_process.spawn` where there is no launcher. */
  readonly spawn?: Spawn | undefined;
}

export type Verdict = "allow" | "deny" | "broken";

/** Why the verdict is what it is. Callers branch on `code`, never on `text`. */
export interface Reason {
  readonly code: string;
  /** Id of the deciding rule, where one decided. */
  readonly rule?: string | undefined;
  /** One line without the `paldron: ` prefix. */
  readonly text: string;
}

export interface ChildEnd {
  /** Null when a signal ended it. */
  readonly exit_code: number | null;
  /** `SIGTERM` and the like; null when it exited. */
  readonly signal: string | null;
  readonly timed_out: boolean;
}

/** A run from its request to its verdict. Success and failure share this one shape. */
export interface ExecResult {
  readonly verdict: Verdict;
  readonly reason: Reason;
  /** Every line to be shown for a deny: one for each produced file. The first is `reason.text`. */
  readonly lines: readonly string[];
  /** Stage of a broken run. */
  readonly error?: ErrorCode | undefined;
  /** Undefined when nothing ran. */
  readonly child: ChildEnd | undefined;
  /** The number of the signal that ended the command, for `--exit=child`. */
  readonly signalNumber: number | undefined;
  /** Undefined when the run ended before a plan was made. */
  readonly protections: ProtectionTable | undefined;
  readonly setting: RunSetting | undefined;
  readonly produced: readonly ProducedFile[];
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
  /** Copies, at most 1 MiB of each stream, empty when they may not be shown; the counts are of everything printed. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** Of these, bytes that are not shown because they came after a file that denies the run. */
  readonly withheld: Withheld;
  /** False when the output was held back and not shown. */
  readonly outputShown: boolean;
  /** Processes that were alive when the command ended, and were killed. */
  readonly leftovers: number;
  readonly startedAt: Date;
  /** Milliseconds of the whole run, gate and scan included. */
  readonly durationMs: number;
}

/** Bytes of each stream. */
export interface Withheld {
  readonly stdout: number;
  readonly stderr: number;
}

const NOTHING = new Uint8Array(0);

/** What a result says when nothing has run. */
export const NOT_RUN = {
  child: undefined,
  signalNumber: undefined,
  protections: undefined,
  setting: undefined,
  produced: [],
  findings: [],
  stdout: NOTHING,
  stderr: NOTHING,
  stdoutBytes: 0,
  stderrBytes: 0,
  withheld: { stdout: 0, stderr: 0 },
  outputShown: true,
  leftovers: 0,
} as const;
