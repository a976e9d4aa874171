import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Assembler } from "../../../src/plan/bpf.ts";
import { decodeProgram, run, verify } from "./bpf-interpreter.ts";

/** A chain of `count` equality tests, each returning its own number; 0xdead when none matched. */
function chain(count: number, padding: number): Uint8Array {
  const asm = new Assembler();
  const returns = Array.from({ length: count }, (_, i) => asm.newLabel(`return ${i}`));
  asm.load(0);
  for (const [value, label] of returns.entries()) {
    const next = asm.newLabel("next");
    asm.branch("jumpEqual", value, { yes: label, no: next });
    asm.place(next);
  }
  asm.return(0xdead);
  for (const [value, label] of returns.entries()) {
    asm.place(label);
    for (let i = 0; i < padding; i += 1) asm.and(0xffff_ffff);
    asm.return(value);
  }
  return asm.assemble();
}

describe("Assembler", () => {
  test.each([1, 100, 254, 255, 256, 257, 300, 1000])("reaches every target of a chain of %i", (count) => {
    const program = decodeProgram(chain(count, 1));
    verify(program);
    for (let nr = 0; nr < count; nr += 1) expect(run(program, { nr, arch: 0 }).value).toBe(nr);
    expect(run(program, { nr: count, arch: 0 }).value).toBe(0xdead);
  });

  test("uses no long jump where a short one reaches", () => {
    expect(decodeProgram(chain(100, 1)).some((instruction) => instruction.code === 0x05)).toBe(false);
    expect(decodeProgram(chain(300, 1)).some((instruction) => instruction.code === 0x05)).toBe(true);
  });

  test("carries both sides of a branch far away", () => {
    const asm = new Assembler();
    const [yes, no] = [asm.newLabel("yes"), asm.newLabel("no")];
    asm.load(0);
    asm.branch("jumpAtLeast", 7, { yes, no });
    for (let i = 0; i < 400; i += 1) asm.return(3);
    asm.place(yes);
    asm.return(1);
    asm.place(no);
    asm.return(2);
    const program = decodeProgram(asm.assemble());
    verify(program);
    expect(run(program, { nr: 7, arch: 0 }).value).toBe(1);
    expect(run(program, { nr: 6, arch: 0 }).value).toBe(2);
  });

  test("any distances", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 40 }), (count, padding) => {
        const program = decodeProgram(chain(count, padding));
        verify(program);
        for (let nr = 0; nr <= count; nr += 1) {
          expect(run(program, { nr, arch: 0 }).value).toBe(nr < count ? nr : 0xdead);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("refuses a label that is missing, placed twice or behind", () => {
    const missing = new Assembler();
    missing.goto(missing.newLabel("nowhere"));
    expect(() => missing.assemble()).toThrow(/is not placed/);

    const twice = new Assembler();
    const label = twice.newLabel("here");
    twice.place(label);
    expect(() => twice.place(label)).toThrow(/placed twice/);

    const back = new Assembler();
    const start = back.newLabel("start");
    back.place(start);
    back.goto(start);
    expect(() => back.assemble()).toThrow(/jump back/);
  });

  test("refuses a program that the kernel would not load", () => {
    expect(() => new Assembler().assemble()).toThrow(/0 instructions/);
    const long = new Assembler();
    for (let i = 0; i < 4097; i += 1) long.return(0);
    expect(() => long.assemble()).toThrow(/4097 instructions/);
  });
});
