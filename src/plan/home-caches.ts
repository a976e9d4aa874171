import type { LinkRecord } from "./namespace-types.ts";

/** A folder of a tool's cache that is kept between runs. What a tool obeys (settings, hooks) never lies in one. */
export interface CacheRule {
  /** Its name among the kept folders. */
  readonly folder: string;
  /** Where the command's home shows it, and what of the folder it shows there ("" is all of it). */
  readonly at?: readonly (readonly [home: string, below: string])[];
  /** The variable that names it, for tools that have one. */
  readonly env?: string;
  /** Places in it where git would keep a configuration, removed before a run; `*` is any part of a name. */
  readonly config?: readonly string[];
  /** Packages lie unpacked in it, except below these paths: names of files there say nothing. */
  readonly unpackedExcept?: readonly string[];
}

function shown(folder: string, at: string): CacheRule {
  return { folder, at: [[at, ""]] };
}

function unpacked(folder: string, at: string): CacheRule {
  return { ...shown(folder, at), unpackedExcept: [] };
}

/** Fixed: a policy adds nothing to it. */
export const CACHES: readonly CacheRule[] = [
  // Its neighbours (`_npx`, `_logs`, settings) are not kept.
  shown("npm", ".npm/_cacache"),
  shown("pip-http", ".cache/pip/http"),
  shown("pip-http-v2", ".cache/pip/http-v2"),
  shown("pip-wheels", ".cache/pip/wheels"),
  { ...unpacked("uv", ".cache/uv"), config: ["git-*"] },
  { folder: "go-build", env: "GOCACHE" },
  { folder: "go-mod", env: "GOMODCACHE", config: ["cache/vcs"], unpackedExcept: ["cache/download/"] },
  {
    ...shown("cargo-registry", ".cargo/registry"),
    config: ["index/*/.git"],
    unpackedExcept: ["cache/", "index/"],
  },
  // Two runs at once wait for each other as two cargos do.
  {
    folder: "cargo-locks",
    at: [
      [".cargo/.package-cache", "package-cache"],
      [".cargo/.package-cache-mutate", "package-cache-mutate"],
    ],
  },
  unpacked("yarn", ".cache/yarn"),
  shown("yarn-berry", ".yarn/berry/cache"),
  shown("pnpm-store", ".local/share/pnpm/store"),
  shown("pnpm-meta", ".cache/pnpm"),
  { folder: "bun", env: "BUN_INSTALL_CACHE_DIR", unpackedExcept: [] },
  shown("deno-deps", ".cache/deno/deps"),
  shown("deno-remote", ".cache/deno/remote"),
  unpacked("deno-npm", ".cache/deno/npm"),
  shown("deno-gen", ".cache/deno/gen"),
  shown("maven", ".m2/repository"),
  shown("gradle-modules", ".gradle/caches/modules-2"),
  unpacked("gradle-dists", ".gradle/wrapper/dists"),
  shown("composer-files", ".cache/composer/files"),
  shown("composer-repo", ".cache/composer/repo"),
  unpacked("nuget", ".nuget/packages"),
];

/** Dependency caches of the real home: read, never written. Paths that exist. */
export interface RealCaches {
  readonly cargoRegistry?: string | undefined;
  readonly goModules?: string | undefined;
  readonly maven?: string | undefined;
  readonly gradle?: string | undefined;
}

export interface KeptCaches {
  /** The folder around them, as the command sees it. */
  readonly at: string;
  /** Names of those that this run may use. */
  readonly folders: { has(folder: string): boolean };
}

export interface HomeInput {
  /** The kept caches; undefined where there are none. */
  readonly kept: KeptCaches | undefined;
  readonly real: RealCaches;
  readonly network: boolean;
}

/**
 * Links of a fresh home, relative to it: to the kept caches, and without the network to the caches of the real home
 * that a tool can use as they are. With it a tool must be able to write what it fetches.
 */
export function homeLinks({ kept, real, network }: HomeInput): readonly LinkRecord[] {
  const links = new Map<string, string>();
  for (const [{ at = [] }, place] of placesOf(kept)) {
    for (const [home, below] of at) links.set(home, below === "" ? place : `${place}/${below}`);
  }
  if (!network) {
    if (real.cargoRegistry !== undefined) links.set(".cargo/registry", real.cargoRegistry);
    if (real.maven !== undefined) links.set(".m2/repository", real.maven);
  }
  return [...links].map(([path, text]) => ({ path, text }));
}

/** Variables that lead tools to the same places. */
export function cacheVariables({ kept, real, network }: HomeInput): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const [{ env }, place] of placesOf(kept)) if (env !== undefined) variables[env] = place;
  // With the network on `@latest` would become the latest of what has been fetched already.
  if (!network && real.goModules !== undefined)
    variables["GOPROXY"] = `file://${real.goModules}/cache/download,off`;
  if (real.gradle !== undefined) variables["GRADLE_RO_DEP_CACHE"] = real.gradle;
  return variables;
}

/** Each cache that may be used, with where the command sees it. */
function placesOf(kept: KeptCaches | undefined): readonly (readonly [CacheRule, string])[] {
  if (kept === undefined) return [];
  return CACHES.filter(({ folder }) => kept.folders.has(folder)).map((rule) => [
    rule,
    `${kept.at}/${rule.folder}`,
  ]);
}
