/** Reads messages to the launcher as docs/wire.md describes them, apart from the encoder. */
export interface Record_ {
  readonly type: number;
  readonly payload: Uint8Array;
}

export interface Path {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly type: number;
  readonly bytes: string;
}

/** Cuts `u16 type, u16 flags (0), u32 length, payload` off until nothing is left. */
export function readFrames(bytes: Uint8Array): readonly Record_[] {
  const frames: Record_[] = [];
  let at = 0;
  while (at < bytes.length) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, 8);
    if (view.getUint16(2, true) !== 0) throw new Error(`flags at ${at}`);
    const length = view.getUint32(4, true);
    if (at + 8 + length > bytes.length) throw new Error(`record at ${at} is cut`);
    frames.push({ type: view.getUint16(0, true), payload: bytes.subarray(at + 8, at + 8 + length) });
    at += 8 + length;
  }
  return frames;
}

/** The one message in `bytes`. */
export function readMessage(bytes: Uint8Array): Record_ {
  const [message, ...more] = readFrames(bytes);
  if (message === undefined || more.length > 0) throw new Error(`${more.length + 1} messages`);
  return message;
}

export function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

export function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A path record: it must fill its payload. */
export function readPath(payload: Uint8Array): Path {
  const data = view(payload);
  const length = data.getUint32(20, true);
  if (payload.length !== 24 + length) throw new Error(`path of ${length} in ${payload.length}`);
  return {
    dev: data.getBigUint64(0, true),
    ino: data.getBigUint64(8, true),
    type: data.getUint32(16, true),
    bytes: latin1(payload.subarray(24)),
  };
}
