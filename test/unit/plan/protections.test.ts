import { describe, expect, test } from "vitest";
import { PROTECTIONS, type Protection } from "../../../src/core/protection.ts";
import { protectionTable } from "../../../src/plan/protections.ts";
import { defaultRequirements } from "../../../src/plan/requirements.ts";
import type { Setting } from "../../../src/plan/types.ts";
import { type Changes, input } from "./sample-input.ts";
import { DEVICE, FILE, record } from "./sample-plan.ts";

function table(changes: Changes = {}) {
  const { rest } = changes;
  return protectionTable(input({ ...changes, rest: { setting: "landlock", ...rest } }));
}

function enforced(changes: Changes = {}): readonly Protection[] {
  const states = table(changes);
  return PROTECTIONS.filter((name) => states[name].enforced);
}

const ALWAYS: readonly Protection[] = ["limits", "output"];
const OFFLINE: readonly Protection[] = ["net-tcp", "net-udp", "net-other"];
const LANDLOCK: readonly Protection[] = ["fs-write", "fs-read", "ptrace", "proc-others", "tty-others"];
/** What needs the network off and the rest of the disk closed. */
const LATE: readonly Protection[] = ["secrets-late"];
const SCOPE: readonly Protection[] = ["signals", "tree-kill"];

function sorted(...groups: readonly (readonly Protection[])[]): readonly Protection[] {
  const names = new Set(groups.flat());
  return PROTECTIONS.filter((name) => names.has(name));
}

const found = {
  rest: {
    secrets: {
      found: 3,
      masks: [record("/home/u/w/.env", FILE)],
      sockets: [],
      ancestors: [],
      leak: undefined,
    },
  },
};

describe("protections without namespaces", () => {
  test.each<[number, readonly (readonly Protection[])[]]>([
    [0, [ALWAYS, OFFLINE, ["ptrace"]]],
    [1, [ALWAYS, OFFLINE, LANDLOCK]],
    [2, [ALWAYS, OFFLINE, LANDLOCK]],
    [3, [ALWAYS, OFFLINE, LANDLOCK]],
    [4, [ALWAYS, OFFLINE, LANDLOCK]],
    [5, [ALWAYS, OFFLINE, LANDLOCK]],
    [6, [ALWAYS, OFFLINE, LANDLOCK, SCOPE]],
    [7, [ALWAYS, OFFLINE, LANDLOCK, SCOPE]],
    [8, [ALWAYS, OFFLINE, LANDLOCK, SCOPE]],
    [9, [ALWAYS, OFFLINE, LATE, LANDLOCK, SCOPE, ["net-unix"]]],
    [10, [ALWAYS, OFFLINE, LATE, LANDLOCK, SCOPE, ["net-unix"]]],
  ])("with Landlock ABI %i", (landlockAbi, groups) => {
    expect(enforced({ facts: { landlockAbi }, ...found })).toEqual(sorted(...groups));
  });

  test("with neither Landlock nor seccomp only limits are left", () => {
    expect(enforced({ facts: { landlockAbi: 0, seccompFilter: false }, ...found })).toEqual(ALWAYS);
  });

  test("without seccomp an old Landlock does not guard against truncation", () => {
    const without = (landlockAbi: number) =>
      table({ facts: { landlockAbi, seccompFilter: false } })["fs-write"];
    expect(without(2)).toMatchObject({ enforced: false });
    expect(without(3)).toMatchObject({ enforced: true });
    expect(table({ facts: { landlockAbi: 2 } })["fs-write"].by).toBe("Landlock ABI 2, truncation by seccomp");
  });

  test("with the network on nothing of it is held, and loopback is there", () => {
    expect(enforced({ policy: { allowNetwork: true }, ...found })).toEqual(
      sorted(ALWAYS, LANDLOCK, SCOPE, ["net-loopback"]),
    );
  });

  test("secrets are kept from being read only where there are none", () => {
    expect(table()["secrets-read"]).toEqual({ enforced: true, by: "nothing in the workspace matches" });
    expect(table(found)["secrets-read"]).toMatchObject({ enforced: false });
  });

  test("what is made during the run stays in it while the network is off", () => {
    const by = "inotify: output that comes after such a file waits for the verdict";
    const rest = { setting: "landlock-broker" as const };
    expect(table({ rest })["secrets-late"]).toEqual({ enforced: true, by });
    // What it says could be handed to a daemon.
    expect(table()["secrets-late"]).toMatchObject({ enforced: false, by });
    expect(table({ policy: { allowNetwork: true } })["secrets-late"]).toMatchObject({ enforced: false, by });
  });

  test.each<[string, Changes["paths"], Protection]>([
    ["/proc", { proc: record("/proc") }, "proc-others"],
    ["/dev/pts", { devices: [record("/dev/pts")] }, "tty-others"],
    ["/dev", { devices: [record("/dev")] }, "tty-others"],
    ["/dev/tty1", { devices: [record("/dev/tty1", DEVICE)] }, "tty-others"],
    ["/dev/console", { devices: [record("/dev/console", DEVICE)] }, "tty-others"],
  ])("granting %s gives up what it shows", (_, paths = {}, name) => {
    expect(table()[name].enforced).toBe(true);
    expect(table({ paths })[name]).toMatchObject({ enforced: false });
  });

  test("the command's own terminal is not another's", () => {
    const devices = ["/dev/tty", "/dev/ptmx", "/dev/null"].map((path) => record(path, DEVICE));
    expect(table({ paths: { devices } })["tty-others"].enforced).toBe(true);
  });

  test("shared memory is named where writes are held", () => {
    expect(table({ paths: { sharedMemory: record("/dev/shm") } })["fs-write"].by).toContain(
      "/dev/shm is shared",
    );
  });

  test.each([0, 2, 5, 7, 10])("each state at ABI %i says by what, or why not", (landlockAbi) => {
    for (const state of Object.values(table({ facts: { landlockAbi }, ...found }))) {
      expect(state.enforced ? state.by : state.why_not).toMatch(/^\S.*[^.]$/);
    }
  });
});

