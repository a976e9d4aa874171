import type { Redactor } from "../../secrets/find.ts";

/** Longest text of one message, so that a client is never sent a wall. */
const MAX_PIECE = 8 * 1024;

/** A block whose end has not come yet: only the whole of it can be known for a secret. */
const OPEN_BLOCK = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----(?![\s\S]*-----END)/;

export interface ProgressOptions {
  readonly redactor: Redactor;
  /** Sends one message; the next one waits for it. `count` are the bytes so far. */
  readonly send: (text: string, count: number) => Promise<void>;
}

/**
 * Output as it comes, for a client to show: whole lines, as many as have come while the last message was on its way,
 * without the secrets that are in them.
 */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
  #waiting = "";
  #count = 0;
  #sending: Promise<void> | undefined;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  add(stream: 1 | 2, bytes: Uint8Array): void {
    this.#count += bytes.length;
    this.#waiting += this.#decoders[stream].decode(bytes, { stream: true });
    this.#sending ??= this.#send();
  }

  /** Waits until what was sent is on its way. What is not a whole line is left to the result. */
  async end(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    // Whatever else has come by now goes with it.
    await Promise.resolve();
    for (let text = this.#take(); text !== ""; text = this.#take()) {
      await this.#options.send(text, this.#count).catch(() => undefined);
    }
    this.#sending = undefined;
  }

  #take(): string {
    const open = OPEN_BLOCK.exec(this.#waiting)?.index ?? this.#waiting.length;
    const end = this.#waiting.lastIndexOf("\n", open) + 1;
    const lines = this.#waiting.slice(0, end);
    this.#waiting = this.#waiting.slice(end);
    const clean = this.#options.redactor.clean(lines);
    return clean.length > MAX_PIECE ? `${clean.slice(0, MAX_PIECE)}…` : clean;
  }
}
