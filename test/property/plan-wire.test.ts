import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBytes, encodeBytes } from "../../src/core/bytes.ts";
import { PaldronError } from "../../src/core/errors.ts";
import { MessageDecoder } from "../../src/plan/decode.ts";
import { encodeRun, encodeWalk } from "../../src/plan/encode.ts";
import type { PathRecord, SandboxPlan } from "../../src/plan/types.ts";
import { concat, REPLIES } from "../unit/plan/reply-writer.ts";
import { PLAN } from "../unit/plan/sample-plan.ts";
import { latin1, readFrames, readMessage, readPath, view } from "../unit/plan/wire-reader.ts";

const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const u64 = fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn });
/** Any bytes but NUL, as the strings that the rest of Paldron makes of them. */
const kernelString = fc.uint8Array({ min: 1, maxLength: 40 }).map((bytes) => decodeBytes(bytes));
const path: fc.Arbitrary<PathRecord> = fc.record({ path: kernelString, dev: u64, ino: u64, type: u32 });

const plan: fc.Arbitrary<SandboxPlan> = fc.record({
  setting: fc.constant("landlock" as const),
  execPath: kernelString,
  program: path,
  argv: fc.array(kernelString, { minLength: 1, maxLength: 20 }),
  env: fc.array(kernelString, { maxLength: 20 }),
  cwd: path,
  namespaces: fc.constant(undefined),
  landlock: fc.option(
    fc.record({
      handledFs: u64,
      handledNet: u64,
      scoped: u64,
      restrictFlags: u32,
      paths: fc.array(fc.record({ path, access: u64 }), { maxLength: 10 }),
    }),
    { nil: undefined },
  ),
  seccomp: fc.option(
    fc
      .integer({ min: 1, max: 100 })
      .chain((count) => fc.uint8Array({ minLength: count * 8, maxLength: count * 8 })),
    { nil: undefined },
  ),
  broker: fc.option(
    fc.record({
      classes: fc.subarray(["metadata" as const, "sockets" as const, "processes" as const], { minLength: 1 }),
      places: fc.array(path, { maxLength: 4 }),
      sockets: fc.array(path, { maxLength: 4 }),
    }),
    { nil: undefined },
  ),
  watch: fc.option(
    fc.record({
      mode: fc.constantFrom("tell" as const, "hold" as const),
      first: fc.boolean(),
      told: u32,
      holdBytes: u64,
      root: path,
      names: fc.array(kernelString, { maxLength: 4 }),
      alone: fc.array(kernelString, { maxLength: 4 }),
    }),
    { nil: undefined },
  ),
  dropPrivileges: fc.constant(true),
  limits: fc.array(fc.record({ resource: u32, soft: u64, hard: u64 }), { maxLength: 6 }),
  scratch: fc.option(
    fc.record({
      parent: path,
      name: kernelString,
      folders: fc.array(kernelString, { maxLength: 3 }),
      links: fc.array(fc.record({ path: kernelString, text: kernelString }), { maxLength: 3 }),
      access: u64,
    }),
    { nil: undefined },
  ),
  timeoutMs: u64,
  graceMs: u32,
  treeKill: fc.constantFrom("scope" as const, "sweep" as const),
  watchdog: fc.option(
    fc.record({
      intervalMs: u32,
      memoryBytes: u64,
      processes: u32,
      room: fc.option(fc.record({ folder: path, bytes: u64, inodes: u64 }), { nil: undefined }),
    }),
    { nil: undefined },
  ),
  output: fc.record({ copyBytes: u32, relayBytes: u64 }),
  terminal: fc.record({
    streams: fc.nat({ max: 7 }),
    foreground: fc.boolean(),
    shown: fc.boolean(),
    filter: fc.boolean(),
  }),
  oomScoreAdj: fc.option(fc.integer({ min: -1000, max: 1000 }), { nil: undefined }),
  protections: fc.constant(PLAN.protections),
});

