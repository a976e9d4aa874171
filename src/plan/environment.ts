/** What the environment of a command is made from. */
export interface EnvironmentInput {
  /** The caller's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Further variables that pass as they are. */
  readonly variables: readonly string[];
  /** Folder that is the command's home for this run. */
  readonly scratchHome: string;
  /** Folder for its temporary files. */
  readonly scratchTmp: string;
  /** The folder it starts in. */
  readonly cwd: string;
  readonly network: boolean;
  /**
   * Where toolchains of the real home were found (`RUSTUP_HOME`, `VOLTA_HOME`…), for variables that the caller has not
   * set: with another home they would be looked for in the wrong place.
   */
  readonly toolchains: Readonly<Record<string, string>>;
  /** Where caches are that lie elsewhere than in the home. */
  readonly caches: Readonly<Record<string, string>>;
  /** Sockets that the command may connect to, as the policy names them, home resolved. */
  readonly sockets: readonly string[];
  /** The user's readable git configuration, where the home does not show it. */
  readonly gitConfig: string | undefined;
}

/** Variables that pass as they are. A variable grants no right: what it points to may well be closed. */
const PASSED = new Set([
  "LANG",
  "LANGUAGE",
  "TERM",
  "COLORTERM",
  "NO_COLOR",
  "FORCE_COLOR",
  "CLICOLOR",
  "CLICOLOR_FORCE",
  "COLUMNS",
  "LINES",
  "TZ",
  "USER",
  "LOGNAME",
  "SHELL",
  "CI",
  "SOURCE_DATE_EPOCH",
  "NODE_ENV",
  // compilers
  "CC",
  "CXX",
  "CFLAGS",
  "CXXFLAGS",
  "CPPFLAGS",
  "LDFLAGS",
  "RUSTFLAGS",
  // where toolchains are
  "GOROOT",
  "GOTOOLCHAIN",
  "GO111MODULE",
  "GOOS",
  "GOARCH",
  "CGO_ENABLED",
  "RUSTUP_HOME",
  "RUSTUP_TOOLCHAIN",
  "JAVA_HOME",
  "JDK_HOME",
  "M2_HOME",
  "MAVEN_HOME",
  "GRADLE_HOME",
  "DOTNET_ROOT",
  "SDKMAN_DIR",
  "PYENV_ROOT",
  "PYENV_VERSION",
  "VIRTUAL_ENV",
  "CONDA_PREFIX",
  "CONDA_DEFAULT_ENV",
  "NVM_DIR",
  "NVM_BIN",
  "FNM_DIR",
  "VOLTA_HOME",
  "ASDF_DIR",
  "ASDF_DATA_DIR",
  "MISE_DATA_DIR",
  "RBENV_ROOT",
  "RBENV_VERSION",
  "GOENV_ROOT",
  "NODENV_ROOT",
  "DENO_INSTALL",
  "BUN_INSTALL",
]);

/** They pass where they name a socket that is granted. */
const SOCKET_VARIABLES = ["SSH_AUTH_SOCK", "DOCKER_HOST", "DBUS_SESSION_BUS_ADDRESS"];
const SOCKET_PREFIX = /^unix:(?:\/\/(?=\/)|path=)/;

const LOCALE = /^LC_[A-Z]+$/;
/** Used where the caller has none, and where nothing of it is left: an empty PATH would mean the current folder. */
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Only absolute entries: an empty or relative one finds programs in whatever folder the command is in. */
function searchPath(path: string | undefined): string {
  const entries = (path ?? "").split(":").filter((entry) => entry.startsWith("/"));
  return entries.length === 0 ? DEFAULT_PATH : entries.join(":");
}

/** Tools that keep caches find an empty, writable place for them. */
function scratchPlaces(home: string, tmp: string): Readonly<Record<string, string>> {
  return {
    HOME: home,
    TMPDIR: tmp,
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
    GOPATH: `${home}/go`,
    GOCACHE: `${home}/.cache/go-build`,
    CARGO_HOME: `${home}/.cargo`,
    PIP_CACHE_DIR: `${home}/.cache/pip`,
    npm_config_cache: `${home}/.npm`,
    GRADLE_USER_HOME: `${home}/.gradle`,
    // Java takes the home from the user database, where it is the real one, and never looks at TMPDIR.
    MAVEN_OPTS: `-Duser.home=${home} -Djava.io.tmpdir=${tmp}`,
    // No run may give files to other users. Run by root, GNU tar would try to and fail.
    TAR_OPTIONS: "--no-same-owner",
  };
}

/** Tools that would wait for a network that is not there fail at once instead. */
const OFFLINE = {
  CARGO_NET_OFFLINE: "true",
  GOPROXY: "off",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  PIP_RETRIES: "0",
  UV_OFFLINE: "1",
  npm_config_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
};

/**
 * The whole environment of a command, as `NAME=value` lines in the order of their names. It is an allow-list: tokens,
 * agents' sockets, proxies, loader and interpreter settings (`LD_*`, `NODE_OPTIONS`, `PYTHON*`, `BASH_ENV`, `GIT_*`)
 * do not pass because nothing names them.
 */
export function buildEnvironment(input: EnvironmentInput): readonly string[] {
  const lines = new Map<string, string>(Object.entries(input.toolchains));
  for (const [name, value] of Object.entries(input.env)) {
    if (value !== undefined && (PASSED.has(name) || LOCALE.test(name))) lines.set(name, value);
  }
  for (const name of SOCKET_VARIABLES) {
    const value = input.env[name];
    if (value !== undefined && input.sockets.includes(value.replace(SOCKET_PREFIX, "")))
      lines.set(name, value);
  }
  const own = {
    ...scratchPlaces(input.scratchHome, input.scratchTmp),
    ...(input.network ? {} : OFFLINE),
    ...input.caches,
    ...(input.gitConfig === undefined ? {} : { GIT_CONFIG_GLOBAL: input.gitConfig }),
    PATH: searchPath(input.env["PATH"]),
    PWD: input.cwd,
  };
  for (const [name, value] of Object.entries(own)) lines.set(name, value);
  for (const name of input.variables) {
    const value = input.env[name];
    if (value !== undefined) lines.set(name, value);
  }
  return [...lines].map(([name, value]) => `${name}=${value}`).sort();
}
