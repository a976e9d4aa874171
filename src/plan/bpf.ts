import { PaldronError } from "../core/errors.ts";

/** Opcodes of classic BPF that seccomp(2) accepts and the filter uses (linux/bpf_common.h). */
const BPF = {
  /** A = 32-bit word of `struct seccomp_data` at k. */
  loadWord: 0x20,
  /** A &= k. */
  and: 0x54,
  /** pc += k. */
  jump: 0x05,
  jumpEqual: 0x15,
  jumpAbove: 0x25,
  jumpAtLeast: 0x35,
  jumpAnyBits: 0x45,
  returnConstant: 0x06,
} as const;

/** Offsets into `struct seccomp_data`; arguments are 64 bits wide, both architectures are little-endian. */
export const DATA = {
  nr: 0,
  arch: 4,
  argLow: (index: number): number => 16 + 8 * index,
  argHigh: (index: number): number => 20 + 8 * index,
} as const;

const MAX_INSTRUCTIONS = 4096;
const MAX_CONDITIONAL_OFFSET = 255;
const INSTRUCTION_BYTES = 8;

const UNPLACED = -1;

/** A place in the program; `at` counts instructions and moves while jumps are widened. */
export interface Label {
  readonly name: string;
  at: number;
}

type Item =
  | { readonly kind: "plain"; readonly code: number; readonly k: number }
  | { readonly kind: "label"; readonly label: Label }
  | { readonly kind: "goto"; readonly to: Label }
  | Branch;

interface Branch {
  readonly kind: "branch";
  readonly code: number;
  readonly k: number;
  readonly yes: Label;
  readonly no: Label;
  /** The target is more than 255 instructions away, so that a `jump` (32 bits) must carry it there. */
  farYes: boolean;
  farNo: boolean;
}

type Conditional = "jumpEqual" | "jumpAbove" | "jumpAtLeast" | "jumpAnyBits";

/** Assembles a classic BPF program. Jumps go forward only, as the kernel demands. */
export class Assembler {
  readonly #items: Item[] = [];

  newLabel(name: string): Label {
    return { name, at: UNPLACED };
  }

  place(label: Label): void {
    if (label.at !== UNPLACED) throw new PaldronError("internal", `label ${label.name} is placed twice`);
    label.at = 0;
    this.#items.push({ kind: "label", label });
  }

  load(offset: number): void {
    this.#plain(BPF.loadWord, offset);
  }

  and(mask: number): void {
    this.#plain(BPF.and, mask);
  }

  return(value: number): void {
    this.#plain(BPF.returnConstant, value);
  }

  goto(to: Label): void {
    this.#items.push({ kind: "goto", to });
  }

  branch(test: Conditional, k: number, to: { readonly yes: Label; readonly no: Label }): void {
    this.#items.push({ kind: "branch", code: BPF[test], k, ...to, farYes: false, farNo: false });
  }

  /** `struct sock_filter[]`, little-endian. */
  assemble(): Uint8Array {
    let size = this.#layout();
    while (this.#widen()) size = this.#layout();
    if (size === 0 || size > MAX_INSTRUCTIONS) {
      throw new PaldronError("internal", `a seccomp program of ${size} instructions`);
    }
    const out = new InstructionWriter(size);
    for (const item of this.#items) emit(out, item);
    return out.bytes;
  }

  #plain(code: number, k: number): void {
    this.#items.push({ kind: "plain", code, k });
  }

  /** Gives every label its place and returns the size of the program. */
  #layout(): number {
    let size = 0;
    for (const item of this.#items) {
      if (item.kind === "label") item.label.at = size;
      else size += itemSize(item);
    }
    return size;
  }

  /** Marks the jumps that do not reach; true when one was added, which moves what follows. */
  #widen(): boolean {
    let changed = false;
    let at = 0;
    for (const item of this.#items) {
      // Positions here must stay those of the last layout: the size is taken before the jump is widened.
      const next = at + itemSize(item);
      if (item.kind === "branch") {
        const farYes = item.farYes || item.yes.at - (at + 1) > MAX_CONDITIONAL_OFFSET;
        const farNo = item.farNo || item.no.at - (at + 1) > MAX_CONDITIONAL_OFFSET;
        changed ||= farYes !== item.farYes || farNo !== item.farNo;
        item.farYes = farYes;
        item.farNo = farNo;
      }
      at = next;
    }
    return changed;
  }
}

class InstructionWriter {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  at = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size * INSTRUCTION_BYTES);
    this.#view = new DataView(this.bytes.buffer);
  }

  write(
    code: number,
    k: number,
    jumps: { readonly yes: number; readonly no: number } = { yes: 0, no: 0 },
  ): void {
    const offset = this.at * INSTRUCTION_BYTES;
    this.#view.setUint16(offset, code, true);
    this.#view.setUint8(offset + 2, jumps.yes);
    this.#view.setUint8(offset + 3, jumps.no);
    this.#view.setUint32(offset + 4, k, true);
    this.at += 1;
  }

  /** Instructions between the next one and a label. */
  distance(label: Label): number {
    if (label.at === UNPLACED) throw new PaldronError("internal", `label ${label.name} is not placed`);
    const distance = label.at - (this.at + 1);
    if (distance < 0) throw new PaldronError("internal", `a jump back to label ${label.name}`);
    return distance;
  }
}

function itemSize(item: Item): number {
  switch (item.kind) {
    case "label":
      return 0;
    case "branch":
      return 1 + Number(item.farYes) + Number(item.farNo);
    default:
      return 1;
  }
}

function emit(out: InstructionWriter, item: Item): void {
  switch (item.kind) {
    case "label":
      return;
    case "plain":
      out.write(item.code, item.k);
      return;
    case "goto":
      out.write(BPF.jump, out.distance(item.to));
      return;
    case "branch": {
      // [branch][jump to yes, if far][jump to no, if far]
      const yes = item.farYes ? 0 : out.distance(item.yes);
      const no = item.farNo ? Number(item.farYes) : out.distance(item.no);
      out.write(item.code, item.k, { yes, no });
      if (item.farYes) out.write(BPF.jump, out.distance(item.yes));
      if (item.farNo) out.write(BPF.jump, out.distance(item.no));
    }
  }
}
