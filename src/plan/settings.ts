import type { HostFacts, Setting } from "./types.ts";
import { NAMESPACE_STAGES, type Stage } from "./wire.ts";

/** `CLONE_NEW*` of clone(2). */
const CLONE = {
  mount: 0x0002_0000,
  ipc: 0x0800_0000,
  user: 0x1000_0000,
  pid: 0x2000_0000,
  net: 0x4000_0000,
} as const;

const CAP_SYS_ADMIN = 21n;

/** What a setting is made of. */
export interface SettingTraits {
  /** A mount namespace with a new root, and an ipc namespace. */
  readonly newRoot: boolean;
  readonly userNamespace: boolean;
  readonly pidNamespace: boolean;
  readonly broker: boolean;
}

const PLAIN: SettingTraits = { newRoot: false, userNamespace: false, pidNamespace: false, broker: false };

const TRAITS: Readonly<Record<Setting, SettingTraits>> = {
  "root-mounts": { ...PLAIN, newRoot: true, pidNamespace: true },
  "root-mounts-no-pid": { ...PLAIN, newRoot: true },
  userns: { ...PLAIN, newRoot: true, userNamespace: true, pidNamespace: true },
  "userns-no-pid": { ...PLAIN, newRoot: true, userNamespace: true },
  "landlock-broker": { ...PLAIN, broker: true },
  landlock: PLAIN,
  none: PLAIN,
};

export function traits(setting: Setting): SettingTraits {
  return TRAITS[setting];
}

/** The strongest setting that may work here. Whether it does is found out by the run itself. */
export function firstSetting(facts: HostFacts): Setting {
  // The new root is closed by Landlock and seccomp as well; without them there is nothing to build on.
  if (facts.landlockAbi < 1 || !facts.seccompFilter) return withoutNamespaces(facts);
  return ((facts.capEffective >> CAP_SYS_ADMIN) & 1n) === 1n ? "root-mounts" : "userns";
}

/**
 * Whether the command enters a Landlock domain. One below ABI 2 refuses every rename and link between folders (EXDEV),
 * which a new root with a pid namespace spares ordinary work: it bounds files and tracing without the domain.
 */
export function usesLandlock({ landlockAbi }: HostFacts, setting: Setting): boolean {
  return landlockAbi >= 2 || (landlockAbi === 1 && !traits(setting).pidNamespace);
}

/** What is there without namespaces. */
export function withoutNamespaces(facts: HostFacts): Setting {
  if (facts.landlockAbi < 1) return "none";
  return facts.seccompFilter && facts.seccompUserNotif ? "landlock-broker" : "landlock";
}

/** The setting to try after one failed, undefined where the failure has nothing to do with it. */
export function nextSetting(setting: Setting, stage: Stage, facts: HostFacts): Setting | undefined {
  if (!NAMESPACE_STAGES.has(stage)) return undefined;
  if (traits(setting).broker) return "landlock";
  if (!traits(setting).newRoot) return undefined;
  if (stage === "proc" && setting === "root-mounts") return "root-mounts-no-pid";
  if (stage === "proc" && setting === "userns") return "userns-no-pid";
  return setting.startsWith("root-mounts") ? "userns" : withoutNamespaces(facts);
}

export function namespaceFlags(setting: Setting, network: "on" | "off"): number {
  const { newRoot, userNamespace, pidNamespace } = traits(setting);
  if (!newRoot) return 0;
  return (
    CLONE.mount |
    CLONE.ipc |
    (userNamespace ? CLONE.user : 0) |
    (pidNamespace ? CLONE.pid : 0) |
    (network === "off" ? CLONE.net : 0)
  );
}
