import { describe, expect, test } from "vitest";
import type { Protection } from "../../../src/core/protection.ts";
import {
  type BrokenSetting,
  type HostSigns,
  landlockCause,
  protectionRemedy,
  settingCause,
} from "../../../src/plan/causes.ts";
import type { HostFacts, Setting } from "../../../src/plan/types.ts";
import { FACTS } from "./sample-plan.ts";

const EPERM = 1;
const EACCES = 13;
const EINVAL = 22;
const ENOSPC = 28;
const ENOSYS = 38;
const EOPNOTSUPP = 95;

const SIGNS: HostSigns = {
  restrictUserns: false,
  maxUserNamespaces: 15_000,
  usernsClone: undefined,
  seccompFilter: false,
  noNewPrivs: false,
  label: undefined,
  lsm: ["capability", "landlock", "yama"],
  coveredProc: [],
  container: undefined,
};

type Row = readonly [
  name: string,
  broken: Partial<Omit<BrokenSetting, "signs">>,
  signs: Partial<HostSigns>,
  cause: string,
  remedy: string,
];

const BROKEN_BROKER = { setting: "landlock-broker", stage: "broker" } as const;

const ROWS: readonly Row[] = [
  ["a second listener", { ...BROKEN_BROKER, errno: 16 }, {}, "already listens", "outside of that program"],
  ["no killable wait", { ...BROKEN_BROKER, errno: EINVAL }, {}, "older than 5.19", "Linux 5.19"],
  ["Yama", { ...BROKEN_BROKER, errno: EPERM }, {}, "ptrace_scope", "sysctl -w kernel.yama.ptrace_scope=1"],
  ["a silent listener", { ...BROKEN_BROKER, errno: 110 }, {}, "handed over", "namespaces"],
  [
    "user.max_user_namespaces=0",
    { errno: ENOSPC },
    { maxUserNamespaces: 0 },
    "the sysctl user.max_user_namespaces is 0",
    "sysctl -w user.max_user_namespaces=15000",
  ],
  [
    "kernel.unprivileged_userns_clone=0",
    {},
    { usernsClone: 0 },
    "the sysctl kernel.unprivileged_userns_clone is 0",
    "sysctl -w kernel.unprivileged_userns_clone=1",
  ],
  [
    "the same, in a container with a filter: the sysctl is the surer sign",
    {},
    { usernsClone: 0, seccompFilter: true, container: "docker" },
    "unprivileged_userns_clone",
    "sysctl",
  ],
  ["too many namespaces", { errno: ENOSPC }, {}, "a limit on the number or depth", "user.max_*_namespaces"],
  [
    "Ubuntu's AppArmor rule",
    { stage: "mounts", errno: EACCES },
    { restrictUserns: true, label: "unconfined" },
    "AppArmor takes the capabilities from user namespaces",
    "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
  ],
  [
    "the same with no_new_privs: a profile would not take effect",
    { stage: "userns-map" },
    { restrictUserns: true, noNewPrivs: true },
    "AppArmor",
    "does not take effect while no_new_privs is set",
  ],
  [
    "root is not hit by that rule",
    { setting: "root-mounts", stage: "mounts" },
    { restrictUserns: true },
    "an outer sandbox",
    "outside of that sandbox",
  ],
  [
    "/proc covered, Docker",
    { stage: "proc" },
    {
      coveredProc: ["/proc/irq", "/proc/bus", "/proc/fs", "/proc/keys"],
      container: "docker",
      seccompFilter: true,
    },
    "/proc is covered in part (/proc/irq, /proc/bus, /proc/fs and 1 more)",
    "systempaths=unconfined",
  ],
  [
    "/proc covered, Kubernetes",
    { stage: "proc" },
    { coveredProc: ["/proc/irq"], container: "kubernetes" },
    "(/proc/irq)",
    "procMount: Unmasked",
  ],
  [
    "/proc covered, podman",
    { stage: "proc" },
    { coveredProc: ["/proc/irq"], container: "podman" },
    "/proc",
    "unmask",
  ],
  [
    "a filter of Docker's",
    {},
    { seccompFilter: true, container: "docker" },
    "a seccomp filter around paldron",
    "docker run --security-opt seccomp",
  ],
  [
    "a filter of Kubernetes'",
    {},
    { seccompFilter: true, container: "kubernetes" },
    "seccomp",
    "seccompProfile",
  ],
  ["a filter of somebody's", {}, { seccompFilter: true }, "seccomp filter", "outside of the sandbox"],
  [
    "a profile",
    { stage: "mounts", errno: EACCES },
    { label: "docker-default (enforce)", container: "docker", seccompFilter: true },
    "the security profile `docker-default (enforce)`",
    "apparmor=unconfined",
  ],
  ["a kernel without them", { errno: EINVAL }, {}, "built without these namespaces", "CONFIG_USER_NS"],
  [
    "an outer Landlock domain",
    { stage: "mounts" },
    { label: "unconfined" },
    "Landlock domain",
    "outside of that",
  ],
  ["nothing to go by", {}, {}, "does not say why", "outside of containers"],
  [
    "no matter of namespaces",
    { stage: "exec" },
    { usernsClone: 0 },
    "no matter of namespaces",
    "failure itself",
  ],
];