/** The plan read back from its bytes, by the document alone. */
function readBack(bytes: Uint8Array): Partial<Record<string, unknown>> {
  const frames = readFrames(readMessage(bytes).payload);
  const all = (type: number) => frames.filter((frame) => frame.type === type).map((frame) => frame.payload);
  const first = (type: number) => all(type)[0];
  const string = (payload: Uint8Array | undefined) =>
    payload === undefined ? undefined : decodeBytes(payload);
  const pathOf = (payload: Uint8Array) => {
    const { bytes: raw, ...identity } = readPath(payload);
    return { ...identity, path: decodeBytes(Uint8Array.from(raw, (char) => char.charCodeAt(0))) };
  };
  const withAccess = (payload: Uint8Array) => ({
    access: view(payload).getBigUint64(0, true),
    path: pathOf(payload.subarray(8)),
  });
  const q = (payload: Uint8Array, at: number) => view(payload).getBigUint64(at, true);
  const n = (payload: Uint8Array, at: number) => view(payload).getUint32(at, true);
  const need = (type: number) => first(type) ?? new Uint8Array();
  const [landlock, scratch, watchdog, room, oom, broker, watch] = [6, 11, 16, 21, 18, 43, 46].map(first);
  const parent = scratch === undefined ? undefined : withAccess(scratch);
  expect(frames.at(-1)?.type).toBe(255);
  expect(n(need(255), 0)).toBe(frames.length - 1);
  return {
    execPath: string(first(1)),
    program: pathOf(need(2)),
    argv: all(3).map(string),
    env: all(4).map(string),
    cwd: pathOf(need(5)),
    landlock: landlock && {
      handledFs: q(landlock, 0),
      handledNet: q(landlock, 8),
      scoped: q(landlock, 16),
      restrictFlags: n(landlock, 24),
      paths: all(7).map(withAccess),
    },
    seccomp: first(8),
    broker: broker && {
      classes: (["metadata", "sockets", "processes"] as const).filter((_, bit) => (n(broker, 0) >> bit) & 1),
      places: all(44).map(pathOf),
      sockets: all(45).map(pathOf),
    },
    watch: watch && {
      mode: n(watch, 0) === 1 ? "tell" : "hold",
      first: n(watch, 4) === 1,
      told: n(watch, 8),
      holdBytes: q(watch, 12),
      root: pathOf(watch.subarray(20)),
      names: all(47).map(string),
      alone: all(48).map(string),
    },
    limits: all(10).map((limit) => ({ resource: n(limit, 0), soft: q(limit, 4), hard: q(limit, 12) })),
    scratch: parent && {
      access: parent.access,
      parent: parent.path,
      name: string(first(12)),
      folders: all(13).map(string),
      links: all(19).map((link) => ({
        path: string(link.subarray(4, 4 + n(link, 0))),
        text: string(link.subarray(4 + n(link, 0))),
      })),
    },
    timeoutMs: q(need(14), 0),
    graceMs: n(need(14), 8),
    treeKill: n(need(15), 0) === 1 ? "scope" : "sweep",
    watchdog: watchdog && {
      intervalMs: n(watchdog, 0),
      memoryBytes: q(watchdog, 4),
      processes: n(watchdog, 12),
      room: room && { bytes: q(room, 0), inodes: q(room, 8), folder: pathOf(room.subarray(16)) },
    },
    output: { copyBytes: Number(q(need(17), 0)), relayBytes: q(need(17), 8) },
    terminal: {
      streams: n(need(20), 0),
      foreground: (n(need(20), 4) & 1) !== 0,
      shown: (n(need(20), 4) & 2) !== 0,
      filter: (n(need(20), 4) & 4) !== 0,
    },
    oomScoreAdj: oom && view(oom).getInt32(0, true),
  };
}

