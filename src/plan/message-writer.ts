import { encodeBytes } from "../core/bytes.ts";
import { PaldronError } from "../core/errors.ts";
import { ByteWriter } from "./byte-io.ts";
import type { PathRecord } from "./types.ts";
import { HEADER_BYTES, MAX_PAYLOAD_BYTES } from "./wire.ts";

/** One message under construction: its header is filled in when it is finished. */
export class MessageWriter {
  readonly body = new ByteWriter();
  records = 0;

  constructor(type: number) {
    this.body.u16(type).u16(0).u32(0);
  }

  /** Appends a record whose payload `fill` writes. */
  record(type: number, fill: (out: ByteWriter) => void): void {
    const start = this.body.length;
    this.body.u16(type).u16(0).u32(0);
    fill(this.body);
    this.body.patchU32(start + 4, this.body.length - start - HEADER_BYTES);
    this.records += 1;
  }

  finish(): Uint8Array {
    if (this.body.length - HEADER_BYTES > MAX_PAYLOAD_BYTES) {
      throw new PaldronError("request", "the arguments and environment of the command are too long");
    }
    this.body.patchU32(4, this.body.length - HEADER_BYTES);
    return this.body.finish();
  }
}

/** A string as the kernel takes it. It ends strings at NUL, so one inside would silently cut the rest. */
export function kernelBytes(text: string, what: string): Uint8Array {
  if (text.includes("\0")) throw new PaldronError("request", `${what} holds a NUL byte`);
  return encodeBytes(text);
}

export function path(out: ByteWriter, record: PathRecord): void {
  const bytes = kernelBytes(record.path, "a path");
  out.u64(record.dev).u64(record.ino).u32(record.type).u32(bytes.length).bytes(bytes);
}

/** A record for each pattern of a name. */
export function patterns(message: MessageWriter, type: number, names: readonly string[]): void {
  for (const name of names) {
    const bytes = kernelBytes(name, "a name pattern");
    message.record(type, (out) => out.bytes(bytes));
  }
}
