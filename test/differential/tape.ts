/** Choices that one generated text is made of. An empty tape chooses the first, which is the simplest. */
export class Tape {
  readonly #numbers: readonly number[];
  #at = 0;
  /** How deep the generator is inside its own rules. */
  depth = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  below(count: number): number {
    const number = this.#numbers[this.#at] ?? 0;
    this.#at += 1;
    return number % count;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  /** True once in `count` times. */
  once(count: number): boolean {
    return this.below(count) === count - 1;
  }

  some(most: number, make: () => string): string[] {
    const count = 1 + this.below(most);
    return Array.from({ length: count }, make);
  }
}

export type Rule = (tape: Tape) => string;

const DEEPEST = 4;

/** One of the rules; deep inside, one of the first `simple` ones, so that texts end. */
export function choose(tape: Tape, rules: readonly Rule[], simple: number): string {
  const rule = tape.pick(tape.depth >= DEEPEST ? rules.slice(0, simple) : rules);
  tape.depth += 1;
  try {
    return rule(tape);
  } finally {
    tape.depth -= 1;
  }
}