describe("protections with a broker", () => {
  const brokered = (changes: Changes = {}) =>
    enforced({ ...changes, rest: { ...found.rest, setting: "landlock-broker" } });

  test("metadata is held, and with the network off unix sockets", () => {
    const held = sorted(ALWAYS, LANDLOCK, SCOPE, ["metadata"]);
    expect(brokered()).toEqual(sorted(held, OFFLINE, LATE, ["net-unix"]));
    expect(brokered({ policy: { allowNetwork: true } })).toEqual(sorted(held, ["net-loopback"]));
  });

  test("below the scope it holds signals and the tree", () => {
    expect(brokered({ facts: { landlockAbi: 5 } })).toEqual(brokered());
    const rest = { ...found.rest, setting: "landlock-broker" as const };
    expect(table({ facts: { landlockAbi: 5 }, rest }).signals.by).toMatch(/^broker/);
    expect(table({ rest }).signals.by).toBe("Landlock signal scope");
  });

  test("where Landlock knows unix sockets it holds them", () => {
    const rest = { ...found.rest, setting: "landlock-broker" as const };
    expect(table({ facts: { landlockAbi: 9 }, rest })["net-unix"].by).toBe("Landlock");
    expect(table({ facts: { landlockAbi: 8 }, rest })["net-unix"].by).toMatch(/^broker/);
  });

  test("without one the reason says why", () => {
    const rest = { ...found.rest, strongerFailed: "landlock-broker: broker (canary: EPERM)" };
    expect(table({ rest })["net-unix"].why_not).toMatch(
      /or a mount namespace, which cannot be had \(.*canary/,
    );
  });
});

describe("protections with a new root", () => {
  const HELD: readonly Protection[] = [
    ...ALWAYS,
    ...LANDLOCK,
    ...SCOPE,
    "secrets-read",
    "net-unix",
    "metadata",
    "later-exec",
    "net-loopback",
  ];
  const inSetting = (setting: Setting, changes: Changes = {}) =>
    enforced({ ...changes, rest: { ...found.rest, ...changes.rest, setting } });
  const without = (names: readonly Protection[], ...left: readonly Protection[]) =>
    sorted(names.filter((name) => !left.includes(name)));

  test.each(["root-mounts", "userns"] as const)("%s holds all that a setting can", (setting) => {
    expect(inSetting(setting)).toEqual(sorted(HELD, OFFLINE, LATE));
    expect(inSetting(setting, { policy: { allowNetwork: true } })).toEqual(sorted(HELD));
  });

  test.each(["root-mounts-no-pid", "userns-no-pid"] as const)(
    "%s leaves other processes in sight",
    (setting) => {
      expect(inSetting(setting)).toEqual(without([...HELD, ...OFFLINE, ...LATE], "proc-others"));
      const old = { facts: { landlockAbi: 5 } };
      expect(inSetting(setting, old)).toEqual(
        without([...HELD, ...OFFLINE, ...LATE], "proc-others", ...SCOPE),
      );
    },
  );

  test("abstract sockets need the scope where the network is shared", () => {
    const shared = { facts: { landlockAbi: 5 }, policy: { allowNetwork: true } };
    expect(inSetting("userns", shared)).not.toContain("net-unix");
    expect(inSetting("userns", { facts: { landlockAbi: 5 } })).toContain("net-unix");
  });

  test("a secret with names that are not known is not hidden", () => {
    const secrets = { ...found.rest.secrets, leak: "other names of .env are not known" };
    const state = table({ rest: { secrets, setting: "userns" } })["secrets-read"];
    expect(state).toEqual({ enforced: false, by: "masks over 1 paths", why_not: secrets.leak });
  });

  test("why there is no mount namespace is said", () => {
    const rest = { ...found.rest, strongerFailed: "userns: namespaces (EPERM)" };
    expect(table({ rest })["secrets-read"].why_not).toMatch(
      /cannot be had \(userns: namespaces \(EPERM\)\)$/,
    );
  });
});

test("default requirements", () => {
  const always: readonly Protection[] = ["fs-write", "fs-read", "signals", "ptrace", "tree-kill"];
  expect(sorted(defaultRequirements(false))).toEqual(sorted(always, OFFLINE, ["net-unix"]));
  expect(sorted(defaultRequirements(true))).toEqual(sorted(always));
});
