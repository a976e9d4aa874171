/**
 * Runs a classic BPF program as seccomp(2) does. Written from the kernel's documentation alone (networking/filter,
 * seccomp_filter), so that a mistake in the assembler is not repeated here.
 */
export interface SeccompData {
  readonly nr: number;
  readonly arch: number;
  readonly args?: readonly bigint[];
}

export interface Execution {
  readonly value: number;
  readonly steps: number;
}

interface Instruction {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

export function decodeProgram(bytes: Uint8Array): readonly Instruction[] {
  if (bytes.length === 0 || bytes.length % 8 !== 0) throw new Error(`${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const program: Instruction[] = [];
  for (let at = 0; at < bytes.length; at += 8) {
    program.push({
      code: view.getUint16(at, true),
      jt: view.getUint8(at + 2),
      jf: view.getUint8(at + 3),
      k: view.getUint32(at + 4, true),
    });
  }
  return program;
}

const JUMPS = new Set([0x15, 0x25, 0x35, 0x45]);

/** What the kernel checks when a filter is loaded (`bpf_check_classic`, `seccomp_check_filter`). */
export function verify(program: readonly Instruction[]): void {
  if (program.length > 4096) throw new Error(`${program.length} instructions`);
  for (const [at, { code, jt, jf, k }] of program.entries()) {
    const left = program.length - at - 1;
    if (code === 0x20) {
      if (k >= 64 || k % 4 !== 0) throw new Error(`load of offset ${k} at ${at}`);
    } else if (code === 0x05) {
      if (k >= left) throw new Error(`jump out of the program at ${at}`);
    } else if (JUMPS.has(code)) {
      if (jt >= left || jf >= left) throw new Error(`branch out of the program at ${at}`);
    } else if (code !== 0x06 && code !== 0x54) throw new Error(`opcode ${code} at ${at}`);
  }
  if (program.at(-1)?.code !== 0x06) throw new Error("the program does not end with a return");
}

function dataBytes(data: SeccompData): DataView {
  const view = new DataView(new ArrayBuffer(64));
  view.setUint32(0, data.nr, true);
  view.setUint32(4, data.arch, true);
  for (const [index, arg] of (data.args ?? []).entries()) view.setBigUint64(16 + 8 * index, arg, true);
  return view;
}

export function run(program: readonly Instruction[], data: SeccompData): Execution {
  const view = dataBytes(data);
  let accumulator = 0;
  let pc = 0;
  for (let steps = 1; steps <= program.length; steps += 1) {
    const instruction = program[pc];
    if (instruction === undefined) throw new Error(`fell out of the program at ${pc}`);
    const { code, jt, jf, k } = instruction;
    pc += 1;
    if (code === 0x06) return { value: k, steps };
    if (code === 0x20) accumulator = view.getUint32(k, true);
    else if (code === 0x54) accumulator = (accumulator & k) >>> 0;
    else if (code === 0x05) pc += k;
    else pc += holds(code, accumulator, k) ? jt : jf;
  }
  throw new Error("the program loops");
}

function holds(code: number, accumulator: number, k: number): boolean {
  switch (code) {
    case 0x15:
      return accumulator === k;
    case 0x25:
      return accumulator > k;
    case 0x35:
      return accumulator >= k;
    case 0x45:
      return (accumulator & k) !== 0;
    default:
      throw new Error(`opcode ${code}`);
  }
}
