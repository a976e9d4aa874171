import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PaldronError } from "../../../src/core/errors.ts";
import { loadPolicyFile } from "../../../src/host/policy-file.ts";
import { DEFAULT_POLICY } from "../../../src/policy/parse.ts";

let top: string;
beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), "paldron-policy-"));
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

function write(bytes: string | Uint8Array): string {
  const path = join(top, "policy.toml");
  writeFileSync(path, bytes);
  return path;
}

function fifo(): string {
  const path = join(top, "fifo");
  if (!existsSync(path)) execFileSync("mkfifo", [path]);
  return path;
}

describe("loadPolicyFile", () => {
  it("gives the defaults where no file is named", () => {
    expect(loadPolicyFile(undefined)).toEqual({
      policy: DEFAULT_POLICY,
      source: { path: undefined, sha256: undefined },
    });
  });

  it("hashes the bytes that it read", () => {
    const text = "\ufefftimeout_sec = 7\n";
    const { policy, source } = loadPolicyFile(write(text));
    expect(policy.timeoutSec).toBe(7);
    expect(source.sha256).toBe(createHash("sha256").update(text).digest("hex"));
  });

  it("takes the null device for an empty file", () => {
    expect(loadPolicyFile("/dev/null").policy.timeoutSec).toBe(30);
  });

  it.each([
    ["an empty name", () => "", /is empty/],
    ["a missing file", () => join(top, "none"), /`.*none` not found$/],
    ["a path below a file", () => `${write("")}/x`, /not found$/],
    ["a folder", () => top, /is a folder$/],
    ["a huge file", () => write("#".repeat(1024 * 1024 + 1)), /larger than 1 MiB$/],
    ["a device", () => "/dev/zero", /is no regular file$/],
    ["a named pipe that nobody writes to", () => fifo(), /is no regular file$/],
    [
      "bytes that are no text",
      () => write(Buffer.from("a = 1\nb = '\xff'\n", "latin1")),
      /policy\.toml:2: not UTF-8 text$/,
    ],
    ["UTF-16", () => write(Buffer.from("\ufeffa = 1", "utf16le")), /:1: not UTF-8 text$/],
    ["a NUL", () => write("a = 1\n\0"), /:2: not valid TOML/],
  ])("refuses %s", (_, path, message) => {
    expect(() => loadPolicyFile(path())).toThrow(message);
    expect(() => loadPolicyFile(path())).toThrow(PaldronError);
  });
});
