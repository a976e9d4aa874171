import { describe, expect, test } from "vitest";
import { buildSeccomp } from "../../../src/plan/seccomp.ts";
import { type FilterOptions, seccompRules } from "../../../src/plan/seccomp-rules.ts";
import { SYSCALLS } from "../../../src/plan/syscalls.ts";
import { decodeProgram, run, verify } from "./bpf-interpreter.ts";
import {
  ALWAYS,
  type Answer,
  BROKERED,
  BROKERED_OTHERS,
  CASES,
  type Case,
  NETWORK,
  OTHERS,
  SIGNALS,
  TRUNCATION,
  UNBOUNDED,
} from "./seccomp-spec.ts";

const ARCHES = [
  { arch: "x86_64", audit: 0xc000003e },
  { arch: "aarch64", audit: 0xc00000b7 },
] as const;
const ERRNO = {
  EPERM: 1,
  EACCES: 13,
  ENOSYS: 38,
  EPROTONOSUPPORT: 93,
  EOPNOTSUPP: 95,
  EAFNOSUPPORT: 97,
} as const;
const OPTIONS: FilterOptions = {
  network: "off",
  tracingBounded: true,
  sealedMemory: false,
  refuseTruncation: false,
  metadata: "open",
  sockets: "open",
  processes: "open",
};
const LAST = 469;

type Arch = (typeof ARCHES)[number]["arch"];

