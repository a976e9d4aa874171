import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { messageLines } from "../../../src/host/message-lines.ts";

async function lines(chunks: readonly string[], maxBytes: number): Promise<readonly (string | undefined)[]> {
  const found: (string | undefined)[] = [];
  for await (const line of messageLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), maxBytes))
    found.push(line && Buffer.from(line).toString());
  return found;
}

test.each([
  [["a\nb\n"], ["a", "b"]],
  [
    ["a", "b", "\n", "\nc\nd"],
    ["ab", "", "c"],
  ],
  [
    ["12345\n1234", "5", "6\n123", "456\n", "1\n"],
    ["12345", undefined, undefined, "1"],
  ],
  [
    ["1234567890", "1234567890", "\n1\n"],
    [undefined, "1"],
  ],
  [["no end"], []],
])("%j", async (chunks, expected) => expect(await lines(chunks, 5)).toEqual(expected));
