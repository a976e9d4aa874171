import { expect, test } from "vitest";
import { platform } from "../../../src/host/platform.ts";

test.each([
  ["linux", "linux"],
  ["darwin", "darwin"],
  ["win32", "windows"],
  ["cygwin", "windows"],
  ["freebsd", "other"],
  ["", "other"],
])("%s is %s", (name, expected) => {
  expect(platform(name)).toBe(expected);
});

test("without a name it is this system", () => {
  expect(platform()).toBe(platform(process.platform));
});
