import { expect, test } from "vitest";
import { readOutcomes } from "../../../src/host/probe-output.ts";

test("outcomes by name; what could not be tried is neither", () => {
  const text = "a 0\nb 13\nc-d 11\ne SIGNAL 11\nf 251\ng SIGNAL 99\nnoise\nh\nopen 0 0\n";
  expect([...readOutcomes(text)]).toEqual([
    ["a", "ok"],
    ["b", "EACCES"],
    ["c-d", "EAGAIN"],
    ["e", "SIGSEGV"],
    ["f", "broken"],
    ["g", "broken"],
  ]);
});
