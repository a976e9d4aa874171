import type { Protection, ProtectionTable } from "../core/protection.ts";
import type { BrokerPlan } from "./broker-types.ts";
import type { ResourceLimit, Watchdog } from "./limit-types.ts";
import type { LinkRecord, NamespacePlan } from "./namespace-types.ts";
import type { WalkEntry, WalkResult } from "./walk-types.ts";
import type { ReleasedMessage, SeenMessage, WatchingMessage, WatchPlan } from "./watch-types.ts";
import type { EndCause, Stage, WalkStatus } from "./wire.ts";

export type { WalkEntry, WalkRequest, WalkResult } from "./walk-types.ts";

/** What the launcher found on this machine, by trying (its `ready` message). */
export interface HostFacts {
  /** `AUDIT_ARCH_*` names of the running kernel that Paldron has a syscall table for. */
  readonly arch: "x86_64" | "aarch64";
  /** Landlock ABI, 0 where it is absent or disabled; `landlockErrno` then says why. */
  readonly landlockAbi: number;
  readonly landlockErrno: number;
  readonly landlockErrata: number;
  /** seccomp filter mode with `SECCOMP_RET_ERRNO` and `SECCOMP_RET_KILL_PROCESS`. */
  readonly seccompFilter: boolean;
  readonly seccompUserNotif: boolean;
  readonly uid: number;
  readonly gid: number;
  /** Effective capabilities of the caller. */
  readonly capEffective: bigint;
  /** Bit n: descriptor n of the launcher is a terminal, the same one for all bits. */
  readonly terminals: number;
  /** Kernel release, for messages only; nothing is decided by it. */
  readonly release: string;
}

/** A path with the identity under which it was judged; the launcher stops at a difference. */
export interface PathRecord {
  /** Absolute, without symbolic links. */
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
  /** `S_IFMT` bits of the mode. */
  readonly type: number;
}

export interface LandlockPathRule {
  readonly path: PathRecord;
  /** `LANDLOCK_ACCESS_FS_*` bits, a subset of the ruleset's `handledFs`. */
  readonly access: bigint;
}

export interface LandlockRuleset {
  readonly handledFs: bigint;
  readonly handledNet: bigint;
  readonly scoped: bigint;
  /** Flags of `landlock_restrict_self(2)`. */
  readonly restrictFlags: number;
  readonly paths: readonly LandlockPathRule[];
}

/** A folder that the launcher makes for the run (mode 0700) and removes when the tree is dead. */
export interface ScratchDir {
  readonly parent: PathRecord;
  readonly name: string;
  /** Folders made in it: `home`, `tmp`. */
  readonly folders: readonly string[];
  /** Links made in it, at paths relative to it. */
  readonly links: readonly LinkRecord[];
  /** Landlock rights of the command on it. */
  readonly access: bigint;
}

/** What a command on a terminal gets. */
export interface TerminalPlan {
  /** Bit n: descriptor n of the command is a terminal of its own, behind which the caller's is. 0: it has none. */
  readonly streams: number;
  /** Keys go to the command from the start; otherwise once it reads or sets the terminal. */
  readonly foreground: boolean;
  /** What it prints there is shown even where the terminal is only its stdin. */
  readonly shown: boolean;
  /** No escape sequence but colours reaches a terminal. */
  readonly filter: boolean;
}

/** How the whole tree is found and killed (SANDBOX: `kill(-1)` in a signal-scope domain, or a sweep of /proc). */
export type TreeKill = "scope" | "sweep" | "pid-namespace";

export interface OutputPlan {
  /** Bytes of each stream that are copied back to the caller. */
  readonly copyBytes: number;
  /** Bytes of each stream after which the run is stopped, 0 for no limit. */
  readonly relayBytes: bigint;
}

/**
 * Which mechanisms a plan is built on, Landlock and seccomp always on top: new namespaces and a new root made by a
 * caller with CAP_SYS_ADMIN (`root-mounts`) or inside a user namespace (`userns`), either without a pid namespace
 * where /proc cannot be mounted; without namespaces a broker for what Landlock does not mediate (`landlock-broker`).
 */
export type Setting =
  | "root-mounts"
  | "root-mounts-no-pid"
  | "userns"
  | "userns-no-pid"
  | "landlock-broker"
  | "landlock"
  | "none";

