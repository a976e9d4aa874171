import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SYSCALLS, syscallNumber } from "../../../src/plan/syscalls.ts";

const HEADERS = ["/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"];
const header = HEADERS.find((path) => existsSync(path));
const mustWork = process.env["PALDRON_MUST_WORK"] === "1";

describe("system call tables", () => {
  test.skipIf(header === undefined && !mustWork)(
    "x86_64 is the kernel's own (skipped where the kernel headers are not installed)",
    () => {
      if (header === undefined) throw new Error(`none of ${HEADERS.join(", ")} exists`);
      const lines = readFileSync(header, "utf8").matchAll(/^#define __NR_(\w+)\s+(\d+)\s*$/gm);
      const theirs = [...lines].map(([, name, number]) => [name, Number(number)] as const);
      expect(theirs.length).toBeGreaterThan(300);
      for (const [name, number] of theirs) {
        // Headers newer than the table may know more; what both know must agree.
        if (number > 469) continue;
        expect([name, SYSCALLS.x86_64[name ?? ""]]).toEqual([name, number]);
      }
    },
  );

  test.each(["x86_64", "aarch64"] as const)("%s has each number once, up to 469", (arch) => {
    const numbers = Object.values(SYSCALLS[arch]);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(Math.max(...numbers)).toBe(469);
  });

  test("numbers from 424 on are the same everywhere", () => {
    const recent = (arch: "x86_64" | "aarch64") =>
      Object.entries(SYSCALLS[arch]).filter(([, number]) => number >= 424);
    expect(recent("aarch64")).toEqual(recent("x86_64"));
    expect(recent("x86_64").length).toBe(469 - 424 + 1);
  });

  // From the manual pages' and the kernel's tables, by hand.
  test.each([
    ["read", 0, 63],
    ["openat", 257, 56],
    ["clone", 56, 220],
    ["execve", 59, 221],
    ["socket", 41, 198],
    ["ptrace", 101, 117],
    ["ioctl", 16, 29],
    ["mknodat", 259, 33],
    ["setxattr", 188, 5],
    ["unshare", 272, 97],
    ["prlimit64", 302, 261],
    ["bpf", 321, 280],
    ["clone3", 435, 435],
    ["mseal", 462, 462],
    ["file_setattr", 469, 469],
  ])("%s is %i and %i", (name, x86, arm) => {
    expect(syscallNumber("x86_64", name)).toBe(x86);
    expect(syscallNumber("aarch64", name)).toBe(arm);
  });

  test("a call that one architecture lacks has no number there, an unknown name is a mistake", () => {
    expect(syscallNumber("aarch64", "open")).toBeUndefined();
    expect(syscallNumber("x86_64", "open")).toBe(2);
    expect(() => syscallNumber("x86_64", "opne")).toThrow(/no system call is named opne/);
  });
});
