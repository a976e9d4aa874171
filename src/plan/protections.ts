import type { Protection, ProtectionState, ProtectionTable } from "../core/protection.ts";
import type { BuildInput } from "./build-input.ts";
import { leastKernel } from "./landlock-abi.ts";
import { withNewRoot } from "./protections-new-root.ts";
import { traits } from "./settings.ts";
import type { HostFacts } from "./types.ts";

/** Landlock ABIs from which something holds; `landlock-abi.ts` names their kernels. */
export const ABI = { refer: 2, truncate: 3, scope: 6, log: 7, resolveUnix: 9 } as const;

/** What decides about the protections of a run. */
export interface ProtectionInput extends Pick<BuildInput, "facts" | "setting" | "strongerFailed" | "watch"> {
  readonly policy: Pick<BuildInput["policy"], "allowNetwork" | "unixSockets">;
  readonly secrets: Pick<BuildInput["secrets"], "found" | "masks" | "leak">;
  readonly programs: BuildInput["programs"];
  readonly paths: Pick<BuildInput["paths"], "devices" | "sharedMemory" | "proc">;
}

function held(by: string): ProtectionState {
  return { enforced: true, by };
}

function missing(why_not: string, by?: string): ProtectionState {
  return by === undefined ? { enforced: false, why_not } : { enforced: false, by, why_not };
}

/** A Landlock feature that came with an ABI. */
function fromAbi(facts: HostFacts, abi: number, by: string, what: string): ProtectionState {
  if (facts.landlockAbi >= abi) return held(by);
  return missing(`${what} needs Linux ${leastKernel(abi)} (Landlock ABI ${abi})`);
}

/** What a run enforces in its setting. */
export function protectionTable(input: ProtectionInput): ProtectionTable {
  const base = landlockTable(input);
  const { facts, setting, secrets } = input;
  if (!traits(setting).newRoot) return base;
  return withNewRoot(base, {
    facts,
    setting,
    secrets,
    programs: input.programs,
    allowNetwork: input.policy.allowNetwork,
    unixSockets: input.policy.unixSockets,
  });
}

/** Needing a mount namespace, and why there is none. */
function needsMounts({ strongerFailed }: ProtectionInput, what: string): ProtectionState {
  const why = strongerFailed === undefined ? "" : `, which cannot be had (${strongerFailed})`;
  return missing(`${what} needs a mount namespace${why}`);
}

/** What a run with Landlock, seccomp and limits alone enforces: columns C and D of docs/kernels.md. */
function landlockTable(input: ProtectionInput): ProtectionTable {
  const { facts, secrets } = input;
  const network = networkState(input);
  return {
    "fs-write": fileWrites(input),
    "fs-read": fromAbi(facts, 1, `Landlock ABI ${facts.landlockAbi}`, "Landlock"),
    "secrets-read":
      secrets.found === 0
        ? held("nothing in the workspace matches")
        : needsMounts(input, `hiding ${secrets.found} matching files`),
    "secrets-late": lateState(input, network),
    "net-tcp": network,
    "net-udp": network,
    "net-unix": unixSockets(input),
    "net-other": network,
    signals: signals(input),
    ptrace: tracing(facts),
    ...surroundings(input),
    programs: programState(input),
    "later-exec": missing(
      "they can be changed while the command runs",
      "comparing after the run and undoing",
    ),
    limits: held("rlimits and a watchdog over the tree; memory files are not counted"),
    "tree-kill": treeKill(input),
    output: held("pipes with a bounded copy"),
    "net-loopback": input.policy.allowNetwork
      ? held("the network of the host")
      : missing("loopback with the network off needs a network namespace"),
  };
}

/** Nothing keeps a command from a file of its own; what it says of one that denies the run is not shown. */
function lateState(input: ProtectionInput, network: ProtectionState): ProtectionState {
  const { policy, facts, setting } = input;
  const by = "inotify: output that comes after such a file waits for the verdict";
  if (input.watch === undefined)
    return missing("files made during the run are found after it", "scan of produced files");
  if (policy.allowNetwork)
    return missing("what is in files made during the run can be sent over the network", by);
  const closed = traits(setting).newRoot || unixSockets(input).enforced;
  const sockets = closed && policy.unixSockets.length === 0;
  if (network.enforced && sockets && facts.landlockAbi >= 1) return held(by);
  return missing("what is in files made during the run can be taken out of it", by);
}

/** Landlock keeps other programs from being started directly; a loader or a copy in memory still runs them. */
function programState(input: ProtectionInput): ProtectionState {
  if (input.programs === undefined)
    return missing("programs are judged before the run only (confine_binaries = true holds them in it)");
  const gap = needsMounts(input, "keeping other programs from the loader");
  return input.facts.landlockAbi >= 1 ? { ...gap, by: "Landlock, started directly" } : gap;
}

