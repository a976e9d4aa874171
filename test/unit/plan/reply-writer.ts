/** Writes messages as the launcher does, apart from the decoder. */
export function frame(type: number, payload: Uint8Array, flags = 0): Uint8Array {
  const out = new Uint8Array(8 + payload.length);
  const view = new DataView(out.buffer);
  view.setUint16(0, type, true);
  view.setUint16(2, flags, true);
  view.setUint32(4, payload.length, true);
  out.set(payload, 8);
  return out;
}

type Field = readonly [width: 4 | 8, value: number | bigint] | Uint8Array;

/** Integers of four or eight bytes, then bytes. */
export function payload(...fields: readonly Field[]): Uint8Array {
  const parts = fields.map((field) => {
    if (field instanceof Uint8Array) return field;
    const [width, value] = field;
    const part = new Uint8Array(width);
    const view = new DataView(part.buffer);
    if (width === 4) view.setUint32(0, Number(value), true);
    else view.setBigInt64(0, BigInt(value), true);
    return part;
  });
  return concat(parts);
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

/** One valid message of each type, with the values that `REPLY_VALUES` in the test expects. */
export const REPLIES = {
  ready: frame(
    17,
    payload(
      [4, 1],
      [4, 0xc00000b7],
      [4, 7],
      [4, 0],
      [4, 3],
      [4, 3],
      [4, 1000],
      [4, 1001],
      [8, 1n << 40n],
      [4, 5],
      text("6.18.44"),
    ),
  ),
  entry: frame(
    18,
    payload(
      [4, 9],
      [4, 0],
      [4, 0o100644],
      [4, 2],
      [8, 2049],
      [8, -1n],
      [8, 12],
      [8, 1_700_000_000],
      [4, 999_999_999],
      [8, -1],
      [4, 5],
      [4, 0],
      Uint8Array.from([0x61, 0xff, 0x62]),
    ),
  ),
  walked: frame(19, payload([4, 9], [4, 1], [4, 0], [8, 3], [8, 4], [8, 5])),
  failed: frame(20, payload([4, 14], [4, 8], text("/bin/x"))),
  started: frame(21, payload([4, 4242])),
  output: frame(22, payload([4, 2], Uint8Array.from([0, 255, 10]))),
  ended: frame(
    23,
    payload(
      [4, 2],
      [4, 9],
      [4, 1],
      [4, 1],
      [4, 0],
      [4, 3],
      [8, 1],
      [8, 2],
      [8, 3],
      [8, 4],
      [8, 5],
      [8, 6],
      [8, 7],
      [8, 8],
    ),
  ),
  stopped: frame(24, payload([4, 20])),
  seen: frame(
    25,
    payload(
      [4, 3],
      [4, 2],
      [4, 0o040000],
      [4, 1],
      [8, 1],
      [8, 2],
      [8, 3],
      [8, 4],
      [4, 5],
      [8, 6],
      [4, 7],
      [4, 13],
      text("d"),
    ),
  ),
  watching: frame(26, payload([4, 28], [8, 9])),
  released: frame(27, payload([4, 32])),
  cleared: frame(28, payload([4, 39])),
} as const;
