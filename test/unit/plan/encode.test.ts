import { describe, expect, test } from "vitest";
import { PaldronError } from "../../../src/core/errors.ts";
import { encodeCancel, encodeClear, encodeHello, encodeRun, encodeWalk } from "../../../src/plan/encode.ts";
import type { SandboxPlan } from "../../../src/plan/types.ts";
import { FOLDER, PLAN } from "./sample-plan.ts";
import { latin1, readFrames, readMessage, readPath, view } from "./wire-reader.ts";

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}

function records(plan: SandboxPlan) {
  const message = readMessage(encodeRun(plan));
  expect(message.type).toBe(3);
  return readFrames(message.payload);
}

function thrown(action: () => unknown): PaldronError {
  try {
    action();
  } catch (error) {
    if (error instanceof PaldronError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("HELLO, WALK, CANCEL", () => {
  test("HELLO", () => {
    expect(hex(encodeHello())).toBe("01 00 00 00 04 00 00 00 01 00 00 00");
  });

  test("CANCEL", () => {
    expect(hex(encodeCancel(15))).toBe("04 00 00 00 04 00 00 00 0f 00 00 00");
  });

  test("CLEAR", () => {
    const parent = { path: "/tmp", dev: 1n, ino: 2n, type: FOLDER };
    const message = readMessage(encodeClear({ parent, name: "paldron-x" }));
    expect(message.type).toBe(8);
    const [first, second, ...more] = readFrames(message.payload);
    expect(more).toEqual([]);
    expect(first?.type).toBe(1);
    expect(readPath(first?.payload ?? new Uint8Array())).toEqual({
      dev: 1n,
      ino: 2n,
      type: FOLDER,
      bytes: "/tmp",
    });
    expect([second?.type, latin1(second?.payload ?? new Uint8Array())]).toEqual([2, "paldron-x"]);
  });

  test("WALK", () => {
    const root = { path: "/w", dev: 1n, ino: 2n, type: FOLDER };
    const message = readMessage(
      encodeWalk({
        id: 7,
        root,
        names: [".env*", "*.p?m"],
        alone: ["HEAD"],
        odd: true,
        maxEntries: 1n << 33n,
        maxDepth: 9,
      }),
    );
    expect(message.type).toBe(2);
    expect(view(message.payload).getUint32(0, true)).toBe(7);
    const [first, second, third, alone, limits, odd, ...more] = readFrames(message.payload.subarray(4));
    expect(more).toEqual([]);
    expect([odd?.type, odd?.payload.length]).toEqual([5, 0]);
    expect(first?.type).toBe(1);
    expect(readPath(first?.payload ?? new Uint8Array())).toEqual({
      dev: 1n,
      ino: 2n,
      type: FOLDER,
      bytes: "/w",
    });
    expect([second, third].map((name) => [name?.type, latin1(name?.payload ?? new Uint8Array())])).toEqual([
      [2, ".env*"],
      [2, "*.p?m"],
    ]);
    expect([alone?.type, latin1(alone?.payload ?? new Uint8Array())]).toEqual([4, "HEAD"]);
    expect([limits?.type, hex(limits?.payload ?? new Uint8Array())]).toEqual([
      3,
      "00 00 00 00 02 00 00 00 09 00 00 00",
    ]);
  });
});

describe("RUN", () => {
  test("holds every record, in the order of the document", () => {
    const found = records(PLAN).map(({ type, payload }) => `${type}: ${hex(payload)}`);
    const path = (dev: string, ino: string, type: string, length: string, bytes: string) =>
      `${dev} ${ino} ${type} ${length} ${bytes}`;
    const n = (value: number) => `${value.toString(16).padStart(2, "0")} 00 00 00`;
    const q = (value: number) => `${n(value)} 00 00 00 00`;
    const usrBinEnv = "2f 75 73 72 2f 62 69 6e 2f 65 6e 76";
    expect(found).toEqual([
      `1: ${usrBinEnv}`,
      `2: ${path(q(1), q(2), "00 80 00 00", n(12), usrBinEnv)}`,
      "3: 65 6e 76",
      "3: ",
      "3: 62 ff 63",
      "3: c3 a9",
      "4: 41 3d 31",
      "4: 42 3d",
      `5: ${path("fe ff ff ff ff ff ff ff", q(4), "00 40 00 00", n(4), "2f 77 2f 73")}`,
      `6: ff ff 00 00 00 00 00 00 ${q(3)} ${q(2)} ${n(4)}`,
      `7: ${q(7)} ${path(q(5), q(6), "00 40 00 00", n(2), "2f 77")}`,
      `7: ${q(13)} ${path(q(7), q(8), "00 40 00 00", n(4), "2f 75 73 72")}`,
      "8: 06 00 00 00 00 00 ff 7f",
      `9: ${n(1)}`,
      `10: ${n(0)} ${q(60)} ${q(62)}`,
      `10: ${n(7)} 00 04 00 00 00 00 00 00 00 04 00 00 00 00 00 00`,
      `11: ff 0f 00 00 00 00 00 00 ${path(q(9), q(10), "00 40 00 00", n(4), "2f 74 6d 70")}`,
      "12: 70 61 6c 64 72 6f 6e 2d 31",
      "13: 68 6f 6d 65",
      "13: 74 6d 70",
      `19: ${n(9)} 68 6f 6d 65 2f 2e 61 2f 62 2f 6b 65 70 74 2f 62`,
      `43: ${n(3)}`,
      `44: ${path(q(5), q(6), "00 40 00 00", n(2), "2f 77")}`,
      `45: ${path(q(11), q(12), "00 c0 00 00", n(6), "2f 72 75 6e 2f 73")}`,
      "14: 30 75 00 00 00 00 00 00 e8 03 00 00",
      `15: ${n(1)}`,
      "16: 32 00 00 00 00 00 00 00 02 00 00 00 00 10 00 00",
      "17: 00 00 10 00 00 00 00 00 00 00 00 00 00 01 00 00",
      "18: fb ff ff ff",
      `20: ${n(7)} ${n(5)}`,
      `46: ${n(2)} ${n(1)} 00 00 01 00 00 00 00 04 00 00 00 00 ${path(q(13), q(14), "00 40 00 00", n(4), "2f 77 2f 73")}`,
      "47: 2e 65 6e 76",
      "47: 2a 2e 70 65 6d",
      "48: 2e 67 69 74",
      `255: ${n(34)}`,
    ]);
  });

  test("holds the steps of a new root in their order, before what is supervised", () => {
    const source = { path: "/w", dev: 1n, ino: 2n, type: FOLDER };
    const found = records({
      ...PLAN,
      broker: undefined,
      scratch: undefined,
      treeKill: "pid-namespace",
      namespaces: {
        flags: 0x2000_0000,
        steps: [
          { kind: "tmpfs", attributes: 7, mode: 0o755, bytes: 4096n, inodes: 1n, target: "/" },
          { kind: "folder", mode: 0o700, target: "/d" },
          { kind: "bind", attributes: 6, target: "/x", source },
          { kind: "proc", attributes: 15, target: "/proc" },
          { kind: "devpts", attributes: 10, target: "/p" },
          { kind: "link", target: "/l", text: "to" },
          { kind: "guard", attributes: 1, path: source },
          { kind: "mask", path: source },
          { kind: "landlock", access: 8n, target: "/d" },
          { kind: "file", mode: 0o555, target: "/f", bytes: Uint8Array.of(1, 2) },
        ],
      },
    });
    const n = (value: number) => `${value.toString(16).padStart(2, "0")} 00 00 00`;
    const q = (value: number) => `${n(value)} 00 00 00 00`;
    const path = `${q(1)} ${q(2)} 00 40 00 00 ${n(2)} 2f 77`;
    const steps = found.filter(({ type }) => type >= 32 && type < 46);
    expect(steps.map(({ type, payload }) => `${type}: ${hex(payload)}`)).toEqual([
      "32: 00 00 00 20",
      `35: ${n(7)} ed 01 00 00 00 10 00 00 00 00 00 00 ${q(1)} 2f`,
      "33: c0 01 00 00 2f 64",
      `34: ${n(6)} ${n(2)} 2f 78 ${path}`,
      `36: ${n(15)} 2f 70 72 6f 63`,
      `37: ${n(10)} 2f 70`,
      `38: ${n(2)} 2f 6c 74 6f`,
      `40: ${n(1)} ${path}`,
      `39: ${path}`,
      `41: ${q(8)} 2f 64`,
      "42: 6d 01 00 00 02 00 00 00 2f 66 01 02",
    ]);
    expect(hex(found.find(({ type }) => type === 15)?.payload ?? new Uint8Array())).toBe(n(3));
  });

  test("leaves out what the plan has not", () => {
    const least = records({
      ...PLAN,
      landlock: undefined,
      seccomp: undefined,
      broker: undefined,
      dropPrivileges: false,
      limits: [],
      scratch: undefined,
      watchdog: undefined,
      watch: undefined,
      oomScoreAdj: undefined,
      env: [],
      treeKill: "sweep",
    });
    expect(least.map(({ type }) => type)).toEqual([1, 2, 3, 3, 3, 3, 5, 14, 15, 17, 20, 255]);
    expect(hex(least.at(-4)?.payload ?? new Uint8Array())).toBe("02 00 00 00");
  });

  test.each<[string, Partial<SandboxPlan>]>([
    ["argument 1 holds", { argv: ["a", "b\0c"] }],
    ["environment variable SECRET holds", { env: ["SECRET=hunter2\0x"] }],
    ["the program path holds", { execPath: "/bin/\0" }],
    ["a path holds", { cwd: { path: "/a\0", dev: 1n, ino: 1n, type: FOLDER } }],
    ["the command has no arguments", { argv: [] }],
    ["too long", { argv: ["x".repeat(16 * 1024 * 1024)] }],
  ])("refuses a request: %s", (text, change) => {
    const error = thrown(() => encodeRun({ ...PLAN, ...change }));
    expect([error.code, error.message]).toEqual(["request", expect.stringContaining(text)]);
    expect(error.message).not.toContain("hunter2");
    expect(error.message).not.toContain("\0");
  });

  test.each<[string, Partial<SandboxPlan>]>([
    ["need dropped privileges", { dropPrivileges: false }],
    ["seccomp program of 7 bytes", { seccomp: new Uint8Array(7) }],
    ["seccomp program of 0 bytes", { seccomp: new Uint8Array(0) }],
  ])("refuses a plan that was built wrong: %s", (text, change) => {
    const error = thrown(() => encodeRun({ ...PLAN, ...change }));
    expect([error.code, error.message]).toEqual(["internal", expect.stringContaining(text)]);
  });
});