describe("encoding", () => {
  test("a plan is read back as it was", () => {
    let landlocked = 0;
    fc.assert(
      fc.property(plan, (original) => {
        const { setting, dropPrivileges, protections, ...sent } = original;
        expect(readBack(encodeRun(original))).toEqual(sent);
        if (original.landlock !== undefined) landlocked += 1;
      }),
      { numRuns: 300 },
    );
    expect(landlocked).toBeGreaterThan(50);
  });

  test("a walk is read back as it was", () => {
    const walk = fc.record({
      id: u32,
      root: path,
      names: fc.array(kernelString, { maxLength: 8 }),
      maxEntries: u64,
      alone: fc.array(kernelString, { maxLength: 4 }),
      odd: fc.boolean(),
      maxDepth: u32,
    });
    fc.assert(
      fc.property(walk, (original) => {
        const { payload } = readMessage(encodeWalk(original));
        const frames = readFrames(payload.subarray(4));
        const names = frames.filter(({ type }) => type === 2).map((frame) => latin1(frame.payload));
        expect(view(payload).getUint32(0, true)).toBe(original.id);
        expect(names).toEqual(original.names.map((name) => latin1(encodeBytes(name))));
        const alone = frames.filter(({ type }) => type === 4).map((frame) => latin1(frame.payload));
        expect(alone).toEqual(original.alone.map((name) => latin1(encodeBytes(name))));
        expect(frames.length).toBe(original.names.length + original.alone.length + (original.odd ? 3 : 2));
      }),
    );
  });

  test("a NUL anywhere is refused", () => {
    const place = fc.constantFrom("execPath", "argv", "env", "cwd", "scratch", "landlock" as const);
    fc.assert(
      fc.property(kernelString, kernelString, place, (before, after, where) => {
        const bad = `${before}\0${after}`;
        const badPath = { ...PLAN.cwd, path: bad };
        const change: Record<string, Partial<SandboxPlan>> = {
          execPath: { execPath: bad },
          argv: { argv: ["x", bad] },
          env: { env: [bad] },
          cwd: { cwd: badPath },
          scratch: { scratch: { parent: PLAN.cwd, name: bad, folders: [], links: [], access: 0n } },
          landlock: {
            landlock: {
              handledFs: 1n,
              handledNet: 0n,
              scoped: 0n,
              restrictFlags: 0,
              paths: [{ path: badPath, access: 1n }],
            },
          },
        };
        expect(() => encodeRun({ ...PLAN, ...change[where] })).toThrow(/NUL/);
      }),
    );
  });
});

const messages = fc.array(fc.constantFrom(...Object.values(REPLIES)), { minLength: 1, maxLength: 30 });

/** Feeds bytes in pieces; the same result, or the same error, whatever the pieces. */
function decode(bytes: Uint8Array, sizes: readonly number[]): unknown {
  const decoder = new MessageDecoder();
  const found: unknown[] = [];
  try {
    for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
      const size = sizes[turn % sizes.length] ?? 1;
      found.push(...decoder.push(bytes.subarray(at, at + size)));
      at += size;
    }
    decoder.end();
  } catch (error) {
    if (!(error instanceof PaldronError) || error.code !== "launcher") throw error;
    return { error: error.message };
  }
  return found;
}

const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 20 });

describe("decoding", () => {
  test("chunks do not matter", () => {
    fc.assert(
      fc.property(messages, sizes, (list, pieces) => {
        const whole = concat(list);
        expect(decode(whole, pieces)).toEqual(decode(whole, [whole.length]));
      }),
    );
  });

  test("garbage ends in an error or in waiting, never in anything else", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), sizes, (bytes, pieces) => {
        const result = decode(bytes, pieces);
        expect(result).toBeDefined();
      }),
      { numRuns: 2000 },
    );
  });

  test("one changed byte is noticed or harmless, and ends", () => {
    let errors = 0;
    fc.assert(
      fc.property(
        messages,
        sizes,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (list, pieces, place, flip) => {
          const bytes = concat(list);
          const at = place % bytes.length;
          bytes[at] = (bytes[at] ?? 0) ^ flip;
          const whole = decode(bytes, [bytes.length]);
          const result = decode(bytes, pieces);
          if (!Array.isArray(whole)) errors += 1;
          expect(Array.isArray(result)).toBe(Array.isArray(whole));
        },
      ),
      { numRuns: 1000 },
    );
    expect(errors).toBeGreaterThan(20);
  });
});
