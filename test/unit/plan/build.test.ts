import { describe, expect, test } from "vitest";
import { buildPlan, isRefusal } from "../../../src/plan/build.ts";
import { encodeRun } from "../../../src/plan/encode.ts";
import { buildSeccomp } from "../../../src/plan/seccomp.ts";
import type { Refusal, SandboxPlan } from "../../../src/plan/types.ts";
import { type Changes, input } from "./sample-input.ts";
import { DEVICE, FILE, record } from "./sample-plan.ts";

function plan(changes: Changes = {}): SandboxPlan {
  const result = buildPlan(input(changes));
  if (isRefusal(result)) throw new Error(result.message);
  return result;
}

function refused(changes: Changes): Refusal {
  const result = buildPlan(input(changes));
  if (!isRefusal(result)) throw new Error("a plan was made");
  return result;
}

/** Rights by path, as hexadecimal numbers. */
function granted(made: SandboxPlan): Record<string, string> {
  const rules = made.landlock?.paths ?? [];
  return Object.fromEntries(rules.map(({ path, access }) => [path.path, access.toString(16)]));
}

const anyKernel = { requireOsIsolation: false } as const;

describe.each(["x86_64", "aarch64"] as const)("a plan on %s", (arch) => {
  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])("with Landlock ABI %i", (landlockAbi) => {
    const made = plan({ facts: { arch, landlockAbi }, policy: anyKernel });
    expect(encodeRun(made).length).toBeGreaterThan(1000);
    expect(made.setting).toBe(landlockAbi === 0 ? "none" : "landlock-broker");
    expect(made.treeKill).toBe(landlockAbi >= 6 ? "scope" : "sweep");
    expect(made.dropPrivileges).toBe(true);
    expect(made.seccomp).toEqual(
      buildSeccomp(arch, {
        network: "off",
        tracingBounded: landlockAbi >= 1,
        sealedMemory: false,
        refuseTruncation: landlockAbi === 1 || landlockAbi === 2,
        metadata: landlockAbi === 0 ? "open" : "broker",
        sockets: landlockAbi >= 1 && landlockAbi < 9 ? "broker" : "open",
        processes: landlockAbi === 0 ? "open" : landlockAbi < 6 ? "signals" : "scheduling",
      }),
    );
    const ruleset = made.landlock;
    if (landlockAbi === 0) {
      expect(ruleset).toBeUndefined();
      expect(made.scratch?.access).toBe(0n);
      return;
    }
    expect(ruleset?.handledNet).toBe(landlockAbi >= 10 ? 15n : landlockAbi >= 4 ? 3n : 0n);
    expect(ruleset?.scoped).toBe(landlockAbi >= 6 ? 3n : 0n);
    expect(ruleset?.restrictFlags).toBe(landlockAbi >= 7 ? 4 : 0);
    for (const { access } of ruleset?.paths ?? []) {
      expect(access).not.toBe(0n);
      expect(access & ~(ruleset?.handledFs ?? 0n)).toBe(0n);
    }
  });
});

describe("a new root on an old kernel", () => {
  test.each([
    { landlockAbi: 1, setting: "userns", domain: false },
    { landlockAbi: 1, setting: "userns-no-pid", domain: true },
    { landlockAbi: 2, setting: "userns", domain: true },
  ] as const)("ABI $landlockAbi, $setting: files are cut and renamed as ever", (row) => {
    const made = plan({
      facts: { landlockAbi: row.landlockAbi },
      policy: anyKernel,
      rest: { setting: row.setting },
    });
    expect(made.landlock !== undefined).toBe(row.domain);
    expect(made.namespaces?.steps.some(({ kind }) => kind === "landlock")).toBe(row.domain);
    expect(made.seccomp).toEqual(
      buildSeccomp("x86_64", {
        network: "own",
        tracingBounded: true,
        sealedMemory: false,
        refuseTruncation: false,
        metadata: "mounted",
        sockets: "open",
        processes: row.setting === "userns" ? "own" : "open",
      }),
    );
    expect(made.protections["fs-write"].by).toBe(
      row.domain ? `new root and Landlock ABI ${row.landlockAbi}` : "new root",
    );
    expect(encodeRun(made).length).toBeGreaterThan(1000);
  });
});

