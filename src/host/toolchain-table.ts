/** A version manager or tool home that is known by the shape of its PATH entry. */
export interface ToolchainRule {
  /** The end of a PATH entry; `*` is one whole component. What stands before `root` is where it is installed. */
  readonly entries: readonly string[];
  /** The tool's own folder: the first components of each entry. */
  readonly root: string;
  /** What programs there need, relative to the root (`..` reaches a sibling). Credentials beside it are not named. */
  readonly grants: readonly string[];
  /** Variables by which a shim finds its data when HOME is another, relative to the root. */
  readonly env?: Readonly<Record<string, string>>;
}

/** pyenv and those made after it. */
function envFamily(root: string, variable: string): ToolchainRule {
  return {
    root,
    entries: ["shims", "bin", "plugins/*/shims", "plugins/*/bin", "versions/*/bin"].map(
      (end) => `${root}/${end}`,
    ),
    grants: [
      "bin",
      "shims",
      "libexec",
      "versions",
      "plugins",
      `${root.slice(1)}.d`,
      "completions",
      "src",
      "version",
    ],
    env: { [variable]: "." },
  };
}

/** Fixed: nothing is added to it by a policy or a variable. */
export const TOOLCHAINS: readonly ToolchainRule[] = [
  envFamily(".pyenv", "PYENV_ROOT"),
  envFamily(".rbenv", "RBENV_ROOT"),
  envFamily(".goenv", "GOENV_ROOT"),
  envFamily(".nodenv", "NODENV_ROOT"),
  envFamily(".jenv", "JENV_ROOT"),
  {
    // What rustup runs makes sure that `update-hashes` exists: in a new root it has to be there.
    root: ".cargo",
    entries: [".cargo/bin"],
    // Not the folder itself: credentials.toml and config.toml lie in it.
    grants: ["bin", "env", "../.rustup/toolchains", "../.rustup/settings.toml", "../.rustup/update-hashes"],
    env: { RUSTUP_HOME: "../.rustup" },
  },
  {
    root: "cargo",
    entries: ["cargo/bin"],
    grants: ["bin", "../rustup/toolchains", "../rustup/settings.toml", "../rustup/update-hashes"],
    env: { RUSTUP_HOME: "../rustup" },
  },
  {
    root: ".rustup",
    entries: [".rustup/toolchains/*/bin"],
    grants: ["toolchains", "settings.toml", "update-hashes"],
    env: { RUSTUP_HOME: "." },
  },
  { root: ".nvm", entries: [".nvm/versions/node/*/bin"], grants: ["versions", "alias"] },
  {
    root: "fnm",
    entries: ["fnm/node-versions/*/installation/bin", "fnm/aliases/*/bin"],
    grants: ["node-versions", "aliases"],
  },
  { root: ".volta", entries: [".volta/bin"], grants: ["bin", "tools"], env: { VOLTA_HOME: "." } },
  {
    root: ".asdf",
    entries: [".asdf/shims", ".asdf/bin", ".asdf/installs/*/*/bin"],
    grants: ["bin", "shims", "lib", "libexec", "plugins", "installs", "completions", "asdf.sh", "defaults"],
    env: { ASDF_DIR: ".", ASDF_DATA_DIR: "." },
  },
  {
    root: ".local/share/mise",
    entries: [
      ".local/share/mise/shims",
      ".local/share/mise/installs/*/*/bin",
      ".local/share/mise/installs/*/*",
    ],
    grants: ["shims", "installs", "plugins"],
    env: { MISE_DATA_DIR: "." },
  },
  {
    root: ".sdkman",
    entries: [".sdkman/candidates/*/*/bin"],
    grants: ["candidates"],
    env: { SDKMAN_DIR: "." },
  },
  { root: ".deno", entries: [".deno/bin"], grants: ["bin"] },
  { root: ".bun", entries: [".bun/bin"], grants: ["bin", "install/global"] },
  {
    root: ".local",
    entries: [".local/bin"],
    grants: [
      "bin",
      "share/pipx/venvs",
      "share/uv/tools",
      "share/uv/python",
      "share/pypoetry/venv",
      "pipx/venvs",
    ],
  },
  {
    root: ".local/share/uv",
    entries: [".local/share/uv/python/*/bin", ".local/share/uv/tools/*/bin"],
    grants: ["python", "tools"],
  },
  { root: ".local/share/pipx", entries: [".local/share/pipx/venvs/*/bin"], grants: ["venvs"] },
  { root: ".local/share/pnpm", entries: [".local/share/pnpm"], grants: ["."] },
  {
    root: ".linuxbrew",
    entries: [".linuxbrew/bin", ".linuxbrew/sbin"],
    grants: [
      "bin",
      "sbin",
      "lib",
      "libexec",
      "include",
      "share",
      "opt",
      "Cellar",
      "etc/ca-certificates",
      "etc/openssl@3",
    ],
  },
  { root: ".npm-global", entries: [".npm-global/bin"], grants: ["bin", "lib"] },
  { root: ".yarn", entries: [".yarn/bin"], grants: ["bin"] },
  { root: "go", entries: ["go/bin"], grants: ["bin"] },
  { root: "sdk", entries: ["sdk/*/bin"], grants: ["."] },
  { root: ".dotnet", entries: [".dotnet", ".dotnet/tools"], grants: ["."] },
  { root: ".ghcup", entries: [".ghcup/bin"], grants: ["bin", "ghc", "cache/ghc"] },
  { root: ".cabal", entries: [".cabal/bin"], grants: ["bin"] },
  { root: ".opam", entries: [".opam/*/bin"], grants: ["."] },
  {
    root: ".elan",
    entries: [".elan/bin"],
    grants: ["bin", "toolchains", "settings.toml", "update-hashes"],
    env: { ELAN_HOME: "." },
  },
  { root: ".juliaup", entries: [".juliaup/bin"], grants: ["bin"] },
  { root: ".poetry", entries: [".poetry/bin"], grants: ["bin", "lib", "venv"] },
];

