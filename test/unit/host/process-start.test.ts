import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { startOfProcess } from "../../../src/host/process-start.ts";

test("a process has one start, a later one has a later start, and one that is gone has none", async () => {
  const own = startOfProcess(process.pid);
  expect(own).toMatch(/^\d+$/);
  expect(startOfProcess(process.pid)).toBe(own);
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  const start = startOfProcess(pid);
  expect(Number(start)).toBeGreaterThan(Number(own));
  expect(startOfProcess(pid)).toBe(start);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(startOfProcess(pid)).toBeUndefined();
});
