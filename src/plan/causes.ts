import type { Protection } from "../core/protection.ts";
import { brokerCause } from "./causes-broker.ts";
import { leastKernel } from "./landlock-abi.ts";
import { ABI } from "./protections.ts";
import { traits } from "./settings.ts";
import type { HostFacts, Setting } from "./types.ts";
import { NAMESPACE_STAGES, type Stage } from "./wire.ts";

/** What a host says about itself. Undefined: it does not say. */
export interface HostSigns {
  /** Sysctl `kernel.apparmor_restrict_unprivileged_userns` (Ubuntu 23.10 and newer). */
  readonly restrictUserns: boolean;
  /** Sysctl `user.max_user_namespaces`. */
  readonly maxUserNamespaces: number | undefined;
  /** Sysctl `kernel.unprivileged_userns_clone` (Debian and its kin). */
  readonly usernsClone: number | undefined;
  /** Paldron itself runs under a seccomp filter. */
  readonly seccompFilter: boolean;
  readonly noNewPrivs: boolean;
  /** Label of the security module that confines Paldron. */
  readonly label: string | undefined;
  /** Active security modules. */
  readonly lsm: readonly string[] | undefined;
  /** Entries of /proc that something is mounted on. */
  readonly coveredProc: readonly string[];
  readonly container: "docker" | "podman" | "kubernetes" | undefined;
}

/** Why something does not work, and what would change that. */
export interface Cause {
  readonly cause: string;
  readonly remedy: string;
}

/** A setting whose chain of steps broke off. */
export interface BrokenSetting {
  readonly setting: Setting;
  readonly stage: Stage;
  readonly errno: number;
  readonly signs: HostSigns;
}

/** errno(3), the same on x86_64 and aarch64. */
const EPERM = 1;
const EACCES = 13;
const EINVAL = 22;
const ENOSPC = 28;
const ENOSYS = 38;
const EUSERS = 87;
const EOPNOTSUPP = 95;

type Rule = (broken: BrokenSetting) => Cause | undefined;

const refused = ({ errno }: BrokenSetting): boolean => errno === EPERM || errno === EACCES;
const asUser = ({ setting }: BrokenSetting): boolean => traits(setting).userNamespace;

function sysctl(name: string, value: number): string {
  return `sysctl -w ${name}=${value} (to keep it: a file in /etc/sysctl.d)`;
}

/** The most telling one first. */
const RULES: readonly Rule[] = [
  (broken) => (broken.stage === "broker" ? brokerCause(broken.errno) : undefined),
  (broken) => {
    if (!asUser(broken) || broken.signs.maxUserNamespaces !== 0) return undefined;
    const name = "user.max_user_namespaces";
    return { cause: `the sysctl ${name} is 0`, remedy: sysctl(name, 15_000) };
  },
  (broken) => {
    if (!asUser(broken) || broken.signs.usernsClone !== 0) return undefined;
    const name = "kernel.unprivileged_userns_clone";
    return { cause: `the sysctl ${name} is 0`, remedy: sysctl(name, 1) };
  },
  ({ errno }) =>
    errno === ENOSPC || errno === EUSERS
      ? {
          cause: "a limit on the number or depth of namespaces is reached",
          remedy: "raise the sysctls user.max_*_namespaces, or nest containers less deep",
        }
      : undefined,
  (broken) =>
    asUser(broken) && refused(broken) && broken.signs.restrictUserns ? apparmor(broken) : undefined,
  ({ stage, signs }) => (stage === "proc" && signs.coveredProc.length > 0 ? coveredProc(signs) : undefined),
  ({ stage, errno, signs }) =>
    stage === "namespaces" && (errno === EPERM || errno === ENOSYS) && signs.seccompFilter
      ? {
          cause: "a seccomp filter around paldron refuses new namespaces",
          remedy: byContainer(signs, {
            docker:
              "docker run --security-opt seccomp=FILE with a profile that allows clone, unshare and mount",
            podman:
              "podman run --security-opt seccomp=FILE with a profile that allows clone, unshare and mount",
            kubernetes: "a seccompProfile of type Localhost that allows clone, unshare and mount",
            none: "start paldron outside of the sandbox or service that sets the filter",
          }),
        }
      : undefined,
  (broken) => {
    const { label } = broken.signs;
    if (!refused(broken) || label === undefined || label === "" || label === "unconfined") return undefined;
    return {
      cause: `the security profile \`${label}\` around paldron may refuse it`,
      remedy: byContainer(broken.signs, {
        docker: "docker run --security-opt apparmor=unconfined, or a profile that allows userns and mount",
        podman: "podman run --security-opt apparmor=unconfined, or a profile that allows userns and mount",
        kubernetes: "an appArmorProfile that allows userns and mount",
        none: "allow userns and mount in that profile",
      }),
    };
  },
  ({ stage, errno }) =>
    stage === "namespaces" && (errno === EINVAL || errno === ENOSYS)
      ? {
          cause: "the kernel is built without these namespaces",
          remedy: "a kernel with CONFIG_NAMESPACES and CONFIG_USER_NS",
        }
      : undefined,
  ({ stage, errno, signs }) =>
    errno === EPERM && stage !== "namespaces"
      ? {
          cause: `${signs.seccompFilter ? "a seccomp filter or " : ""}an outer sandbox around paldron (a Landlock domain refuses every mount)`,
          remedy: "start paldron outside of that sandbox",
        }
      : undefined,
];

