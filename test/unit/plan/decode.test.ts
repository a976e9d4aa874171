import { describe, expect, test } from "vitest";
import { PaldronError } from "../../../src/core/errors.ts";
import { MessageDecoder } from "../../../src/plan/decode.ts";
import { concat, frame, payload, REPLIES, text } from "./reply-writer.ts";

const VALUES = [
  {
    type: "ready",
    facts: {
      arch: "aarch64",
      landlockAbi: 7,
      landlockErrno: 0,
      landlockErrata: 3,
      seccompFilter: true,
      seccompUserNotif: true,
      uid: 1000,
      gid: 1001,
      capEffective: 1n << 40n,
      terminals: 5,
      release: "6.18.44",
    },
  },
  {
    type: "entry",
    walkId: 9,
    entry: {
      kind: "entry",
      mode: 0o100644,
      nlink: 2,
      dev: 2049n,
      ino: 0xffff_ffff_ffff_ffffn,
      size: 12n,
      mtimeNs: 1_700_000_000_999_999_999n,
      ctimeNs: -999_999_995n,
      errno: 0,
      path: "a\udcffb",
    },
  },
  {
    type: "walked",
    walkId: 9,
    status: "entry-limit",
    errno: 0,
    counts: { folders: 3n, entries: 4n, reported: 5n },
  },
  { type: "failed", stage: "exec", errno: 8, detail: "/bin/x" },
  { type: "started", pid: 4242 },
  { type: "output", stream: 2, bytes: Uint8Array.from([0, 255, 10]) },
  {
    type: "ended",
    exitCode: undefined,
    signal: 9,
    coreDumped: true,
    cause: "timeout",
    causeDetail: 0,
    leftovers: 3,
    userUs: 1n,
    systemUs: 2n,
    maxRssKb: 3n,
    wallUs: 4n,
    stdoutBytes: 5n,
    stderrBytes: 6n,
    withheldStdout: 7n,
    withheldStderr: 8n,
  },
  { type: "stopped", signal: 20 },
  {
    type: "seen",
    number: 3,
    kind: "unread",
    entry: {
      kind: "unreadable",
      mode: 0o040000,
      nlink: 1,
      dev: 1n,
      ino: 2n,
      size: 3n,
      mtimeNs: 4_000_000_005n,
      ctimeNs: 6_000_000_007n,
      errno: 13,
      path: "d",
    },
  },
  { type: "watching", errno: 28, folders: 9n },
  { type: "released", errno: 32 },
  { type: "cleared", errno: 39 },
];
const STREAM = concat(Object.values(REPLIES));

function broken(bytes: Uint8Array): PaldronError {
  const decoder = new MessageDecoder();
  try {
    decoder.push(bytes);
  } catch (error) {
    if (error instanceof PaldronError) {
      // A broken stream stays broken.
      expect(() => decoder.push(REPLIES.started)).toThrow(error);
      expect(() => decoder.end()).toThrow(error);
      return error;
    }
    throw error;
  }
  throw new Error("it was accepted");
}

