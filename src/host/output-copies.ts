import { concatBytes } from "../core/bytes.ts";

/** The bounded copies of what a command printed. */
export interface CopiedOutput {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Bytes at the start of each that came before output had to wait for the verdict; undefined: all of them did. */
  readonly free?: { readonly stdout: number; readonly stderr: number } | undefined;
}

type Stream = 1 | 2;

export type OnOutput = (stream: Stream, bytes: Uint8Array) => void;

/** Collects the copies of both streams. */
export class OutputCopies {
  readonly #chunks: Record<Stream, Uint8Array[]> = { 1: [], 2: [] };
  readonly #length: Record<Stream, number> = { 1: 0, 2: 0 };
  readonly #onOutput: OnOutput | undefined;
  #free: CopiedOutput["free"];

  constructor(onOutput: OnOutput | undefined) {
    this.#onOutput = onOutput;
  }

  add(stream: Stream, bytes: Uint8Array): void {
    this.#chunks[stream].push(bytes);
    this.#length[stream] += bytes.length;
    if (this.#free === undefined) this.#onOutput?.(stream, bytes);
  }

  /** What comes from now on waits for the verdict. */
  withhold(): void {
    this.#free ??= { stdout: this.#length[1], stderr: this.#length[2] };
  }

  outcome(): CopiedOutput {
    return { stdout: concatBytes(this.#chunks[1]), stderr: concatBytes(this.#chunks[2]), free: this.#free };
  }
}
