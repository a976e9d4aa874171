/** The messages of docs/wire.md, written out a second time for the launcher's own tests. */
import { realpathSync, statSync } from "node:fs";

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

export function u64(value: bigint | number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  return bytes;
}

export function message(type: number, payload: Buffer, flags = 0): Buffer {
  return Buffer.concat([u16(type), u16(flags), u32(payload.length), payload]);
}

/** A record has the same header as a message. */
export function record(type: number, payload: Buffer, flags = 0): Buffer {
  return message(type, payload, flags);
}

export function pathRecord(path: string, change: { ino?: bigint } = {}): Buffer {
  const found = statSync(path, { bigint: true });
  const bytes = Buffer.from(path);
  const ino = change.ino ?? found.ino;
  const type = Number(found.mode & 0o170000n);
  return Buffer.concat([u64(found.dev), u64(ino), u32(type), u32(bytes.length), bytes]);
}

export const hello = message(1, u32(1));
export const cancel = (signal: number): Buffer => message(4, u32(signal));

export interface WalkOptions {
  readonly root: string;
  readonly names: readonly string[];
  readonly entries?: bigint;
  readonly depth?: number;
  readonly id?: number;
}

export function walkMessage(options: WalkOptions): Buffer {
  const records = [record(1, pathRecord(options.root))];
  for (const name of options.names) records.push(record(2, Buffer.from(name)));
  if (options.entries !== undefined || options.depth !== undefined) {
    const limits = [u64(options.entries ?? 1_000_000n), u32(options.depth ?? 10_000)];
    records.push(record(3, Buffer.concat(limits)));
  }
  return message(2, Buffer.concat([u32(options.id ?? 1), ...records]));
}

export const ALL_FS = 0xffffn;
export const SCOPE_SIGNAL = 2n;

export interface PlanOptions {
  readonly argv: readonly string[];
  readonly exec?: string;
  readonly program?: Buffer;
  readonly env?: readonly string[];
  readonly cwd?: string;
  /** Paths and rights; undefined: the whole file system with every right. */
  readonly rules?: readonly (readonly [string, bigint])[];
  readonly sweep?: boolean;
  readonly seccomp?: Buffer;
  readonly limits?: readonly (readonly [number, bigint])[];
  readonly scratch?: { readonly parent: string; readonly name: string };
  readonly folders?: readonly string[];
  /** Links inside it: path and text. */
  readonly links?: readonly (readonly [string, string])[];
  readonly timeoutMs?: bigint;
  readonly graceMs?: number;
  readonly watchdog?: { readonly memory: bigint; readonly tasks: number; readonly intervalMs?: number };
  /** Bytes and inodes that stay free, and the folder. */
  readonly room?: readonly [bytes: bigint, inodes: bigint, folder: string];
  readonly copy?: bigint;
  readonly relay?: bigint;
  readonly oomScore?: number;
}

function domainRecords(options: PlanOptions): Buffer[] {
  const records = [record(9, u32(1))];
  if (options.sweep === true && options.rules === undefined) return records;
  const rights = [u64(ALL_FS), u64(0), u64(SCOPE_SIGNAL), u32(0)];
  records.push(record(6, Buffer.concat(rights)));
  for (const [path, access] of options.rules ?? [["/", ALL_FS] as const]) {
    records.push(record(7, Buffer.concat([u64(access), pathRecord(path)])));
  }
  return records;
}

function optionalRecords(options: PlanOptions): Buffer[] {
  const records: Buffer[] = [];
  if (options.seccomp !== undefined) records.push(record(8, options.seccomp));
  for (const [resource, value] of options.limits ?? []) {
    records.push(record(10, Buffer.concat([u32(resource), u64(value), u64(value)])));
  }
  if (options.scratch !== undefined) {
    const parent = pathRecord(options.scratch.parent);
    records.push(record(11, Buffer.concat([u64(options.sweep ? 0 : ALL_FS), parent])));
    records.push(record(12, Buffer.from(options.scratch.name)));
    for (const folder of options.folders ?? ["tmp", "home"]) {
      records.push(record(13, Buffer.from(folder)));
    }
    for (const [path, text] of options.links ?? [])
      records.push(record(19, Buffer.concat([u32(path.length), Buffer.from(path + text)])));
  }
  if (options.watchdog !== undefined) {
    const { memory, tasks, intervalMs = 20 } = options.watchdog;
    records.push(record(16, Buffer.concat([u32(intervalMs), u64(memory), u32(tasks)])));
  }
  if (options.room !== undefined) {
    const [bytes, inodes, folder] = options.room;
    records.push(record(21, Buffer.concat([u64(bytes), u64(inodes), pathRecord(folder)])));
  }
  if (options.oomScore !== undefined) records.push(record(18, u32(options.oomScore)));
  return records;
}

export function planRecords(options: PlanOptions): Buffer[] {
  const [first = ""] = options.argv;
  const exec = options.exec ?? first;
  const timing = [u64(options.timeoutMs ?? 0n), u32(options.graceMs ?? 200)];
  return [
    record(1, Buffer.from(exec)),
    record(2, options.program ?? pathRecord(realpathSync(exec))),
    ...options.argv.map((arg) => record(3, Buffer.from(arg))),
    ...(options.env ?? ["PATH=/usr/bin:/bin"]).map((line) => record(4, Buffer.from(line))),
    record(5, pathRecord(options.cwd ?? "/tmp")),
    ...domainRecords(options),
    ...optionalRecords(options),
    record(14, Buffer.concat(timing)),
    record(15, u32(options.sweep === true ? 2 : 1)),
    record(17, Buffer.concat([u64(options.copy ?? 1n << 20n), u64(options.relay ?? 0n)])),
  ];
}

export function runMessage(records: readonly Buffer[]): Buffer {
  return message(3, Buffer.concat([...records, record(255, u32(records.length))]));
}

export const planMessage = (options: PlanOptions): Buffer => runMessage(planRecords(options));