/** Everything the launcher does, in order, fully resolved. It decides nothing itself. */
export interface SandboxPlan {
  /** What the plan is built on. Not sent to the launcher. */
  readonly setting: Setting;
  /** Absolute path handed to execve(2), as the caller's PATH led to it. */
  readonly execPath: string;
  /** The file behind `execPath`, compared just before execve. */
  readonly program: PathRecord;
  readonly argv: readonly string[];
  /** `NAME=value` lines: the whole environment. */
  readonly env: readonly string[];
  readonly cwd: PathRecord;
  readonly namespaces: NamespacePlan | undefined;
  readonly landlock: LandlockRuleset | undefined;
  /** Assembled `struct sock_filter[]`, 8 bytes each, little-endian. */
  readonly seccomp: Uint8Array | undefined;
  readonly broker: BrokerPlan | undefined;
  /** Drop all capabilities and set no_new_privs (always with isolation). */
  readonly dropPrivileges: boolean;
  readonly limits: readonly ResourceLimit[];
  readonly scratch: ScratchDir | undefined;
  /** Milliseconds of wall clock, 0 for none. */
  readonly timeoutMs: bigint;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  readonly treeKill: TreeKill;
  readonly watchdog: Watchdog | undefined;
  readonly output: OutputPlan;
  readonly terminal: TerminalPlan;
  /** Undefined: the workspace is not watched. */
  readonly watch: WatchPlan | undefined;
  readonly oomScoreAdj: number | undefined;
  /** What this plan enforces, for the receipt. Not sent to the launcher. */
  readonly protections: ProtectionTable;
}

/** Why no plan was made: a protection that must hold cannot be had on this machine. */
export interface Refusal {
  /** The protections that `require` names and that the plan could not enforce. */
  readonly missing: readonly Protection[];
  /** One line that names them, why, and what would help. */
  readonly message: string;
  /** What would have been enforced, for the receipt. */
  readonly protections: ProtectionTable;
}

/** READY: what the launcher found by trying. */
interface ReadyMessage {
  readonly type: "ready";
  readonly facts: HostFacts;
}

/** ENTRY */
interface EntryMessage {
  readonly type: "entry";
  readonly walkId: number;
  readonly entry: WalkEntry;
}

/** WALKED: the end of a walk. Anything but `complete` means that not everything was seen. */
interface WalkedMessage {
  readonly type: "walked";
  readonly walkId: number;
  readonly status: WalkStatus;
  readonly errno: number;
  readonly counts: WalkResult["counts"];
}

/** FAILED: nothing of the command has run, or it has been killed. */
export interface FailedMessage {
  readonly type: "failed";
  readonly stage: Stage;
  readonly errno: number;
  /** A path or a word. */
  readonly detail: string;
}

/** CLEARED: nothing is left of the scratch folder, or why something is. */
interface ClearedMessage {
  readonly type: "cleared";
  /** 0, or of the first thing that could not be removed. */
  readonly errno: number;
}

/** STARTED: the command's execve succeeded. */
interface StartedMessage {
  readonly type: "started";
  readonly pid: number;
}

/** OUTPUT: the copy of what the command printed. */
interface OutputMessage {
  readonly type: "output";
  readonly stream: 1 | 2;
  readonly bytes: Uint8Array;
}

/** ENDED: nothing of the tree is alive, the output is drained, the scratch folder is removed. */
export interface EndedMessage {
  readonly type: "ended";
  /** Undefined when a signal ended the command. */
  readonly exitCode: number | undefined;
  readonly signal: number | undefined;
  readonly coreDumped: boolean;
  readonly cause: EndCause;
  /** The signal of `cancelled`, the errno of `output-unwritable`, else 0. */
  readonly causeDetail: number;
  /** Processes that were alive when the command ended, and were killed. */
  readonly leftovers: number;
  readonly userUs: bigint;
  readonly systemUs: bigint;
  readonly maxRssKb: bigint;
  readonly wallUs: bigint;
  readonly stdoutBytes: bigint;
  readonly stderrBytes: bigint;
  /** Of these, what came after a SEEN that was answered with "hold". */
  readonly withheldStdout: bigint;
  readonly withheldStderr: bigint;
}

/** STOPPED: the command was stopped on its terminal; the caller should stop too, and say when it goes on. */
interface StoppedMessage {
  readonly type: "stopped";
  readonly signal: number;
}

export type LauncherMessage =
  | ReadyMessage
  | EntryMessage
  | WalkedMessage
  | FailedMessage
  | StartedMessage
  | OutputMessage
  | EndedMessage
  | StoppedMessage
  | SeenMessage
  | WatchingMessage
  | ReleasedMessage
  | ClearedMessage;
