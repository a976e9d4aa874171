import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PaldronError } from "../../../src/core/errors.ts";
import { findWorkspace } from "../../../src/host/workspace.ts";

let top: string;
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "paldron-workspace-")));
  mkdirSync(join(top, "home/project/src"), { recursive: true });
  symlinkSync("home/project", join(top, "alias"));
  writeFileSync(join(top, "file"), "");
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const home = () => join(top, "home");
const project = () => join(top, "home/project");

describe("findWorkspace", () => {
  it("knows the folder by its real name and the shell's", () => {
    expect(findWorkspace({ cwd: join(top, "alias"), pwd: `${top}/home/../alias`, home: home() })).toEqual({
      root: project(),
      names: [join(top, "alias")],
      cwd: project(),
    });
  });

  it("does not believe a PWD that names another folder", () => {
    for (const pwd of [home(), "/", "relative", `${top}/nosuch`]) {
      expect(findWorkspace({ cwd: project(), pwd, home: home() }).names).toEqual([]);
    }
  });

  it("takes --workspace, and keeps the current folder where it lies in it", () => {
    const cwd = join(project(), "src");
    expect(findWorkspace({ cwd, option: "..", home: home() })).toMatchObject({ root: project(), cwd });
    expect(findWorkspace({ cwd: "/usr", option: join(top, "alias"), home: home() })).toEqual({
      root: project(),
      names: [join(top, "alias")],
      cwd: project(),
    });
  });

  it.each(["/", "home", "."])("refuses %s as too wide", (folder) => {
    const cwd = folder === "/" ? "/" : join(top, folder);
    expect(() => findWorkspace({ cwd, home: home() })).toThrow(PaldronError);
    expect(
      findWorkspace({ cwd, home: home(), policy: { allowPaths: [cwd], writePaths: undefined } }).root,
    ).toBe(cwd);
    expect(findWorkspace({ cwd, home: home(), policy: { allowPaths: [], writePaths: [cwd] } }).root).toBe(
      cwd,
    );
    const relative = { allowPaths: ["."], writePaths: ["."] };
    expect(() => findWorkspace({ cwd, home: home(), policy: relative })).toThrow(/write_paths/);
  });

  it.each([
    ["", /is empty/],
    ["nosuch", /ENOENT/],
    ["../../file", /not a folder/],
  ])("refuses --workspace %j", (option, message) => {
    expect(() => findWorkspace({ cwd: project(), option, home: home() })).toThrow(message);
  });

  it("takes no folder for one whose name in bytes reads like it", () => {
    const bytes = Buffer.concat([Buffer.from(`${top}/`), Buffer.from([0xff])]);
    mkdirSync(bytes);
    mkdirSync(join(top, "\ufffd"));
    symlinkSync(Buffer.from([0xff]), join(top, "to-bytes"));
    for (const option of ["\udcff", "to-bytes"]) {
      expect(() => findWorkspace({ cwd: top, option, home: home() })).toThrow(/not utf-8/);
    }
    expect(findWorkspace({ cwd: top, option: "\ufffd", home: home() }).root).toBe(join(top, "\ufffd"));
  });
});
