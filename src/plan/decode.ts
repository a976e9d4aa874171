import { decodeBytes } from "../core/bytes.ts";
import { PaldronError } from "../core/errors.ts";
import { ByteReader } from "./byte-io.ts";
import { badMessage as bad, readAttributes, readSeen, readWatching } from "./decode-watch.ts";
import type { HostFacts, LauncherMessage } from "./types.ts";
import {
  AUDIT_ARCH,
  CAUSES,
  HEADER_BYTES,
  MAX_PAYLOAD_BYTES,
  REPLY,
  STAGES,
  WALK_STATUSES,
  WIRE_VERSION,
} from "./wire.ts";

const SECCOMP_FILTER = 1;
const SECCOMP_USER_NOTIF = 2;
const NOTHING = new Uint8Array(0);

interface Shape {
  /** Least payload, or all of it when `exact`. */
  readonly bytes: number;
  readonly exact: boolean;
  readonly read: (payload: ByteReader) => LauncherMessage;
}

const SHAPES: ReadonlyMap<number, Shape> = new Map<number, Shape>([
  [REPLY.ready, { bytes: 44, exact: false, read: ready }],
  [REPLY.entry, { bytes: 68, exact: false, read: entry }],
  [REPLY.walked, { bytes: 36, exact: true, read: walked }],
  [REPLY.failed, { bytes: 8, exact: false, read: failed }],
  [REPLY.started, { bytes: 4, exact: true, read: (p) => ({ type: "started", pid: p.u32() }) }],
  [REPLY.output, { bytes: 4, exact: false, read: output }],
  [REPLY.ended, { bytes: 88, exact: true, read: ended }],
  [REPLY.stopped, { bytes: 4, exact: true, read: (p) => ({ type: "stopped", signal: p.u32() }) }],
  [REPLY.seen, { bytes: 68, exact: false, read: readSeen }],
  [REPLY.watching, { bytes: 12, exact: true, read: readWatching }],
  [REPLY.released, { bytes: 4, exact: true, read: (p) => ({ type: "released", errno: p.u32() }) }],
  [REPLY.cleared, { bytes: 4, exact: true, read: (p) => ({ type: "cleared", errno: p.u32() }) }],
]);

/**
 * Reads the launcher's messages from chunks of any size. What does not follow docs/wire.md throws
 * `PaldronError("launcher")`, and so does every later call: a stream out of step is never read on.
 */
export class MessageDecoder {
  /** The start of a message whose end has not come yet; its storage may be longer. */
  #held = NOTHING;
  #heldLength = 0;
  #broken: PaldronError | undefined;