describe("the broker", () => {
  test("acts where the command may write", () => {
    const made = plan({ paths: { sharedMemory: record("/dev/shm") } }).broker;
    expect(made?.classes).toEqual(["metadata", "sockets", "processes"]);
    expect(made?.places.map(({ path }) => path)).toEqual(["/home/u/w", "/dev/shm"]);
    expect(made?.sockets).toEqual([]);
    const narrow = plan({ paths: { writePaths: [record("/home/u/w/out")] } }).broker;
    expect(narrow?.places.map(({ path }) => path)).toEqual(["/home/u/w/out"]);
  });

  test("leaves sockets alone with the network on", () => {
    expect(plan({ policy: { allowNetwork: true } }).broker?.classes).toEqual(["metadata", "processes"]);
  });

  test("is not there with a new root", () => {
    expect(plan({ rest: { setting: "userns" } }).broker).toBeUndefined();
    expect(plan({ policy: anyKernel, rest: { setting: "landlock" } }).broker).toBeUndefined();
  });
});

describe("paths", () => {
  test("the workspace is changed, the runtime runs, the rest is read", () => {
    expect(granted(plan())).toEqual({
      "/usr": "d",
      "/home/u/.pyenv": "d",
      "/opt/data": "d",
      "/etc/passwd": "4",
      "/dev/null": "c006",
      "/home/u/w": "77bf",
    });
    expect(plan().scratch?.access.toString(16)).toBe("77bf");
  });

  test("kept caches are changed, the folder around them is not; their links are made in the home", () => {
    const caches = { around: record("/kept"), folders: [record("/kept/npm"), record("/kept/pip")] };
    const made = plan({ rest: { home: { links: [{ path: ".npm/x", text: "/kept/npm" }], caches } } });
    expect(granted(made)).toMatchObject({ "/kept/npm": "77bf", "/kept/pip": "77bf" });
    expect(granted(made)).not.toHaveProperty("/kept");
    expect(made.scratch?.links).toEqual([{ path: "home/.npm/x", text: "/kept/npm" }]);
  });

  test("write_paths leaves the rest of the workspace readable and executable", () => {
    const made = plan({ paths: { writePaths: [record("/home/u/w/out"), record("/home/u/w/log", FILE)] } });
    expect(granted(made)).toMatchObject({
      "/home/u/w": "d",
      "/home/u/w/out": "77bf",
      "/home/u/w/log": "4007",
    });
    expect(granted(plan({ paths: { writePaths: [] } }))["/home/u/w"]).toBe("d");
  });

  test("a path granted twice has both grants in one rule", () => {
    const tool = record("/home/u/w/tool", FILE);
    const made = plan({ paths: { readPaths: [tool], writePaths: [tool], readable: [tool] } });
    expect(granted(made)[tool.path]).toBe("4007");
    expect(made.landlock?.paths.filter(({ path }) => path.path === tool.path).length).toBe(1);
  });

  test("the program itself is not granted: it must lie in what the run may execute", () => {
    const program = record("/home/u/secret/tool", FILE);
    expect(granted(plan({ rest: { program } }))).not.toHaveProperty(program.path);
  });

  test("shared memory and /proc only where the host gives them", () => {
    expect(granted(plan())).not.toHaveProperty("/dev/shm");
    const made = plan({ paths: { sharedMemory: record("/dev/shm"), proc: record("/proc") } });
    expect(granted(made)).toMatchObject({ "/dev/shm": "77be", "/proc": "c" });
  });
});

