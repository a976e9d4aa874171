import type { ExpandEnv } from "./expand.ts";
import { LIMITS } from "./limits.ts";

/** For places where a value with alternatives counts as unknown. */
export const NO_CHOICE: ExpandEnv["pick"] = () => -1;

/** Tries the combinations of values one after another: `pick` answers from a script that `next` moves on. */
export class Choices {
  private readonly script: { index: number; count: number }[] = [];
  private readonly named = new Map<string, number>();
  private position = 0;
  private runs = 1;
  exhausted = false;

  readonly pick = (name: string, count: number): number => {
    const have = this.named.get(name);
    if (have !== undefined) return have;
    if (this.exhausted) return -1;
    let entry = this.script[this.position];
    if (entry === undefined) {
      entry = { index: 0, count };
      this.script.push(entry);
    }
    this.position += 1;
    this.named.set(name, entry.index);
    return entry.index;
  };

  /** Moves to the next combination; false when all were tried. After too many, one last run sees holes. */
  next(): boolean {
    if (this.exhausted || this.script.length === 0) return false;
    this.script.length = this.position;
    this.position = 0;
    this.named.clear();
    for (let last = this.script.pop(); last !== undefined; last = this.script.pop()) {
      if (last.index + 1 >= last.count) continue;
      this.script.push({ index: last.index + 1, count: last.count });
      this.runs += 1;
      if (this.runs > LIMITS.runs) this.exhausted = true;
      return true;
    }
    return false;
  }
}
