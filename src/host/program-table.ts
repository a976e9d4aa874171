/** What a program starts itself: its own helpers, which nobody lists and without which it is of no use. */
export interface HelperRule {
  /** Names of the program; a version may follow (`gcc-12`), a target may stand before it. */
  readonly programs: RegExp;
  /** Programs on PATH. */
  readonly names?: readonly string[];
  /** Folders or files, absolute. */
  readonly paths?: readonly string[];
  /** The same, relative to the folder of the program itself. */
  readonly beside?: readonly string[];
}

const COMPILERS = ["as", "ld", "ld.bfd", "ld.gold", "ld.lld"];
const GCC = ["/usr/lib/gcc", "/usr/libexec/gcc", "/usr/local/lib/gcc", "/usr/local/libexec/gcc"];

/** Fixed; a policy adds to it with `allow_helpers`. docs/policy.md says the same. */
export const HELPERS: readonly HelperRule[] = [
  {
    programs: /^git$/,
    paths: ["/usr/lib/git-core", "/usr/libexec/git-core", "/usr/local/libexec/git-core"],
    beside: ["../libexec/git-core"],
  },
  {
    programs: /^(?:.*-)?(?:gcc|g\+\+|cc|c\+\+|c89|c99|cpp|gfortran)(?:-[\d.]+)?$/,
    names: COMPILERS,
    paths: GCC,
  },
  { programs: /^clang(?:\+\+)?(?:-[\d.]+)?$/, names: COMPILERS },
  { programs: /^rustc$/, names: ["cc", ...COMPILERS], paths: GCC, beside: ["../lib/rustlib"] },
  { programs: /^cargo$/, names: ["rustc", "rustdoc"] },
  {
    programs: /^(?:cargo|rustc|rustdoc|rustup|clippy-driver|rustfmt)$/,
    beside: ["../../.rustup/toolchains", "../../rustup/toolchains"],
  },
  { programs: /^go$/, names: ["gofmt", "gcc", ...COMPILERS], paths: GCC, beside: ["../pkg/tool"] },
  { programs: /^(?:npm|npx|yarn|yarnpkg|pnpm|pnpx|corepack)$/, names: ["node", "sh"] },
  { programs: /^(?:g?make|ninja)$/, names: ["sh"] },
  { programs: /^tar$/, names: ["gzip", "bzip2", "xz", "zstd"] },
  { programs: /^java$/, beside: ["../lib/jspawnhelper"] },
];

/** Folders of programs, on every PATH or not. */
export const PROGRAM_PLACES: readonly string[] = [
  "/bin",
  "/sbin",
  "/usr/bin",
  "/usr/sbin",
  "/usr/local/bin",
  "/usr/local/sbin",
  "/usr/games",
  "/usr/local/games",
];
