import type { Readable } from "node:stream";

const NEWLINE = 0x0a;

/**
 * The lines of a stream of messages, each ended by a newline, without it; undefined for one that is longer than
 * `maxBytes`, of which nothing is kept. What follows the last newline is no message.
 */
export async function* messageLines(
  stream: Readable,
  maxBytes: number,
): AsyncGenerator<Uint8Array | undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      length += end - start;
      parts.push(chunk.subarray(start, end));
      yield length > maxBytes ? undefined : Buffer.concat(parts);
      parts = [];
      length = 0;
      start = end + 1;
    }
    length += chunk.length - start;
    if (length > maxBytes) parts = [];
    else parts.push(chunk.subarray(start));
  }
}
