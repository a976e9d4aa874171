import type { RealCaches } from "../plan/home-caches.ts";
import { type Grant, isWithin, pathRecord } from "./path-record.ts";

/** Caches of packages below a home, which hold neither settings nor credentials. Fixed: no variable adds to it. */
const FOLDERS = {
  cargoRegistry: ".cargo/registry",
  goModules: "go/pkg/mod",
  maven: ".m2/repository",
  gradleModules: ".gradle/caches/modules-2",
  gradleDists: ".gradle/wrapper/dists",
  pnpm: ".local/share/pnpm/store",
  bun: ".bun/install/cache",
  denoDeps: ".cache/deno/deps",
  denoRemote: ".cache/deno/remote",
  denoNpm: ".cache/deno/npm",
} as const;

export interface DependencyCaches {
  readonly grants: readonly Grant[];
  readonly real: RealCaches;
}

/** Those that are there. A link may lead to another disk, but to a folder of that name. */
export function dependencyCaches(home: string | undefined): DependencyCaches {
  const real = home?.startsWith("/") === true ? pathRecord(home)?.path : undefined;
  const found = new Map<string, Grant>();
  for (const [name, folder] of real === undefined ? [] : Object.entries(FOLDERS)) {
    const record = pathRecord(`${real}/${folder}`);
    const called = folder.slice(folder.lastIndexOf("/"));
    if (real !== undefined && record?.path.endsWith(called) === true && !isWithin(real, record.path))
      found.set(name, { ...record, kind: "read-exec" });
  }
  const modules = found.get("gradleModules")?.path;
  return {
    grants: [...found.values()],
    real: {
      cargoRegistry: found.get("cargoRegistry")?.path,
      goModules: found.get("goModules")?.path,
      maven: found.get("maven")?.path,
      gradle: modules?.slice(0, modules.lastIndexOf("/")),
    },
  };
}
