import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** How the kernel starts a file: by the interpreter or loader that it names, or by itself. */
export type Start =
  | { readonly by: "script"; readonly interpreter: string; readonly argument: string }
  | { readonly by: "loader"; readonly loader: string }
  | { readonly by: "itself" };

const MAX_LOADER_BYTES = 16 * 1024 * 1024;
/** Longest first line of a script (Linux 5.1). */
const START_BYTES = 4096;

/** Fields of a 64-bit ELF file, elf(5), little-endian as both architectures are. */
const ELF = { magic: 0x464c457f, class64: 2, phoff: 32, phentsize: 54, phnum: 56 } as const;
const PROGRAM_HEADER_BYTES = 56;
const PT_INTERP = 3;
/** Headers that a loader can do without, the best one first: only the program's own count (PT_GNU_STACK), notes. */
const SPARE = [0x6474_e551, 4, 0x6474_e550];
/** Nothing can ever be there. */
const NO_LOADER = "/dev/null/loader\0";

/** Undefined for what cannot be read or is no program of this kind. */
export function startOfProgram(path: string): Start | undefined {
  const head = programHead(path);
  if (head === undefined) return undefined;
  if (head.subarray(0, 2).toString("latin1") === "#!") return scriptStart(head);
  const headers = programHeaders(head, path);
  if (headers === undefined) return undefined;
  for (const header of headers) {
    if (header.readUInt32LE(0) !== PT_INTERP) continue;
    const name = readPart(path, Number(header.readBigUInt64LE(8)), Number(header.readBigUInt64LE(32)));
    const text = name?.toString("utf8").replace(/\0.*$/s, "") ?? "";
    return text.startsWith("/") ? { by: "loader", loader: text } : undefined;
  }
  return { by: "itself" };
}

/** The first bytes of a file, by which the kernel tells how it is started. */
export function programHead(path: string): Buffer | undefined {
  return readPart(path, 0, START_BYTES);
}

/** execve(2): the rest of the line behind the interpreter is one argument. */
function scriptStart(head: Buffer): Start | undefined {
  const line = head.toString("utf8", 2).split("\n", 1)[0] ?? "";
  const [, interpreter, argument = ""] = /^[ \t]*(\/[^ \t\r]*)(?:[ \t]+(.*?))?[ \t\r]*$/.exec(line) ?? [];
  return interpreter === undefined ? undefined : { by: "script", interpreter, argument };
}

function programHeaders(head: Buffer, path: string): readonly Buffer[] | undefined {
  if (head.length < 64 || head.readUInt32LE(0) !== ELF.magic || head[4] !== ELF.class64) return undefined;
  const size = head.readUInt16LE(ELF.phentsize);
  const count = head.readUInt16LE(ELF.phnum);
  const table = readPart(path, Number(head.readBigUInt64LE(ELF.phoff)), size * count);
  if (table === undefined || size !== PROGRAM_HEADER_BYTES || table.length !== size * count) return undefined;
  return Array.from({ length: count }, (_, i) => table.subarray(i * size, (i + 1) * size));
}

/**
 * A dynamic loader that does its work for programs and cannot be started as one: the kernel looks for the interpreter
 * of what it starts, and not for that of an interpreter (fs/binfmt_elf.c). So the copy names one that does not exist,
 * in place of a header that only counts for programs. Undefined where the file is not understood.
 */
export function guardedLoader(path: string): Buffer | undefined {
  const file = readPart(path, 0, MAX_LOADER_BYTES);
  const headers = file === undefined ? undefined : programHeaders(file, path);
  if (file === undefined || headers === undefined || file.length === MAX_LOADER_BYTES) return undefined;
  const types = headers.map((header) => header.readUInt32LE(0));
  const spare = SPARE.map((type) => types.indexOf(type)).find((index) => index !== -1);
  if (spare === undefined || types.includes(PT_INTERP)) return undefined;
  const name = Buffer.from(NO_LOADER);
  const copy = Buffer.concat([file, name]);
  const at = Number(file.readBigUInt64LE(ELF.phoff)) + spare * PROGRAM_HEADER_BYTES;
  copy.fill(0, at, at + PROGRAM_HEADER_BYTES);
  copy.writeUInt32LE(PT_INTERP, at);
  copy.writeUInt32LE(4, at + 4);
  copy.writeBigUInt64LE(BigInt(file.length), at + 8);
  copy.writeBigUInt64LE(BigInt(name.length), at + 32);
  copy.writeBigUInt64LE(BigInt(name.length), at + 40);
  copy.writeBigUInt64LE(1n, at + 48);
  return copy;
}

/** At most `length` bytes from `offset` of a regular file; pipes and devices are not waited for. */
function readPart(path: string, offset: number, length: number): Buffer | undefined {
  if (length < 0 || length > MAX_LOADER_BYTES) return undefined;
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const seen = fstatSync(fd);
      if (!seen.isFile()) return undefined;
      const buffer = Buffer.alloc(Math.min(length, Math.max(seen.size - offset, 0)));
      return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, offset));
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
