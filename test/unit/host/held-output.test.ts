import { mkdtempSync, readdirSync, realpathSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PaldronError } from "../../../src/core/errors.ts";
import { holdStream } from "../../../src/host/held-output.ts";

let top: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "paldron-held-")));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(top, { recursive: true, force: true });
});

it("holds a stream in a file without a name", () => {
  vi.stubEnv("TMPDIR", top);
  const held = holdStream();
  expect(writeSync(held.fd, "text")).toBe(4);
  expect(readdirSync(top)).toEqual([]);
  held.close();
});

it("says that there is no temporary file", () => {
  vi.stubEnv("TMPDIR", join(top, "none"));
  expect(holdStream).toThrow(PaldronError);
  expect(holdStream).toThrow(/cannot hold the output back: no temporary file in /);
});
