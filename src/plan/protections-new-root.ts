import type { Protection, ProtectionState, ProtectionTable } from "../core/protection.ts";
import type { ProgramPaths, SecretPaths } from "./build-input.ts";
import { leastKernel } from "./landlock-abi.ts";
import { traits, usesLandlock } from "./settings.ts";
import type { HostFacts, Setting } from "./types.ts";

/** First ABI that keeps abstract sockets of other programs away. */
const ABI_SCOPE = 6;

export interface NewRootInput {
  readonly facts: HostFacts;
  readonly setting: Setting;
  readonly allowNetwork: boolean;
  readonly unixSockets: readonly string[];
  readonly programs: ProgramPaths | undefined;
  readonly secrets: Pick<SecretPaths, "found" | "masks" | "leak">;
}

function held(by: string): ProtectionState {
  return { enforced: true, by };
}

function missing(why_not: string): ProtectionState {
  return { enforced: false, why_not };
}

/** What a new root and namespaces change in the table of a run without them: columns A, B and E of docs/kernels.md. */
export function withNewRoot(base: ProtectionTable, input: NewRootInput): ProtectionTable {
  const { facts, setting, allowNetwork } = input;
  const domain = usesLandlock(facts, setting);
  const confined = held(domain ? `new root and Landlock ABI ${facts.landlockAbi}` : "new root");
  const network = allowNetwork
    ? missing("the policy allows the network")
    : held("network namespace and seccomp");
  return {
    ...base,
    "fs-write": confined,
    "fs-read": confined,
    "secrets-read": secretsRead(input.secrets),
    "net-tcp": network,
    "net-udp": network,
    "net-other": network,
    "net-unix": unixSockets(input),
    "net-loopback": held(allowNetwork ? "the network of the host" : "loopback of the network namespace"),
    "tty-others": held("terminals of its own (devpts)"),
    programs: input.programs === undefined ? base.programs : programState(input.programs, domain),
    metadata: held("new root: what lies outside has no name, what is shared is mounted read-only"),
    "later-exec": held(
      "existing files mounted read-only; what is new or has to be writable compared and undone",
    ),
    limits: held(limitsBy(facts, setting)),
    ...(traits(setting).pidNamespace ? pidNamespace(domain) : hostPids(facts, base)),
  };
}

function pidNamespace(domain: boolean): Partial<Record<Protection, ProtectionState>> {
  return {
    signals: held("pid namespace"),
    ptrace: held(domain ? "pid namespace and Landlock domain" : "pid namespace"),
    "proc-others": held("pid namespace with its own /proc"),
    "tree-kill": held("process 1 of the pid namespace"),
  };
}

function programState({ executable, gap }: ProgramPaths, domain: boolean): ProtectionState {
  const by = `new root and Landlock: ${executable.length} programs and helper folders; noexec on what is written; memory files sealed`;
  if (!domain)
    return missing(
      "keeping files outside of program folders from being executed needs Landlock ABI 2 (Linux 5.19)",
    );
  return gap === undefined ? held(by) : { enforced: false, by, why_not: gap };
}

function hostPids(
  { landlockAbi }: HostFacts,
  base: ProtectionTable,
): Partial<Record<Protection, ProtectionState>> {
  return {
    "proc-others": missing(
      "names and arguments of other processes are readable: a /proc of its own cannot be mounted here",
    ),
    "tree-kill":
      landlockAbi >= ABI_SCOPE
        ? held("sweep of /proc by processes out of reach (Landlock signal scope)")
        : base["tree-kill"],
  };
}

function secretsRead({ found, masks, leak }: NewRootInput["secrets"]): ProtectionState {
  if (found === 0) return held("nothing in the workspace matches");
  if (leak !== undefined) return { enforced: false, by: `masks over ${masks.length} paths`, why_not: leak };
  return held(`masks over ${masks.length} paths`);
}

function unixSockets({ facts, allowNetwork, unixSockets: named }: NewRootInput): ProtectionState {
  const reachable = `sockets made in the workspace during the run${named.length > 0 ? " and those of unix_sockets" : ""} are reachable`;
  if (!allowNetwork) return held(`new root and network namespace; ${reachable}`);
  if (facts.landlockAbi >= ABI_SCOPE) return held(`new root and Landlock scope; ${reachable}`);
  return missing(
    `keeping abstract sockets away with the network on needs Linux ${leastKernel(ABI_SCOPE)} (Landlock ABI ${ABI_SCOPE})`,
  );
}

function limitsBy({ uid }: HostFacts, setting: Setting): string {
  const processes = traits(setting).userNamespace && uid !== 0 ? ", processes by the user namespace" : "";
  return `rlimits, sized private places${processes}, and a watchdog over the tree; memory files are not counted`;
}
