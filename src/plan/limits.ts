import type { Policy } from "../policy/types.ts";
import type { BuildInput, DiskState } from "./build-input.ts";
import type { DiskRoom, ResourceLimit, Watchdog } from "./limit-types.ts";
import type { PathRecord } from "./types.ts";

/** `RLIMIT_*` of getrlimit(2), the same on x86_64 and aarch64. */
export const RLIMIT = { cpu: 0, fsize: 1, data: 2, core: 4, nproc: 6, nofile: 7 } as const;

const MIB = 1024n * 1024n;
/** Seconds between SIGXCPU, which a program may handle, and SIGKILL. */
const CPU_GRACE_SEC = 2n;
const WATCHDOG_INTERVAL_MS = 50;
/**
 * What the kernel grants above `max_processes`: a tree that grows into it is seen by the watchdog, which stops it and
 * names the limit, where a call that fails would be the program's to explain.
 */
const PROCESS_MARGIN = 16;

/** What a run leaves free of the workspace's disk, at most. The watchdog looks 20 times a second. */
const ROOM_BYTES = 256n * MIB;
const ROOM_INODES = 10_000n;
const ROOM_SHARE = 64n;
const ROOM_SHARE_OF_FREE = 4n;
/** Of the machine's memory, what a JVM commits as heap when it starts (InitialRAMPercentage of java(1), 1.5625). */
const JVM_START_SHARE = 64n;

/**
 * Limits of each process. RLIMIT_AS is never set (V8, the JVM and Go reserve far more than they use), RLIMIT_DATA only
 * for a memory limit that the policy names (see {@link dataLimit}), and RLIMIT_NPROC only inside a user namespace of the run's own (Linux 5.14,
 * never for uid 0): elsewhere it counts every process of the user, so the watchdog counts the tree instead.
 */
export function resourceLimits(
  policy: Policy,
  { ownProcesses, machineMemory }: { readonly ownProcesses: boolean; readonly machineMemory: bigint },
): readonly ResourceLimit[] {
  const cpu = BigInt(policy.cpuTimeSec);
  const limits: ResourceLimit[] = [
    { resource: RLIMIT.cpu, soft: cpu, hard: cpu + CPU_GRACE_SEC },
    fixed(RLIMIT.fsize, BigInt(policy.maxFileSizeMb) * MIB),
    fixed(RLIMIT.nofile, BigInt(policy.maxOpenFiles)),
    fixed(RLIMIT.core, 0n),
  ];
  if (policy.setLimits.has("max_memory_mb"))
    limits.push(fixed(RLIMIT.data, dataLimit(policy, machineMemory)));
  // Process 1 of the namespace counts too.
  if (ownProcesses) limits.push(fixed(RLIMIT.nproc, BigInt(policy.maxProcesses + 1 + PROCESS_MARGIN)));
  return limits;
}

/** Limits of the whole tree, looked at again and again. */
export function treeWatchdog({
  policy,
  workspace,
  disk,
}: Pick<BuildInput, "policy" | "workspace" | "disk">): Watchdog {
  return {
    intervalMs: WATCHDOG_INTERVAL_MS,
    memoryBytes: memoryBytes(policy),
    processes: policy.maxProcesses,
    room: diskRoom(workspace, disk),
  };
}

/**
 * A run may not fill the disk of the machine. What it leaves is little where the disk is small, and never more than a
 * quarter of what was free, so that a full disk alone stops nothing.
 */
function diskRoom(folder: PathRecord, disk: DiskState): DiskRoom | undefined {
  const bytes = smallest(ROOM_BYTES, disk.bytes / ROOM_SHARE, disk.bytesFree / ROOM_SHARE_OF_FREE);
  const inodes = smallest(ROOM_INODES, disk.inodes / ROOM_SHARE, disk.inodesFree / ROOM_SHARE_OF_FREE);
  return bytes === 0n && inodes === 0n ? undefined : { folder, bytes, inodes };
}

function smallest(...values: readonly bigint[]): bigint {
  // No Math.min for bigint.
  const [least = 0n] = [...values].sort((a, b) => (a < b ? -1 : 1));
  return least;
}

/** What the whole tree may use. */
export function memoryBytes(policy: Policy): bigint {
  return BigInt(policy.maxMemoryMb) * MIB;
}

/**
 * RLIMIT_DATA counts memory that is writable, used or not (Linux 4.7), and a JVM's first heap grows with the machine,
 * not with the limit. It is given room for that and half of the limit beside it; what is really used of it is the
 * watchdog's to count.
 */
function dataLimit(policy: Policy, machineMemory: bigint): bigint {
  const limit = memoryBytes(policy);
  const startOfJvm = machineMemory / JVM_START_SHARE + limit / 2n;
  return startOfJvm > limit ? startOfJvm : limit;
}

function fixed(resource: number, value: bigint): ResourceLimit {
  return { resource, soft: value, hard: value };
}