/**
 * Folders that are an installation whatever they are called: one of these paths in the folder above `bin` says so.
 * Every listed path of a line must be there.
 */
export const PREFIX_MARKS: readonly (readonly string[])[] = [
  ["pyvenv.cfg"],
  ["conda-meta"],
  ["bin/node", "lib/node_modules"],
  ["bin/node", "include/node"],
  ["VERSION", "pkg/tool"],
  ["release", "lib/modules"],
  ["bin/mvn", "boot", "lib"],
  ["bin/gradle", "lib"],
];

/** What any installation outside of homes may be made of. */
export const COMMON_PARTS: readonly string[] = [
  "bin",
  "sbin",
  "lib",
  "lib32",
  "lib64",
  "libexec",
  "include",
  "share",
];

/**
 * What a folder with one of these marks is made of. Its top itself stays closed: settings with tokens lie there
 * (`.condarc`).
 */
export const PREFIX_PARTS: readonly string[] = [
  ...COMMON_PARTS,
  "src",
  "pkg",
  "api",
  "misc",
  "conf",
  "boot",
  "jre",
  "jmods",
  "legal",
  "init.d",
  "plugins",
  "condabin",
  "conda-meta",
  "compiler_compat",
  "ssl",
  "etc/conda/activate.d",
  "x86_64-conda-linux-gnu",
  "aarch64-conda-linux-gnu",
  "release",
  "VERSION",
  "go.env",
  "pyvenv.cfg",
];

/** Names under a home that no grant may lie in or contain. */
export const CREDENTIALS: readonly string[] = [
  ".ssh",
  ".aws",
  ".azure",
  ".gnupg",
  ".kube",
  ".docker",
  ".netrc",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pypirc",
  ".git-credentials",
  ".password-store",
  ".config/gcloud",
  ".config/gh",
  ".config/git/credentials",
  ".config/pip",
  ".config/op",
  ".config/containers",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".cargo/config.toml",
  ".gem/credentials",
  ".bundle/config",
  ".m2/settings.xml",
  ".m2/settings-security.xml",
  ".gradle/gradle.properties",
  ".local/share/keyrings",
  ".mozilla",
  ".claude",
  ".codex",
  ".gemini",
];