/** Why a setting does not work here, as far as the host tells. */
export function settingCause(broken: BrokenSetting): Cause {
  if (!NAMESPACE_STAGES.has(broken.stage)) {
    return { cause: "this is no matter of namespaces", remedy: "see the failure itself" };
  }
  for (const rule of RULES) {
    const found = rule(broken);
    if (found !== undefined) return found;
  }
  return {
    cause: "the kernel does not say why",
    remedy: "compare with paldron doctor outside of containers, chroots and sandboxes",
  };
}

function apparmor({ signs }: BrokenSetting): Cause {
  const name = "kernel.apparmor_restrict_unprivileged_userns";
  const late = signs.noNewPrivs ? " (it does not take effect while no_new_privs is set, as it is here)" : "";
  return {
    cause: `AppArmor takes the capabilities from user namespaces (the sysctl ${name} is 1)`,
    remedy: `an AppArmor profile with flags=(unconfined) and \`userns,\` for the launcher${late}, or ${sysctl(name, 0)}`,
  };
}

function coveredProc(signs: HostSigns): Cause {
  const shown = signs.coveredProc.slice(0, 3).join(", ");
  const more = signs.coveredProc.length > 3 ? ` and ${signs.coveredProc.length - 3} more` : "";
  return {
    cause: `/proc is covered in part (${shown}${more}), so the kernel lets no new one be mounted`,
    remedy: byContainer(signs, {
      docker: "docker run --security-opt systempaths=unconfined",
      podman: "podman run --security-opt unmask=ALL",
      kubernetes: "procMount: Unmasked in the securityContext",
      none: "unmount what covers it, or start paldron outside of the container",
    }),
  };
}

function byContainer(
  { container }: HostSigns,
  remedies: Readonly<Record<"docker" | "podman" | "kubernetes" | "none", string>>,
): string {
  return remedies[container ?? "none"];
}

/** Why there is no Landlock; undefined where there is. */
export function landlockCause(facts: HostFacts, signs: HostSigns): Cause | undefined {
  if (facts.landlockAbi >= 1) return undefined;
  if (facts.landlockErrno === EOPNOTSUPP) {
    const active = signs.lsm === undefined ? "..." : signs.lsm.join(",");
    return {
      cause: `Landlock is built in but not in the kernel's lsm= list${signs.lsm === undefined ? "" : ` (${active})`}`,
      remedy: `boot with lsm=landlock,${active}`,
    };
  }
  if (isOlder(facts.release, leastKernel(1))) {
    return {
      cause: `Linux ${facts.release} has no Landlock`,
      remedy: `Linux ${leastKernel(1)} or newer (${leastKernel(ABI.scope)} for full protection without namespaces)`,
    };
  }
  if (signs.seccompFilter) {
    return {
      cause: "a seccomp filter around paldron refuses Landlock",
      remedy: "start paldron outside of it, or with a profile that allows the landlock_* system calls",
    };
  }
  return {
    cause: "the kernel is built without Landlock",
    remedy: "a kernel with CONFIG_SECURITY_LANDLOCK and landlock in its lsm= list",
  };
}

/** Whether a release like `6.8.0-31-generic` is below a version like `6.12`. */
function isOlder(release: string, version: string): boolean {
  const [major = 0, minor = 0] = release.split(".").map((part) => Number.parseInt(part, 10) || 0);
  const [wantedMajor = 0, wantedMinor = 0] = version.split(".").map(Number);
  return major < wantedMajor || (major === wantedMajor && minor < wantedMinor);
}

/** What brings a protection on a host where only a weaker setting works. */
interface Bringer {
  readonly newRoot?: true;
  readonly pidNamespace?: true;
  /** Landlock ABI from which it holds without namespaces. */
  readonly abi?: number;
}

const BRINGERS: Partial<Readonly<Record<Protection, Bringer>>> = {
  "secrets-read": { newRoot: true },
  "net-unix": { newRoot: true, abi: ABI.resolveUnix },
  "net-loopback": { newRoot: true },
  "tty-others": { newRoot: true },
  metadata: { newRoot: true },
  signals: { pidNamespace: true, abi: ABI.scope },
  "tree-kill": { pidNamespace: true, abi: ABI.scope },
  "proc-others": { pidNamespace: true },
};

/** What would make a missing protection hold; undefined where nothing on this host or in the policy would. */
export function protectionRemedy(
  name: Protection,
  { setting, facts, allowNetwork }: { setting: Setting; facts: HostFacts; allowNetwork: boolean },
): string | undefined {
  if (allowNetwork && name.startsWith("net-") && name !== "net-unix") return "allow_network = false";
  const bringer = BRINGERS[name];
  if (bringer === undefined) return undefined;
  const { newRoot, pidNamespace } = traits(setting);
  const wanted: string[] = [];
  if (bringer.newRoot && !newRoot) wanted.push("a setting with namespaces (below)");
  if (bringer.pidNamespace && !pidNamespace) wanted.push("a setting with a pid namespace (below)");
  if (bringer.abi !== undefined && facts.landlockAbi < bringer.abi)
    wanted.push(`Linux ${leastKernel(bringer.abi)} or newer`);
  return wanted.length === 0 ? undefined : wanted.join(", or ");
}