describe("network", () => {
  test("off: no TCP by Landlock, no sockets by seccomp; on: neither", () => {
    expect(plan().landlock?.handledNet).toBe(3n);
    const open = plan({ policy: { allowNetwork: true } });
    expect(open.landlock?.handledNet).toBe(0n);
    expect(open.seccomp).not.toEqual(plan().seccomp);
    // Abstract sockets of other programs stay out of reach.
    expect(open.landlock?.scoped).toBe(3n);
  });

  test("off stays off without required isolation", () => {
    expect(plan({ policy: anyKernel }).seccomp).toEqual(plan().seccomp);
    expect(plan({ policy: anyKernel, facts: { landlockAbi: 0 } }).protections["net-tcp"].enforced).toBe(true);
  });
});

describe("limits", () => {
  test("by default: CPU with room to say why, file size, files, no core", () => {
    expect(plan().limits).toEqual([
      { resource: 0, soft: 60n, hard: 62n },
      { resource: 1, soft: 1n << 30n, hard: 1n << 30n },
      { resource: 7, soft: 1024n, hard: 1024n },
      { resource: 4, soft: 0n, hard: 0n },
    ]);
    const room = { folder: plan().cwd, bytes: 256n << 20n, inodes: 10_000n };
    expect(plan().watchdog).toEqual({ intervalMs: 50, memoryBytes: 1n << 33n, processes: 4096, room });
  });

  test("room on the disk: little of a small one, a quarter of what is free, nothing where nothing is told", () => {
    const mib = (count: number): bigint => BigInt(count) << 20n;
    const room = (bytes: bigint, bytesFree: bigint, inodes = 0n): unknown =>
      plan({ rest: { disk: { bytes, bytesFree, inodes, inodesFree: inodes } } }).watchdog?.room;
    expect(room(mib(64), mib(60))).toMatchObject({ bytes: mib(1), inodes: 0n });
    expect(room(mib(1 << 20), mib(100))).toMatchObject({ bytes: mib(25) });
    expect(room(0n, 0n, 6400n)).toMatchObject({ bytes: 0n, inodes: 100n });
    expect(room(0n, 0n)).toBeUndefined();
    expect(room(mib(64), 0n)).toBeUndefined();
  });

  test("RLIMIT_DATA only for a memory limit that the policy sets, never RLIMIT_AS or RLIMIT_NPROC", () => {
    const policy = {
      maxMemoryMb: 512,
      maxProcesses: 7,
      setLimits: new Set(["max_memory_mb", "max_processes"]),
    };
    const made = plan({ policy });
    expect(made.limits).toContainEqual({ resource: 2, soft: 512n << 20n, hard: 512n << 20n });
    expect(made.watchdog).toMatchObject({ memoryBytes: 512n << 20n, processes: 7 });
    const larger = plan({ policy, rest: { machineMemory: 64n << 30n } });
    const roomForJvm = (1024n + 256n) << 20n;
    expect(larger.limits).toContainEqual({ resource: 2, soft: roomForJvm, hard: roomForJvm });
    expect(larger.watchdog).toMatchObject({ memoryBytes: 512n << 20n });
    for (const { limits } of [plan(), made]) {
      expect(limits.map(({ resource }) => resource)).not.toContain(9);
      expect(limits.map(({ resource }) => resource)).not.toContain(6);
    }
  });

  test("RLIMIT_NPROC inside a user namespace, above where the watchdog stops the run", () => {
    const policy = { maxProcesses: 7, setLimits: new Set(["max_processes"]) };
    const made = plan({ policy, rest: { setting: "userns" } });
    expect(made.watchdog?.processes).toBe(7);
    expect(made.limits).toContainEqual({ resource: 6, soft: 24n, hard: 24n });
    const root = plan({ policy, rest: { setting: "userns" }, facts: { uid: 0 } });
    expect(root.limits.map(({ resource }) => resource)).not.toContain(6);
  });

  test("stay without isolation", () => {
    const made = plan({ policy: anyKernel, facts: { landlockAbi: 0, seccompFilter: false } });
    expect(made.limits).toEqual(plan().limits);
    expect(made.watchdog).toEqual(plan().watchdog);
    expect(made.seccomp).toBeUndefined();
    expect(made.protections.limits.enforced).toBe(true);
  });

  test("times, output and what is sent to the launcher", () => {
    expect(plan({ policy: { timeoutSec: 9e9 } }).timeoutMs).toBe(9_000_000_000_000n);
    expect(plan()).toMatchObject({ timeoutMs: 30_000n, graceMs: 1000, oomScoreAdj: 1000 });
    expect(plan().output).toEqual({ copyBytes: 1 << 20, relayBytes: 0n });
    expect(plan({ rest: { output: { copyBytes: 5, relayBytes: 6n } } }).output.copyBytes).toBe(5);
  });

  test.each([
    [7, true],
    [3, true],
    [5, false],
    [6, false],
    [0, false],
  ])("of a terminal on descriptors %i the keys come at once: %s", (terminals, foreground) => {
    const made = plan({ facts: { terminals }, rest: { jobControl: true } });
    expect(made.terminal).toEqual({ streams: terminals, foreground, shown: true, filter: false });
  });

  test("a terminal is the command's own only where the caller follows it, and shows nothing that Jev is to judge", () => {
    expect(plan({ facts: { terminals: 7 } }).terminal.streams).toBe(0);
    const judged = { facts: { terminals: 1 }, rest: { jobControl: true } };
    expect(plan({ ...judged, policy: { jevVerdict: true } }).terminal.shown).toBe(false);
    expect(plan({ policy: { terminal: "filter" } }).terminal.filter).toBe(true);
  });
});

