import { expect, test } from "vitest";
import { Progress } from "../../../../src/app/mcp/progress.ts";
import { Redactor } from "../../../../src/secrets/find.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function shown(pieces: readonly string[], values: readonly string[] = []): Promise<readonly string[]> {
  const sent: string[] = [];
  const progress = new Progress({
    redactor: new Redactor(values),
    send: async (text) => {
      sent.push(text);
    },
  });
  for (const piece of pieces) {
    progress.add(1, bytes(piece));
    await progress.end();
  }
  return sent;
}

test("whole lines are sent, and the rest is left to the result", async () => {
  expect(await shown(["a", "b\nc", "d\ne"])).toEqual(["ab\n", "cd\n"]);
});

test("a secret that comes in pieces is not", async () => {
  expect(await shown(["x sec", "ret\n"], ["secret"])).toEqual(["x [secret removed by paldron]\n"]);
  const key = ["-----BEGIN PRIVATE KEY-----\n", "AAAA\n", "BBBB\n", "-----END PRIVATE KEY-----\n"];
  expect(await shown(["before\n", ...key])).toEqual(["before\n", "[secret removed by paldron]\n"]);
  expect(await shown(["before\n", ...key.slice(0, 3)])).toEqual(["before\n"]);
});

test("what comes while a message is on its way goes in one", async () => {
  const sent: [string, number][] = [];
  let release: () => void = () => undefined;
  const progress = new Progress({
    redactor: new Redactor([]),
    send: (text, count) => {
      sent.push([text, count]);
      return new Promise((resolve) => {
        release = resolve;
      });
    },
  });
  progress.add(1, bytes("a\n"));
  await Promise.resolve();
  for (const line of ["b\n", "c\n", "d\n"]) progress.add(2, bytes(line));
  release();
  await new Promise((resolve) => setImmediate(resolve));
  release();
  await progress.end();
  expect(sent).toEqual([
    ["a\n", 2],
    ["b\nc\nd\n", 8],
  ]);
});
