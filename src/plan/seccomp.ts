import { Assembler, DATA, type Label } from "./bpf.ts";
import { type ArgTest, ERRNO, type FilterOptions, type SeccompRule, seccompRules } from "./seccomp-rules.ts";
import { type Arch, SYSCALLS, syscallNumber } from "./syscalls.ts";
import { AUDIT_ARCH } from "./wire.ts";

/** Answers of a filter, seccomp(2). */
const RETURN = {
  allow: 0x7fff_0000,
  killProcess: 0x8000_0000,
  /** Plus the error number. */
  errno: 0x0005_0000,
  /** Handed to the listener; ENOSYS where there is none. */
  userNotif: 0x7fc0_0000,
} as const;

/** On x86_64 numbers with this bit are x32 calls: a second table that no rule here is written for. */
const X32_BIT = 0x4000_0000;
/** The number that a tracer sets to skip a call (`strace -e inject`); the kernel does nothing for it. */
const SKIPPED = 0xffff_ffff;

/** A stretch of call numbers with the same answer, up to the next one's start. */
interface Range {
  readonly from: number;
  readonly label: Label;
}

/** Programs made before: pure results, the same for every run of a long-lived caller. */
const made = new Map<string, Uint8Array>();

/**
 * The seccomp program of a run: a foreign architecture or x32 call kills the process, a number that is not in the
 * table is ENOSYS, then the rules; everything else is allowed. It takes some milliseconds the first time, so a caller
 * that waits for something else may ask for it early.
 */
export function buildSeccomp(arch: Arch, options: FilterOptions): Uint8Array {
  const { network, tracingBounded, sealedMemory, refuseTruncation, metadata, sockets, processes } = options;
  const key = [
    arch,
    network,
    tracingBounded,
    sealedMemory,
    refuseTruncation,
    metadata,
    sockets,
    processes,
  ].join();
  let program = made.get(key);
  if (program === undefined) {
    program = new FilterCompiler(arch).compile(seccompRules(options));
    made.set(key, program);
  }
  return program.slice();
}

class FilterCompiler {
  readonly #arch: Arch;
  readonly #asm = new Assembler();
  /** Shared endings, made when first asked for and placed at the end. */
  readonly #endings = new Map<number, Label>();

  constructor(arch: Arch) {
    this.#arch = arch;
  }

