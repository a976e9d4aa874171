import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  abiRights,
  FS,
  GRANTS,
  type Grant,
  grantedAccess,
  LANDLOCK_ABIS,
  leastKernel,
  NET,
  SCOPE,
} from "../../../src/plan/landlock-abi.ts";
import { DEVICE, FILE, FOLDER } from "./sample-plan.ts";

/** From landlock(7) and the kernel's documentation, as numbers. */
const RIGHTS = [
  { abi: 0, fs: 0n, net: 0n, scope: 0n, restrict: 0 },
  { abi: 1, fs: 0x1fffn, net: 0n, scope: 0n, restrict: 0 },
  { abi: 2, fs: 0x3fffn, net: 0n, scope: 0n, restrict: 0 },
  { abi: 3, fs: 0x7fffn, net: 0n, scope: 0n, restrict: 0 },
  { abi: 4, fs: 0x7fffn, net: 3n, scope: 0n, restrict: 0 },
  { abi: 5, fs: 0xffffn, net: 3n, scope: 0n, restrict: 0 },
  { abi: 6, fs: 0xffffn, net: 3n, scope: 3n, restrict: 0 },
  { abi: 7, fs: 0xffffn, net: 3n, scope: 3n, restrict: 7 },
  { abi: 8, fs: 0xffffn, net: 3n, scope: 3n, restrict: 15 },
  { abi: 9, fs: 0x1ffffn, net: 3n, scope: 3n, restrict: 15 },
  { abi: 10, fs: 0x1ffffn, net: 15n, scope: 3n, restrict: 15 },
  { abi: 11, fs: 0x1ffffn, net: 15n, scope: 3n, restrict: 15 },
  { abi: 4096, fs: 0x1ffffn, net: 15n, scope: 3n, restrict: 15 },
];

describe("Landlock ABIs", () => {
  test.each(RIGHTS)("ABI $abi handles what its kernel knows", ({ abi, ...rights }) => {
    expect(abiRights(abi)).toEqual(rights);
  });

  test("the table has every ABI once, in order, with its kernel and document", () => {
    expect(LANDLOCK_ABIS.map(({ abi }) => abi)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const { kernel, doc } of LANDLOCK_ABIS) {
      expect(kernel).toMatch(/^\d+\.\d+$/);
      expect(doc).toMatch(/^https:\/\/(docs\.kernel\.org|man7\.org)\//);
    }
    expect([1, 2, 3, 4, 5, 6, 7].map(leastKernel)).toEqual([
      "5.13",
      "5.19",
      "6.2",
      "6.7",
      "6.10",
      "6.12",
      "6.15",
    ]);
    expect(leastKernel(99)).toBe("a newer one");
  });

  const header = "/usr/include/linux/landlock.h";
  test.skipIf(!existsSync(header))("constants are the kernel's (skipped without linux/landlock.h)", () => {
    const lines = readFileSync(header, "utf8").matchAll(
      /^#define LANDLOCK_(ACCESS_FS|ACCESS_NET|SCOPE)_(\w+)\s+\(1ULL << (\d+)\)/gm,
    );
    const tables: Record<string, Readonly<Record<string, bigint>>> = {
      ACCESS_FS: FS,
      ACCESS_NET: NET,
      SCOPE,
    };
    let checked = 0;
    for (const [, table = "", name = "", bit] of lines) {
      const camel = name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      expect([camel, tables[table]?.[camel]]).toEqual([camel, 1n << BigInt(bit ?? -1)]);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(12);
  });
});

describe("grants", () => {
  const all = Object.keys(GRANTS) as Grant[];
  const abis = RIGHTS.map(({ abi }) => abi);

  test.each(abis)("at ABI %i ask only for what the ruleset handles and the type takes", (abi) => {
    const { fs } = abiRights(abi);
    for (const grant of all) {
      for (const type of [FOLDER, FILE, DEVICE]) {
        const access = grantedAccess(grant, type, fs);
        expect(access & ~fs).toBe(0n);
        // EXECUTE, WRITE_FILE, READ_FILE, TRUNCATE, IOCTL_DEV, RESOLVE_UNIX: anything else is EINVAL on a file.
        if (type !== FOLDER) expect(access & ~0x1c007n).toBe(0n);
      }
    }
  });

  test.each<[Grant, number, bigint, bigint]>([
    // grant, type, ABI 1, ABI 10
    ["read", FOLDER, 0xcn, 0xcn],
    ["read", FILE, 0x4n, 0x4n],
    ["run", FOLDER, 0xdn, 0xdn],
    ["run", FILE, 0x5n, 0x5n],
    ["change", FOLDER, 0x17bfn, 0x77bfn],
    ["change", FILE, 0x7n, 0x4007n],
    ["store", FOLDER, 0x17ben, 0x77ben],
    ["device", DEVICE, 0x6n, 0xc006n],
    ["device", FOLDER, 0xen, 0xc00en],
  ])("%s on type %i", (grant, type, first, latest) => {
    expect(grantedAccess(grant, type, abiRights(1).fs)).toBe(first);
    expect(grantedAccess(grant, type, abiRights(10).fs)).toBe(latest);
  });

  test("device nodes can never be made, devices and stores never executed, outside sockets reached by one grant", () => {
    const never = FS.makeChar | FS.makeBlock;
    for (const grant of all) expect(GRANTS[grant] & never).toBe(0n);
    for (const grant of all.filter((one) => one !== "connect"))
      expect(GRANTS[grant] & FS.resolveUnix).toBe(0n);
    expect(GRANTS.connect).toBe(FS.resolveUnix);
    expect((GRANTS.device | GRANTS.store | GRANTS.read) & FS.execute).toBe(0n);
    expect(GRANTS.read & ~(FS.readFile | FS.readDir)).toBe(0n);
    expect(GRANTS.run & ~(FS.readFile | FS.readDir | FS.execute)).toBe(0n);
  });
});
