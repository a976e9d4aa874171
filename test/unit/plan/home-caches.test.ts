import { describe, expect, test } from "vitest";
import { CACHES, cacheVariables, homeLinks } from "../../../src/plan/home-caches.ts";

const all = new Set(CACHES.map(({ folder }) => folder));
const kept = { at: "/kept", folders: all };
const real = { cargoRegistry: "/h/.cargo/registry", goModules: "/h/go/pkg/mod", maven: "/h/.m2/repository" };
const links = (input: Parameters<typeof homeLinks>[0]) =>
  Object.fromEntries(homeLinks(input).map(({ path, text }) => [path, text]));

describe("what a fresh home shows", () => {
  test("the kept caches by links or variables, each once", () => {
    expect(links({ kept, real: {}, network: false })).toMatchObject({
      ".npm/_cacache": "/kept/npm",
      ".cargo/registry": "/kept/cargo-registry",
      ".cargo/.package-cache": "/kept/cargo-locks/package-cache",
      ".m2/repository": "/kept/maven",
    });
    expect(cacheVariables({ kept, real: {}, network: false })).toMatchObject({
      GOCACHE: "/kept/go-build",
      GOMODCACHE: "/kept/go-mod",
    });
    for (const { at, env } of CACHES) expect([at === undefined, env === undefined]).toContain(false);
  });

  test("no link lies in another or holds what a tool obeys", () => {
    const paths = Object.keys(links({ kept, real: {}, network: true }));
    for (const path of paths) {
      expect(paths.filter((other) => other.startsWith(`${path}/`))).toEqual([]);
      expect(path).not.toMatch(/rc$|config|settings|\.toml|\.d$/);
    }
  });

  test("without the network the caches of the real home, which are read only; with it none of them", () => {
    expect(links({ kept, real, network: false })).toMatchObject({
      ".cargo/registry": real.cargoRegistry,
      ".m2/repository": real.maven,
    });
    expect(cacheVariables({ kept, real, network: false })["GOPROXY"]).toBe(
      "file:///h/go/pkg/mod/cache/download,off",
    );
    expect(links({ kept, real, network: true })[".cargo/registry"]).toBe("/kept/cargo-registry");
    expect(cacheVariables({ kept, real, network: true })["GOPROXY"]).toBe(undefined);
  });

  test("a cache that this run may not use has neither", () => {
    const some = { at: "/kept", folders: new Set(["npm"]) };
    expect(links({ kept: some, real: {}, network: false })).toEqual({ ".npm/_cacache": "/kept/npm" });
    expect(cacheVariables({ kept: some, real: {}, network: false })).toEqual({});
    expect(homeLinks({ kept: undefined, real: {}, network: true })).toEqual([]);
  });
});
