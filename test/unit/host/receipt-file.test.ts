import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openReceipt } from "../../../src/host/receipt-file.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "paldron-receipt-"));
  mkdirSync(join(dir, "out"));
  writeFileSync(join(dir, "victim"), "precious");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const read = (name: string): string => readFileSync(join(dir, name), "utf8");

describe("a receipt is written", () => {
  test("where nothing was", () => {
    openReceipt("out/r.json", dir).write("{}\n");
    expect(read("out/r.json")).toBe("{}\n");
    expect(readdirSync(join(dir, "out"))).toEqual(["r.json"]);
  });
  test("over an ordinary file", () => {
    writeFileSync(join(dir, "r.json"), "a much longer old receipt");
    openReceipt(join(dir, "r.json"), "/").write("{}\n");
    expect(read("r.json")).toBe("{}\n");
  });
});

describe("a receipt path is refused before the run", () => {
  test.each(["out", "out/", "none/r.json", "victim/r.json", ""])("%j", (path) => {
    expect(() => openReceipt(path, dir)).toThrow(expect.objectContaining({ code: "io" }));
  });
  test("a link, so that no earlier run chooses what is overwritten", () => {
    symlinkSync("victim", join(dir, "r.json"));
    expect(() => openReceipt("r.json", dir)).toThrow("must be an ordinary file");
    expect(read("victim")).toBe("precious");
  });
  test("a device", () => expect(() => openReceipt("/dev/null", dir)).toThrow("must be an ordinary file"));
});

describe("what the run does to the path", () => {
  test("a link put in its place is replaced, not followed", () => {
    const receipt = openReceipt("r.json", dir);
    symlinkSync("victim", join(dir, "r.json"));
    receipt.write("{}\n");
    expect(read("victim")).toBe("precious");
    expect(read("r.json")).toBe("{}\n");
  });
  test("a forged receipt is replaced", () => {
    const receipt = openReceipt("r.json", dir);
    writeFileSync(join(dir, "r.json"), "forged");
    receipt.write("{}\n");
    expect(read("r.json")).toBe("{}\n");
  });
  test("a folder exchanged for a link is noticed", () => {
    mkdirSync(join(dir, "other"));
    const receipt = openReceipt("out/r.json", dir);
    renameSync(join(dir, "out"), join(dir, "away"));
    symlinkSync("other", join(dir, "out"));
    expect(() => receipt.write("{}\n")).toThrow("its folder was moved during the run");
    expect(existsSync(join(dir, "other/r.json"))).toBe(false);
  });
  test("a folder put in its place is an error", () => {
    const receipt = openReceipt("r.json", dir);
    mkdirSync(join(dir, "r.json/full"), { recursive: true });
    expect(() => receipt.write("{}\n")).toThrow(expect.objectContaining({ code: "io" }));
    expect(readdirSync(dir).sort()).toEqual(["out", "r.json", "victim"]);
  });
});
