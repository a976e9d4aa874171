import { LIMITS } from "./limits.ts";
import type { Word } from "./types.ts";

/** What one analysis remembers of code that the text writes. */
export class CodeNotes {
  /** Programs that were read, by language and content. */
  readonly programs = new Set<string>();
  /** What the text adds to files that were there before; undefined where a piece of it is not known. */
  readonly appended = new Map<string, string | undefined>();
  /** Scripts of `package.json` that the text sets by themselves. */
  readonly scripts = new Map<string, readonly Word[]>();
  private left: number = LIMITS.code;

  /** Counts text that is read; false: it was too much already. */
  take(length: number): boolean {
    this.left -= length;
    return this.left >= 0;
  }
}
