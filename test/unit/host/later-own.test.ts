import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { ownFiles } from "../../../src/host/later-own.ts";
import { ROOT } from "../../meta/sources.ts";

function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? below(path) : [path];
  });
}

test("Paldron's own files in the workspace are guarded, code caches and their index too", () => {
  const own = ownFiles(resolve(ROOT), []).programs;
  const types = join(ROOT, "dist/index.d.ts");
  for (const folder of ["bin", "dist", "presets"])
    expect(own).toEqual(expect.arrayContaining(below(join(ROOT, folder)).filter((path) => path !== types)));
  expect(own).not.toContain(types);
  expect(own.filter((path) => path.startsWith(join(ROOT, "build/")))).toEqual([
    join(ROOT, "build/paldron-launcher"),
    join(ROOT, "build/paldron-probe"),
  ]);
  expect(own).toEqual(
    expect.arrayContaining([join(ROOT, "dist/cache.json"), join(ROOT, "dist/cache/main.cjs")]),
  );
});

test("of a workspace elsewhere none is", () => {
  expect(ownFiles(join(ROOT, "docs"), [])).toEqual({ policies: [], programs: [] });
});