  compile(rules: readonly SeccompRule[]): Uint8Array {
    const asm = this.#asm;
    this.#prologue();
    const byNumber = new Map<number, SeccompRule[]>();
    for (const rule of rules) {
      for (const name of rule.calls) {
        const number = syscallNumber(this.#arch, name);
        if (number === undefined) continue;
        const own = byNumber.get(number);
        if (own === undefined) byNumber.set(number, [rule]);
        else own.push(rule);
      }
    }
    const bodies = new Map<number, Label>();
    for (const [number, own] of byNumber) bodies.set(number, this.#entry(own));
    this.#search(this.#ranges(bodies));
    for (const [number, own] of byNumber) this.#body(bodies.get(number), own);
    for (const [value, label] of this.#endings) {
      asm.place(label);
      asm.return(value);
    }
    return asm.assemble();
  }

  #prologue(): void {
    const asm = this.#asm;
    const native = asm.newLabel("native");
    asm.load(DATA.arch);
    asm.branch("jumpEqual", AUDIT_ARCH[this.#arch], { yes: native, no: this.#ending(RETURN.killProcess) });
    asm.place(native);
    asm.load(DATA.nr);
    const counted = asm.newLabel("counted");
    asm.branch("jumpEqual", SKIPPED, { yes: this.#ending(RETURN.allow), no: counted });
    asm.place(counted);
    if (this.#arch !== "x86_64") return;
    const ordinary = asm.newLabel("ordinary");
    asm.branch("jumpAtLeast", X32_BIT, { yes: this.#ending(RETURN.killProcess), no: ordinary });
    asm.place(ordinary);
  }

  /** Where a call with rules goes: straight to the answer when its first rule has no tests. */
  #entry(rules: readonly SeccompRule[]): Label {
    const first = rules[0];
    if (first !== undefined && first.when === undefined) return this.#refusal(first);
    return this.#asm.newLabel("rules of a call");
  }

  /** The whole number line, cut into stretches: allowed, ENOSYS, or a call's own rules. */
  #ranges(bodies: ReadonlyMap<number, Label>): readonly Range[] {
    const known = new Set(Object.values(SYSCALLS[this.#arch]));
    const allow = this.#ending(RETURN.allow);
    const unknown = this.#ending(RETURN.errno | ERRNO.ENOSYS);
    const ranges: Range[] = [];
    const beyond = Math.max(...known) + 1;
    for (let number = 0; number <= beyond; number += 1) {
      const label = bodies.get(number) ?? (known.has(number) ? allow : unknown);
      if (ranges.at(-1)?.label !== label) ranges.push({ from: number, label });
    }
    return ranges;
  }

  /** Binary search over the stretches; the accumulator holds the number. */
  #search(ranges: readonly Range[]): void {
    const [only] = ranges;
    if (only === undefined) return;
    if (ranges.length === 1) {
      this.#asm.goto(only.label);
      return;
    }
    const middle = ranges.length >> 1;
    const [left, right] = [ranges.slice(0, middle), ranges.slice(middle)];
    const [pivot, leftOnly] = [right[0], left.length === 1 ? left[0] : undefined];
    if (pivot === undefined) return;
    const above = right.length === 1 ? pivot.label : this.#asm.newLabel("upper half");
    const below = leftOnly?.label ?? this.#asm.newLabel("lower half");
    this.#asm.branch("jumpAtLeast", pivot.from, { yes: above, no: below });
    if (leftOnly === undefined) {
      this.#asm.place(below);
      this.#search(left);
    }
    if (right.length > 1) {
      this.#asm.place(above);
      this.#search(right);
    }
  }

  /** The rules of one call, in order; a call that is refused outright has no body. */
  #body(entry: Label | undefined, rules: readonly SeccompRule[]): void {
    if (entry === undefined || rules[0]?.when === undefined) return;
    this.#asm.place(entry);
    for (const rule of rules) {
      const refusal = this.#refusal(rule);
      if (rule.when === undefined) {
        this.#asm.goto(refusal);
        return;
      }
      const next = this.#asm.newLabel("next rule");
      for (const test of rule.when) {
        const holds = this.#asm.newLabel("test holds");
        this.#test(test, { holds, fails: next });
        this.#asm.place(holds);
      }
      this.#asm.goto(refusal);
      this.#asm.place(next);
    }
    this.#asm.goto(this.#ending(RETURN.allow));
  }

  #test(test: ArgTest, to: { readonly holds: Label; readonly fails: Label }): void {
    const asm = this.#asm;
    asm.load(DATA.argLow(test.arg));
    if ("anyBits" in test) {
      asm.branch("jumpAnyBits", test.anyBits, { yes: to.holds, no: to.fails });
      return;
    }
    if ("nonZero" in test) {
      const low = asm.newLabel("low word is zero");
      asm.branch("jumpEqual", 0, { yes: low, no: to.holds });
      asm.place(low);
      asm.load(DATA.argHigh(test.arg));
      asm.branch("jumpEqual", 0, { yes: to.fails, no: to.holds });
      return;
    }
    if (test.mask !== undefined) asm.and(test.mask);
    const [values, found, missed] =
      "oneOf" in test ? [test.oneOf, to.holds, to.fails] : [test.noneOf, to.fails, to.holds];
    for (const value of values) {
      const next = asm.newLabel("next value");
      asm.branch("jumpEqual", value, { yes: found, no: next });
      asm.place(next);
    }
    asm.goto(missed);
  }

  #refusal(rule: SeccompRule): Label {
    return this.#ending(rule.errno === "broker" ? RETURN.userNotif : RETURN.errno | ERRNO[rule.errno]);
  }

  #ending(value: number): Label {
    const found = this.#endings.get(value);
    if (found !== undefined) return found;
    const label = this.#asm.newLabel("return");
    this.#endings.set(value, label);
    return label;
  }
}
