import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryLink } from "../../../src/host/temporary-link.ts";

let top: string;
beforeEach(() => {
  top = mkdtempSync("/var/tmp/paldron-test-");
  for (const name of ["ws", "tmp", "ws/in"]) mkdirSync(`${top}/${name}`);
  symlinkSync("tmp", `${top}/link`);
});
afterEach(() => rmSync(top, { recursive: true }));

const link = (name: string | undefined, workspace = `${top}/ws`, links: readonly string[] = []) =>
  temporaryLink({
    folder: name?.startsWith(".") === true ? `${top}${name.slice(1)}` : name,
    workspace,
    links: links.map((path) => ({ path, text: "x" })),
  });

test("the caller's temporary folder leads to the private one", () => {
  expect(link("./tmp")).toEqual([{ path: `${top}/tmp`, text: "/tmp" }]);
});

test.each([
  undefined,
  "",
  "tmp",
  "./none",
  "./link",
  "./ws/in",
  "./ws",
  "/",
  "/tmp",
  "/dev/shm",
  "/run",
  "/var/tmp",
])("%j does not", (name) => expect(link(name)).toEqual([]));

test("nor where a link or the workspace is in the way", () => {
  expect(link("./tmp", "/srv/ws")).toEqual([]);
  expect(link("./tmp", undefined, [`${top}/tmp/x`])).toEqual([]);
  expect(link("./tmp", undefined, [top])).toEqual([]);
});
