import { describe, expect, test } from "vitest";
import { firstSetting, namespaceFlags, nextSetting } from "../../../src/plan/settings.ts";
import type { HostFacts, Setting } from "../../../src/plan/types.ts";
import type { Stage } from "../../../src/plan/wire.ts";
import { FACTS } from "./sample-plan.ts";

const SYS_ADMIN = { ...FACTS, uid: 0, capEffective: 1n << 21n };

test.each<[string, Partial<HostFacts>, Setting]>([
  ["an ordinary user", {}, "userns"],
  ["root", { uid: 0, capEffective: 0x1ff_ffff_ffffn }, "root-mounts"],
  ["root without CAP_SYS_ADMIN", { uid: 0, capEffective: 0xa80425fbn }, "userns"],
  ["a kernel without Landlock", { landlockAbi: 0 }, "none"],
  ["a kernel without seccomp", { seccompFilter: false }, "landlock"],
])("%s begins with the strongest setting", (_, facts, want) => {
  expect(firstSetting({ ...FACTS, ...facts })).toBe(want);
});

test.each<[Setting, Stage, Setting | undefined]>([
  ["root-mounts", "proc", "root-mounts-no-pid"],
  ["root-mounts", "namespaces", "userns"],
  ["root-mounts", "mounts", "userns"],
  ["root-mounts-no-pid", "mounts", "userns"],
  ["userns", "proc", "userns-no-pid"],
  ["userns", "namespaces", "landlock-broker"],
  ["userns", "userns-map", "landlock-broker"],
  ["userns", "loopback", "landlock-broker"],
  ["userns", "masks", "landlock-broker"],
  ["userns", "pivot", "landlock-broker"],
  ["userns-no-pid", "mounts", "landlock-broker"],
  ["landlock-broker", "broker", "landlock"],
  ["landlock-broker", "seccomp", undefined],
  ["landlock", "broker", undefined],
  ["userns", "exec", undefined],
  ["userns", "path", undefined],
  ["userns", "cwd", undefined],
  ["landlock", "namespaces", undefined],
  ["landlock", "landlock", undefined],
])("%s that failed at %s gives way to %s", (setting, stage, want) => {
  expect(nextSetting(setting, stage, SYS_ADMIN)).toBe(want);
});

describe("every way down ends", () => {
  test.each(["namespaces", "proc", "mounts", "broker"] as const)("%s", (stage) => {
    let setting: Setting | undefined = firstSetting(SYS_ADMIN);
    const seen: Setting[] = [];
    for (; setting !== undefined; setting = nextSetting(setting, stage, SYS_ADMIN)) {
      expect(seen).not.toContain(setting);
      seen.push(setting);
    }
    expect(seen.at(-1)).toBe("landlock");
  });
});

test.each<[Setting, "on" | "off", number]>([
  ["root-mounts", "off", 0x6802_0000],
  ["root-mounts", "on", 0x2802_0000],
  ["root-mounts-no-pid", "off", 0x4802_0000],
  ["userns", "off", 0x7802_0000],
  ["userns-no-pid", "on", 0x1802_0000],
  ["landlock", "off", 0],
])("%s with the network %s", (setting, network, flags) => {
  expect(namespaceFlags(setting, network)).toBe(flags);
});