describe("refusals", () => {
  test("an old kernel is refused with the kernel it needs, and runs when the policy says so", () => {
    const facts = { landlockAbi: 0, landlockErrno: 38, release: "5.4.0" };
    expect(refused({ facts }).message).toBe(
      "this machine cannot enforce isolation: Landlock is not available (errno 38); it needs Linux 5.13, full protection 6.12, and must be enabled in its `lsm=` list",
    );
    expect(plan({ facts, policy: anyKernel }).protections["fs-write"].enforced).toBe(false);
  });

  test("no seccomp is refused", () => {
    expect(refused({ facts: { seccompFilter: false } }).message).toContain(
      "seccomp filters are not available",
    );
    // Also when nothing is required by name.
    expect(refused({ facts: { seccompFilter: false }, policy: { require: [] } }).missing).toEqual([]);
  });

  test("below ABI 6 and without a broker signals, the tree and sockets cannot be held", () => {
    const rest = { setting: "landlock" } as const;
    const { missing, message } = refused({ facts: { landlockAbi: 5 }, rest });
    expect(missing).toEqual(["signals", "tree-kill", "net-unix"]);
    expect(message).toContain(
      "this machine cannot enforce signals (Landlock signal scope needs Linux 6.12 (Landlock ABI 6)); tree-kill (the command can kill its supervisor below Linux 6.12 (Landlock ABI 6))",
    );
    expect(plan({ facts: { landlockAbi: 6 } }).treeKill).toBe("scope");
    expect(plan({ facts: { landlockAbi: 5 } }).treeKill).toBe("sweep");
  });

  test("what the policy requires by name holds or the run is refused, isolation required or not", () => {
    const policy = { require: ["programs", "fs-write"] as const };
    expect(refused({ policy }).missing).toEqual(["programs"]);
    expect(refused({ policy: { ...policy, ...anyKernel } }).missing).toEqual(["programs"]);
    expect(plan({ policy: { require: ["fs-write"] } }).protections.programs.enforced).toBe(false);
  });

  test("an allowed network is not required to be off, unless named", () => {
    expect(plan({ policy: { allowNetwork: true } }).protections["net-tcp"].enforced).toBe(false);
    expect(refused({ policy: { allowNetwork: true, require: ["net-tcp"] } }).missing).toEqual(["net-tcp"]);
  });

  test("a device of the machine is not a reason", () => {
    expect(isRefusal(buildPlan(input({ paths: { devices: [record("/dev/tty", DEVICE)] } })))).toBe(false);
  });
});