function returned(answer: Answer): number {
  if (answer === "allow") return 0x7fff0000;
  if (answer === "kill") return 0x80000000;
  if (answer === "broker") return 0x7fc00000;
  return 0x00050000 | ERRNO[answer];
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** Answers by name for all-zero arguments; what is not in the map is allowed. */
function refused(unbounded: boolean): ReadonlyMap<string, Answer> {
  const map = new Map<string, Answer>();
  for (const [answer, names] of Object.entries(ALWAYS)) {
    for (const name of words(names)) map.set(name, answer as Answer);
  }
  if (unbounded) for (const name of words(UNBOUNDED)) map.set(name, "EPERM");
  return map;
}

function program(arch: Arch, options: FilterOptions) {
  const decoded = decodeProgram(buildSeccomp(arch, options));
  verify(decoded);
  return decoded;
}

function checkCases(arch: Arch, options: FilterOptions, cases: readonly Case[]): number {
  const audit = ARCHES.find((known) => known.arch === arch)?.audit ?? 0;
  const compiled = program(arch, options);
  let checked = 0;
  for (const { call, args, want } of cases) {
    const nr = SYSCALLS[arch][call];
    if (nr === undefined) {
      expect(SYSCALLS.x86_64[call], `${call} is a system call`).toBeDefined();
      continue;
    }
    const value = run(compiled, { nr, arch: audit, args: args.map((arg) => BigInt(arg)) }).value;
    expect(`${call}(${args.join(", ")}) 0x${value.toString(16)}`).toBe(
      `${call}(${args.join(", ")}) 0x${returned(want).toString(16)}`,
    );
    checked += 1;
  }
  return checked;
}

describe.each(ARCHES)("the filter on $arch", ({ arch, audit }) => {
  test.each([true, false])("answers every number (tracing bounded: %s)", (tracingBounded) => {
    const compiled = program(arch, { ...OPTIONS, network: "on", tracingBounded });
    const names = new Map(Object.entries(SYSCALLS[arch]).map(([name, number]) => [number, name]));
    const answers = refused(!tracingBounded);
    // With no arguments given, family 0 of socket and socketpair is one that is refused.
    const zero: Record<string, Answer> = { socket: "EAFNOSUPPORT", socketpair: "EAFNOSUPPORT" };
    for (let nr = 0; nr < 1024; nr += 1) {
      const name = names.get(nr);
      const want = name === undefined ? "ENOSYS" : (answers.get(name) ?? zero[name] ?? "allow");
      const value = run(compiled, { nr, arch: audit }).value;
      expect(`${nr} ${name} 0x${value.toString(16)}`).toBe(`${nr} ${name} 0x${returned(want).toString(16)}`);
    }
  });

  test("every name of the spec exists here or on the other architecture", () => {
    for (const name of refused(true).keys()) {
      expect([name, SYSCALLS.x86_64[name] ?? SYSCALLS.aarch64[name]]).not.toEqual([name, undefined]);
    }
  });

  test("judges arguments", () => {
    expect(checkCases(arch, OPTIONS, CASES)).toBeGreaterThan(60);
    expect(checkCases(arch, { ...OPTIONS, tracingBounded: false }, CASES)).toBeGreaterThan(60);
  });

  test.each(["off", "on", "own"] as const)("judges sockets with the network %s", (network) => {
    expect(checkCases(arch, { ...OPTIONS, network }, NETWORK[network])).toBeGreaterThan(20);
  });

  test("refuses truncation only where Landlock does not", () => {
    expect(checkCases(arch, { ...OPTIONS, refuseTruncation: true }, TRUNCATION)).toBeGreaterThan(7);
    const brokered = TRUNCATION.map((each) =>
      each.call === "truncate" ? { ...each, want: "broker" as const } : each,
    );
    const options = { ...OPTIONS, metadata: "broker" as const };
    expect(checkCases(arch, { ...options, refuseTruncation: true }, brokered)).toBeGreaterThan(7);
    const open = TRUNCATION.map((each) => ({ ...each, want: "allow" as const }));
    expect(checkCases(arch, OPTIONS, open)).toBeGreaterThan(7);
  });

  test("seals memory files only where programs are confined", () => {
    const cases: readonly Case[] = [0, 1, 2, 4, 0x10, 0xffff_fff7].map((flags) => ({
      call: "memfd_create",
      args: [0, flags],
      want: "EACCES",
    }));
    const sealed: readonly Case[] = [8, 9, 0xa, 0xdead_beef_0000_0008n].map((flags) => ({
      call: "memfd_create",
      args: [0, flags],
      want: "allow",
    }));
    expect(checkCases(arch, { ...OPTIONS, sealedMemory: true }, [...cases, ...sealed])).toBe(10);
    const open = cases.map((each) => ({ ...each, want: "allow" as const }));
    expect(checkCases(arch, OPTIONS, open)).toBe(6);
  });

  test("hands over what a broker judges, and only then", () => {
    const brokered = { ...OPTIONS, metadata: "broker", sockets: "broker" } as const;
    expect(checkCases(arch, brokered, BROKERED)).toBeGreaterThan(20);
    const calls = new Set(words(ALWAYS.EOPNOTSUPP));
    const open = BROKERED.filter(({ call, want }) => want === "broker" && !calls.has(call));
    expect(
      checkCases(
        arch,
        OPTIONS,
        open.map((each) => ({ ...each, want: "allow" as const })),
      ),
    ).toBeGreaterThan(6);
    const attributes = BROKERED.filter(({ call }) => calls.has(call) && call !== "file_setattr");
    const mounted = { ...OPTIONS, metadata: "mounted" } as const;
    expect(
      checkCases(
        arch,
        mounted,
        attributes.map((each) => ({ ...each, want: "allow" as const })),
      ),
    ).toBe(8);
  });

  test("hands over signals and scheduling where other processes are in reach", () => {
    expect(checkCases(arch, { ...OPTIONS, processes: "signals" }, SIGNALS)).toBeGreaterThan(15);
    const scheduling = SIGNALS.map((each) => ({
      ...each,
      want: each.call.startsWith("sched_") ? each.want : ("allow" as const),
    }));
    expect(checkCases(arch, { ...OPTIONS, processes: "scheduling" }, scheduling)).toBeGreaterThan(15);
  });

  test("limits and priorities of others: none of the user's, those of the run, all of a pid namespace but its init", () => {
    expect(checkCases(arch, OPTIONS, OTHERS)).toBe(13);
    for (const processes of ["scheduling", "signals"] as const)
      expect(checkCases(arch, { ...OPTIONS, processes }, BROKERED_OTHERS)).toBe(16);
    const own = OTHERS.map((each) => ({ ...each, want: "allow" as const }));
    const init: Case = { call: "prlimit64", args: [1, 7, 0x1000], want: "EPERM" };
    expect(checkCases(arch, { ...OPTIONS, processes: "own" }, [...own, init])).toBe(14);
  });

  test("kills foreign architectures whatever the number", () => {
    const compiled = program(arch, OPTIONS);
    // i386, arm, riscv64, the other one, none, the same without its 64-bit flag
    const other = ARCHES.find((known) => known.arch !== arch)?.audit ?? 0;
    for (const foreign of [0x40000003, 0x40000028, 0xc00000f3, other, 0, audit & 0x7fffffff]) {
      for (const nr of [0, 1, 102, 435, LAST, 1023, 0xffffffff]) {
        expect(run(compiled, { nr, arch: foreign }).value).toBe(returned("kill"));
      }
    }
  });

  test("answers numbers beyond the table", () => {
    const compiled = program(arch, OPTIONS);
    const high = returned(arch === "x86_64" ? "kill" : "ENOSYS");
    for (const nr of [LAST + 1, 1024, 65535, 0x3fffffff]) {
      expect(run(compiled, { nr, arch: audit }).value).toBe(returned("ENOSYS"));
    }
    for (let nr = 0x40000000; nr < 0x40000000 + 1024; nr += 1) {
      expect(run(compiled, { nr, arch: audit }).value).toBe(high);
    }
    expect(run(compiled, { nr: 0x7fffffff, arch: audit }).value).toBe(high);
    expect(run(compiled, { nr: 0x80000000, arch: audit }).value).toBe(high);
    expect(run(compiled, { nr: 0xfffffffe, arch: audit }).value).toBe(high);
    // A tracer's mark for a call to be skipped: the kernel runs nothing.
    expect(run(compiled, { nr: 0xffffffff, arch: audit }).value).toBe(returned("allow"));
  });

  test("is short, and fast for common calls", () => {
    const compiled = program(arch, OPTIONS);
    expect(compiled.length).toBeLessThan(600);
    for (const name of ["read", "write", "mmap", "futex", "openat", "newfstatat"]) {
      const nr = SYSCALLS[arch][name] ?? -1;
      expect(run(compiled, { nr, arch: audit }).steps).toBeLessThan(16);
    }
  });
});

test("each rule says why", () => {
  const all = [
    ...seccompRules({
      network: "off",
      tracingBounded: false,
      sealedMemory: true,
      refuseTruncation: true,
      metadata: "broker",
      sockets: "broker",
      processes: "signals",
    }),
    ...seccompRules({ ...OPTIONS, network: "on" }),
  ];
  for (const rule of all) {
    expect(rule.reason).toMatch(/^[a-z0-9S].{8,}[^.]$/);
    expect(rule.calls.length).toBeGreaterThan(0);
  }
});