  /** Takes the next bytes and returns the messages that they complete, in order. */
  push(chunk: Uint8Array): LauncherMessage[] {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      return this.#read(chunk);
    } catch (error) {
      this.#broken = error instanceof PaldronError ? error : bad("an unreadable message", error);
      throw this.#broken;
    }
  }

  /** Called at the end of the stream: a message that was cut off throws. */
  end(): void {
    if (this.#broken !== undefined) throw this.#broken;
    if (this.#heldLength > 0) throw bad("the stream ended inside a message");
  }

  #read(chunk: Uint8Array): LauncherMessage[] {
    const messages: LauncherMessage[] = [];
    let at = 0;
    // First complete what is held, then read whole messages in place.
    while (this.#heldLength > 0) {
      const want = this.#heldLength < HEADER_BYTES ? HEADER_BYTES : this.#heldSize();
      const take = Math.min(want - this.#heldLength, chunk.length - at);
      this.#hold(chunk.subarray(at, at + take), want);
      at += take;
      if (this.#heldLength < want) return messages;
      const size = this.#heldSize();
      if (this.#heldLength < size) continue;
      messages.push(message(this.#held.subarray(0, size)));
      this.#held = NOTHING;
      this.#heldLength = 0;
    }
    while (at + HEADER_BYTES <= chunk.length) {
      const size = messageSize(chunk, at);
      if (at + size > chunk.length) break;
      messages.push(message(chunk.subarray(at, at + size)));
      at += size;
    }
    if (at < chunk.length) this.#hold(chunk.subarray(at), chunk.length - at);
    return messages;
  }

  #heldSize(): number {
    return messageSize(this.#held, 0);
  }

  /** Appends to what is held, with room for `want` bytes in all, so that many small chunks cost one copy. */
  #hold(part: Uint8Array, want: number): void {
    const length = this.#heldLength + part.length;
    if (this.#held.length < length) {
      const grown = new Uint8Array(Math.max(want, Math.min(2 * length, want + 4096)));
      grown.set(this.#held.subarray(0, this.#heldLength));
      this.#held = grown;
    }
    this.#held.set(part, this.#heldLength);
    this.#heldLength = length;
  }
}

/** Size of the message whose header starts at `at`, checked before any of its payload is waited for. */
function messageSize(bytes: Uint8Array, at: number): number {
  const header = new DataView(bytes.buffer, bytes.byteOffset + at, HEADER_BYTES);
  const type = header.getUint16(0, true);
  const length = header.getUint32(4, true);
  const shape = SHAPES.get(type);
  if (shape === undefined) throw bad(`a message of unknown type ${type}`);
  if (header.getUint16(2, true) !== 0) throw bad(`unknown flags on message ${type}`);
  const fits = shape.exact ? length === shape.bytes : length >= shape.bytes;
  if (!fits || length > MAX_PAYLOAD_BYTES) throw bad(`message ${type} of ${length} bytes`);
  return HEADER_BYTES + length;
}

function message(bytes: Uint8Array): LauncherMessage {
  const type = (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8);
  const shape = SHAPES.get(type);
  if (shape === undefined) throw bad(`a message of unknown type ${type}`);
  return shape.read(new ByteReader(bytes.subarray(HEADER_BYTES)));
}

/** The word behind a number, or a broken stream. */
function word<T>(words: Readonly<Record<number, T>>, number: number, what: string): T {
  const found = words[number];
  if (found === undefined) throw bad(`unknown ${what} ${number}`);
  return found;
}

function ready(p: ByteReader): LauncherMessage {
  const version = p.u32();
  if (version !== WIRE_VERSION) {
    throw bad(`protocol version ${version}, expected ${WIRE_VERSION}: rebuild it with \`npm run build\``);
  }
  const arch = architecture(p.u32());
  const [landlockAbi, landlockErrno, landlockErrata] = [p.u32(), p.u32(), p.u32()];
  const seccomp = p.u32();
  const [uid, gid] = [p.u32(), p.u32()];
  const facts: HostFacts = {
    arch,
    landlockAbi,
    landlockErrno,
    landlockErrata,
    seccompFilter: (seccomp & SECCOMP_FILTER) !== 0,
    seccompUserNotif: (seccomp & SECCOMP_USER_NOTIF) !== 0,
    uid,
    gid,
    capEffective: p.u64(),
    terminals: p.u32(),
    release: decodeBytes(p.rest()),
  };
  return { type: "ready", facts };
}

function architecture(audit: number): HostFacts["arch"] {
  if (audit === AUDIT_ARCH.x86_64) return "x86_64";
  if (audit === AUDIT_ARCH.aarch64) return "aarch64";
  throw bad(`architecture 0x${audit.toString(16)}, which has no system call table`);
}

function entry(p: ByteReader): LauncherMessage {
  const walkId = p.u32();
  const kind = p.u32();
  if (kind > 1) throw bad(`unknown entry kind ${kind}`);
  return { type: "entry", walkId, entry: readAttributes(kind === 0 ? "entry" : "unreadable", p) };
}

function walked(p: ByteReader): LauncherMessage {
  return {
    type: "walked",
    walkId: p.u32(),
    status: word(WALK_STATUSES, p.u32(), "walk status"),
    errno: p.u32(),
    counts: { folders: p.u64(), entries: p.u64(), reported: p.u64() },
  };
}

function failed(p: ByteReader): LauncherMessage {
  const stageNumber = p.u32();
  return {
    type: "failed",
    stage: word(STAGES, stageNumber, "stage"),
    errno: p.u32(),
    detail: decodeBytes(p.rest()),
  };
}

function output(p: ByteReader): LauncherMessage {
  const stream = p.u32();
  if (stream !== 1 && stream !== 2) throw bad(`output of unknown stream ${stream}`);
  // Copied: the chunk belongs to the caller.
  return { type: "output", stream, bytes: p.rest().slice() };
}

function ended(p: ByteReader): LauncherMessage {
  const kind = p.u32();
  if (kind !== 1 && kind !== 2) throw bad(`unknown end ${kind}`);
  const value = p.u32();
  return {
    type: "ended",
    exitCode: kind === 1 ? value : undefined,
    signal: kind === 2 ? value : undefined,
    coreDumped: p.u32() !== 0,
    cause: word(CAUSES, p.u32(), "cause"),
    causeDetail: p.u32(),
    leftovers: p.u32(),
    userUs: p.u64(),
    systemUs: p.u64(),
    maxRssKb: p.u64(),
    wallUs: p.u64(),
    stdoutBytes: p.u64(),
    stderrBytes: p.u64(),
    withheldStdout: p.u64(),
    withheldStderr: p.u64(),
  };
}