describe("why a setting does not work", () => {
  test.each(ROWS)("%s", (_, broken, signs, cause, remedy) => {
    const found = settingCause({
      setting: "userns",
      stage: "namespaces",
      errno: EPERM,
      ...broken,
      signs: { ...SIGNS, ...signs },
    });
    expect(found.cause).toContain(cause);
    expect(found.remedy).toContain(remedy);
  });
});

describe("why there is no Landlock", () => {
  test.each<[string, Partial<HostFacts>, Partial<HostSigns>, string | undefined, string]>([
    ["there is", {}, {}, undefined, ""],
    [
      "not in the list",
      { landlockAbi: 0, landlockErrno: EOPNOTSUPP },
      { lsm: ["capability", "apparmor"] },
      "not in the kernel's lsm= list (capability,apparmor)",
      "lsm=landlock,capability,apparmor",
    ],
    [
      "not in a list that cannot be read",
      { landlockAbi: 0, landlockErrno: EOPNOTSUPP },
      { lsm: undefined },
      "lsm= list",
      "lsm=landlock,...",
    ],
    [
      "too old",
      { landlockAbi: 0, landlockErrno: ENOSYS, release: "5.10.0-9-amd64" },
      {},
      "Linux 5.10.0",
      "Linux 5.13",
    ],
    [
      "too old by far",
      { landlockAbi: 0, landlockErrno: ENOSYS, release: "4.18.0" },
      {},
      "Linux 4.18.0",
      "6.12",
    ],
    [
      "a filter",
      { landlockAbi: 0, landlockErrno: ENOSYS, release: "6.1.0" },
      { seccompFilter: true },
      "a seccomp filter",
      "landlock_*",
    ],
    [
      "built without",
      { landlockAbi: 0, landlockErrno: ENOSYS, release: "5.15.0" },
      {},
      "built without",
      "CONFIG_",
    ],
  ])("%s", (_, facts, signs, cause, remedy) => {
    const found = landlockCause({ ...FACTS, ...facts }, { ...SIGNS, ...signs });
    if (cause === undefined) expect(found).toBeUndefined();
    else expect(found?.cause).toContain(cause);
    expect(found?.remedy ?? "").toContain(remedy);
  });
});

describe("what brings a protection", () => {
  test.each<[Protection, Setting, number, boolean, string | undefined]>([
    ["net-tcp", "userns", 7, true, "allow_network = false"],
    ["net-tcp", "landlock", 7, false, undefined],
    ["secrets-read", "landlock", 7, false, "a setting with namespaces (below)"],
    ["secrets-read", "userns", 7, false, undefined],
    ["net-unix", "landlock", 7, false, "a setting with namespaces (below), or Linux 7.1 or newer"],
    ["signals", "landlock", 4, false, "a setting with a pid namespace (below), or Linux 6.12 or newer"],
    ["signals", "landlock", 6, false, "a setting with a pid namespace (below)"],
    ["proc-others", "userns-no-pid", 7, false, "a setting with a pid namespace (below)"],
    ["secrets-late", "landlock", 7, false, undefined],
  ])("%s in %s with ABI %i, network %s", (name, setting, landlockAbi, allowNetwork, want) => {
    expect(protectionRemedy(name, { setting, facts: { ...FACTS, landlockAbi }, allowNetwork })).toBe(want);
  });
});
