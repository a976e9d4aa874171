import { expect, test } from "vitest";
import { Slots } from "../../../../src/app/mcp/slots.ts";

test("only so many run, only so many wait, and each gets its turn", async () => {
  const slots = new Slots({ running: 2, waiting: 1 });
  const ends: (() => void)[] = [];
  let most = 0;
  let now = 0;
  const work = async (): Promise<string> => {
    now += 1;
    most = Math.max(most, now);
    await new Promise<void>((resolve) => ends.push(resolve));
    now -= 1;
    return "done";
  };
  const calls = [slots.run(work), slots.run(work), slots.run(work), slots.run(work)];
  expect(await calls[3]).toBeUndefined();
  while (ends.length > 0) {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await Promise.all(calls.slice(0, 3))).toEqual(["done", "done", "done"]);
  expect(most).toBe(2);
  const failing = slots.run(() => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  expect(await slots.run(async () => "free")).toBe("free");
});
