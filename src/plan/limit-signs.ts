import type { Policy } from "../policy/types.ts";
import { RLIMIT } from "./limits.ts";
import type { EndedMessage, SandboxPlan } from "./types.ts";

/** A limit that a run may have met, and what says so. */
export interface LimitSign {
  /** Key of the policy. */
  readonly limit: LimitKey;
  readonly value: number;
  /** A fact, never a conclusion: `its output says "Too many open files"`. */
  readonly seen: string;
}

type LimitKey = "max_memory_mb" | "max_processes" | "max_open_files" | "max_file_size_mb" | "cpu_time_sec";

interface LimitSignInput {
  readonly plan: Pick<SandboxPlan, "limits">;
  readonly policy: Policy;
  readonly ended: EndedMessage;
  /** The end of what the command printed. */
  readonly output: string;
}

interface Kind {
  readonly limit: LimitKey;
  /** Only where the plan sets this limit on each process does a call fail because of it. */
  readonly resource: number;
  readonly value: (policy: Policy) => number;
  /** What programs, libraries and shells print then. Every pattern is linear, and what it matches is no secret. */
  readonly says: RegExp;
  /** The signal that a shell reports as 128 + n. */
  readonly signal?: number;
}

const SIGKILL = 9;
const SIGXCPU = 24;
const SIGXFSZ = 25;
const SHELL_SIGNAL_BASE = 128;
const CPU_SHARE = 0.5;

const KINDS: readonly Kind[] = [
  {
    limit: "max_memory_mb",
    resource: RLIMIT.data,
    value: (policy) => policy.maxMemoryMb,
    says: /\bMemoryError\b|std::bad_alloc|\bENOMEM\b|cannot allocate memory|heap out of memory|\bOutOfMemoryError\b|process OOM|out of memory|memory exhausted|insufficient memory|Could not reserve enough space|memory allocation of \d{1,20} bytes failed/i,
  },
  {
    limit: "max_processes",
    resource: RLIMIT.nproc,
    value: (policy) => policy.maxProcesses,
    says: /fork: (?:retry: )?Resource temporarily unavailable|cannot fork|can't start new thread|unable to create (?:native )?thread|\bv?fork[^\n]{0,80}(?:Resource temporarily unavailable|EAGAIN)|spawn [^\n]{1,80} EAGAIN|pthread_create[^\n]{0,80}(?:Resource temporarily unavailable|EAGAIN)|BlockingIOError: \[Errno 11\]/i,
  },
  {
    limit: "max_open_files",
    resource: RLIMIT.nofile,
    value: (policy) => policy.maxOpenFiles,
    says: /Too many open files(?! in system)|\bEMFILE\b/i,
  },
  {
    limit: "max_file_size_mb",
    resource: RLIMIT.fsize,
    value: (policy) => policy.maxFileSizeMb,
    says: /File too large|File size limit exceeded|\bEFBIG\b|\bSIGXFSZ\b/i,
    signal: SIGXFSZ,
  },
  {
    limit: "cpu_time_sec",
    resource: RLIMIT.cpu,
    value: (policy) => policy.cpuTimeSec,
    says: /CPU time limit exceeded|\bSIGXCPU\b/i,
    signal: SIGXCPU,
  },
];

/**
 * Where a program turns a limit that it met into an end of its own, nothing but its words and its status tell. So this
 * says which limits a failed run may have met, and by what, and only of limits that its processes really had.
 */
export function limitSigns(input: LimitSignInput): readonly LimitSign[] {
  const { ended, policy, plan } = input;
  if (ended.exitCode === 0) return [];
  const limited = new Set(plan.limits.map(({ resource }) => resource));
  return KINDS.flatMap((kind): LimitSign[] => {
    if (!limited.has(kind.resource) || !possible(kind, input)) return [];
    const seen = said(kind, input) ?? reported(kind, ended);
    return seen === undefined ? [] : [{ limit: kind.limit, value: kind.value(policy), seen }];
  });
}

/**
 * No process has used more time than all of them together. The limit is counted in whole ticks, usage is not, so that on
 * a busy virtual machine a limit of one second was met by 0.84 of them.
 */
function possible({ limit, value }: Kind, { policy, ended }: LimitSignInput): boolean {
  if (limit !== "cpu_time_sec") return true;
  return cpuSeconds(ended) >= value(policy) * CPU_SHARE;
}

function said({ says }: Kind, { output }: LimitSignInput): string | undefined {
  const text = says.exec(output)?.[0];
  return text === undefined ? undefined : `its output says "${text}"`;
}

function reported({ limit, signal }: Kind, ended: EndedMessage): string | undefined {
  const { exitCode } = ended;
  if (signal === undefined || exitCode === undefined) return undefined;
  const killed = limit === "cpu_time_sec" && exitCode === SHELL_SIGNAL_BASE + SIGKILL;
  if (exitCode !== SHELL_SIGNAL_BASE + signal && !killed) return undefined;
  return `it exited ${exitCode}, as a shell does after ${killed ? "SIGKILL" : NAMES[signal]}`;
}

const NAMES: Readonly<Record<number, string>> = { [SIGXCPU]: "SIGXCPU", [SIGXFSZ]: "SIGXFSZ" };

function cpuSeconds({ userUs, systemUs }: EndedMessage): number {
  return Number(userUs + systemUs) / 1e6;
}