describe("MessageDecoder", () => {
  test("reads every message from one chunk", () => {
    const decoder = new MessageDecoder();
    expect(decoder.push(STREAM)).toEqual(VALUES);
    decoder.end();
  });

  test.each([1, 2, 3, 7, 8, 9, 31, 64, 200])("reads chunks of %i bytes", (size) => {
    const decoder = new MessageDecoder();
    const messages: unknown[] = [];
    for (let at = 0; at < STREAM.length; at += size) {
      // Handed over in a buffer that is used again, as a careless caller may.
      const chunk = STREAM.slice(at, at + size);
      messages.push(...decoder.push(chunk));
      chunk.fill(0xaa);
    }
    decoder.end();
    expect(messages).toEqual(VALUES);
  });

  test("output outlives the chunk it came in", () => {
    const chunk = REPLIES.output.slice();
    const [message] = new MessageDecoder().push(chunk);
    chunk.fill(0);
    expect(message).toEqual(VALUES[5]);
  });

  test("an exit code, an unreadable folder", () => {
    const exited = REPLIES.ended.slice();
    exited[8] = 1;
    expect(new MessageDecoder().push(exited)).toMatchObject([{ exitCode: 9, signal: undefined }]);
    const unreadable = REPLIES.entry.slice();
    unreadable[12] = 1;
    unreadable[72] = 13;
    expect(new MessageDecoder().push(unreadable)).toMatchObject([
      { entry: { kind: "unreadable", errno: 13 } },
    ]);
  });

  test("a stream cut inside a message", () => {
    for (let cut = 1; cut < REPLIES.walked.length; cut += 1) {
      const decoder = new MessageDecoder();
      expect(decoder.push(REPLIES.walked.subarray(0, cut))).toEqual([]);
      expect(() => decoder.end()).toThrow(/ended inside a message/);
    }
  });

  const changed = (bytes: Uint8Array, at: number, value: number): Uint8Array => {
    const copy = bytes.slice();
    copy[at] = value;
    return copy;
  };

  test.each<[string, Uint8Array]>([
    ["message of unknown type 29", frame(29, new Uint8Array(4))],
    ["message of unknown type 3", frame(3, new Uint8Array(4))],
    ["unknown flags on message 21", frame(21, payload([4, 1]), 1)],
    ["message 21 of 5 bytes", frame(21, new Uint8Array(5))],
    ["message 21 of 3 bytes", frame(21, new Uint8Array(3))],
    ["message 17 of 39 bytes", frame(17, new Uint8Array(39))],
    ["message 18 of 67 bytes", frame(18, new Uint8Array(67))],
    ["message 19 of 37 bytes", frame(19, new Uint8Array(37))],
    ["message 20 of 7 bytes", frame(20, new Uint8Array(7))],
    ["message 22 of 3 bytes", frame(22, new Uint8Array(3))],
    ["message 23 of 80 bytes", frame(23, new Uint8Array(80))],
    ["protocol version 2", changed(REPLIES.ready, 8, 2)],
    ["architecture 0xc0000003", changed(REPLIES.ready, 12, 3)],
    ["unknown entry kind 2", changed(REPLIES.entry, 12, 2)],
    ["unknown walk status 4", changed(REPLIES.walked, 12, 4)],
    ["unknown stage 0", changed(REPLIES.failed, 8, 0)],
    ["unknown stage 20", changed(REPLIES.failed, 8, 20)],
    ["output of unknown stream 0", changed(REPLIES.output, 8, 0)],
    ["unknown end 0", changed(REPLIES.ended, 8, 0)],
    ["unknown cause 9", changed(REPLIES.ended, 20, 9)],
  ])("refuses %s", (what, bytes) => {
    const error = broken(bytes);
    expect([error.code, error.message]).toEqual(["launcher", expect.stringContaining(what)]);
  });

  test("refuses an absurd length before its payload comes", () => {
    const header = frame(22, new Uint8Array(0));
    new DataView(header.buffer).setUint32(4, 0xffff_fff0, true);
    expect(broken(header).message).toContain("message 22 of 4294967280 bytes");
  });

  test("reads 100,000 entries in well under a second", () => {
    const one = frame(
      18,
      concat([REPLIES.entry.subarray(8, 76), text("packages/app/config/.env.production")]),
    );
    const stream = concat(Array.from({ length: 100_000 }, () => one));
    const decoder = new MessageDecoder();
    const start = performance.now();
    let count = 0;
    for (let at = 0; at < stream.length; at += 65536)
      count += decoder.push(stream.subarray(at, at + 65536)).length;
    const elapsed = performance.now() - start;
    expect(count).toBe(100_000);
    // Measured: 0.15 s. Quadratic work would take minutes.
    expect(elapsed).toBeLessThan(3000);
  });
});