function fileWrites({ facts, paths }: ProtectionInput): ProtectionState {
  if (facts.landlockAbi < 1) return fromAbi(facts, 1, "Landlock", "Landlock");
  if (facts.landlockAbi < ABI.truncate && !facts.seccompFilter) {
    return missing("guarding against truncation needs seccomp or Linux 6.2 (Landlock ABI 3)");
  }
  const shared = paths.sharedMemory === undefined ? "" : "; /dev/shm is shared";
  const helper = facts.landlockAbi < ABI.truncate ? ", truncation by seccomp" : "";
  return held(`Landlock ABI ${facts.landlockAbi}${helper}${shared}`);
}

function networkState({ policy, facts }: ProtectionInput): ProtectionState {
  if (policy.allowNetwork) return missing("the policy allows the network");
  if (!facts.seccompFilter) return missing("keeping sockets from being made needs seccomp filters");
  return held("seccomp, by socket family");
}

/** Whether the broker judges each connect: with the network on it could not without a race. */
export function brokersSockets({
  policy,
  facts,
  setting,
}: Pick<ProtectionInput, "policy" | "facts" | "setting">): boolean {
  return traits(setting).broker && !policy.allowNetwork && facts.landlockAbi < ABI.resolveUnix;
}

function unixSockets(input: ProtectionInput): ProtectionState {
  const { facts, policy, strongerFailed } = input;
  const named = policy.unixSockets.length > 0 ? " and those of unix_sockets" : "";
  if (brokersSockets(input))
    return held(`broker: only sockets that the run made${named} can be connected to`);
  if (facts.landlockAbi >= ABI.resolveUnix) return held("Landlock");
  const instead = policy.allowNetwork
    ? "the network off, or a mount namespace"
    : "a broker or a mount namespace";
  const why = strongerFailed === undefined ? "" : `, which cannot be had (${strongerFailed})`;
  return missing(
    `keeping sockets of other programs away needs Linux ${leastKernel(ABI.resolveUnix)} (Landlock ABI ${ABI.resolveUnix}), ${instead}${why}`,
  );
}

function signals({ facts, setting }: ProtectionInput): ProtectionState {
  if (facts.landlockAbi >= ABI.scope) return held("Landlock signal scope");
  if (traits(setting).broker) return held("broker: only processes of the run can be signalled");
  return fromAbi(facts, ABI.scope, "Landlock signal scope", "Landlock signal scope");
}

function tracing(facts: HostFacts): ProtectionState {
  if (facts.landlockAbi >= 1) return held("Landlock domain");
  return facts.seccompFilter ? held("seccomp") : missing("needs Landlock (Linux 5.13) or seccomp filters");
}

/** Below the signal scope and without a broker the command can kill its supervisor, so that the sweep is no use. */
function treeKill({ facts, setting }: ProtectionInput): ProtectionState {
  if (facts.landlockAbi >= ABI.scope) return held("signal scope and kill(-1)");
  if (traits(setting).broker) return held("sweep of /proc by processes out of reach (broker)");
  const why = `the command can kill its supervisor below Linux ${leastKernel(ABI.scope)} (Landlock ABI ${ABI.scope})`;
  return missing(why, "sweep of /proc");
}

type Surroundings = Extract<Protection, "proc-others" | "tty-others" | "metadata">;

function surroundings(input: ProtectionInput): Record<Surroundings, ProtectionState> {
  const { facts, paths } = input;
  const confined = facts.landlockAbi >= 1;
  const procSeen = paths.proc !== undefined || !confined;
  const terminalsSeen = !confined || paths.devices.some((device) => isSharedTerminal(device.path));
  return {
    "proc-others": procSeen
      ? missing(
          "names and arguments of other processes are readable, and shared memory, semaphores and message queues shared with the user's other programs, without pid and ipc namespaces",
        )
      : held("Landlock: /proc is not granted"),
    "tty-others": terminalsSeen
      ? needsMounts(input, "keeping other terminals of the user away")
      : held("Landlock: no terminal is granted"),
    metadata: traits(input.setting).broker
      ? held("broker: modes, owners, times and attributes change only where the command may write")
      : needsMounts(input, "keeping modes, owners and times outside the workspace"),
  };
}

/** Terminals that other programs may be on; `/dev/tty` is the command's own and `/dev/ptmx` makes new ones. */
function isSharedTerminal(path: string): boolean {
  return path === "/dev" || path.startsWith("/dev/pts") || /^\/dev\/(tty.+|console)$/.test(path);
}
