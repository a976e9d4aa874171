import type { Session } from "./session.ts";
import type { VariableRisk, Word } from "./types.ts";
import { knownPrefix, partsOf, sourceOf, textOf, wordOf } from "./value.ts";

/**
 * Variables that reach into what runs later. `program`: the value is a command line; it is read as one.
 * `code`: search paths, preloads, options, startup files. `location`: files that later commands read.
 */
const VARIABLES: readonly (readonly [RegExp, VariableRisk])[] = [
  [
    /^(?:PAGER|MANPAGER|GIT_PAGER|BAT_PAGER|DELTA_PAGER|SYSTEMD_PAGER|PSQL_PAGER|LESSOPEN|LESSCLOSE)$/,
    "program",
  ],
  [
    /^(?:EDITOR|VISUAL|FCEDIT|GIT_EDITOR|GIT_SEQUENCE_EDITOR|SUDO_EDITOR|KUBE_EDITOR|HGEDITOR|SVN_EDITOR)$/,
    "program",
  ],
  [
    /^(?:GIT_EXTERNAL_DIFF|GIT_SSH|GIT_SSH_COMMAND|GIT_ASKPASS|GIT_PROXY_COMMAND|SSH_ASKPASS|SUDO_ASKPASS)$/,
    "program",
  ],
  [
    /^(?:BROWSER|SHELL|CONFIG_SHELL|MAKESHELL|RSYNC_RSH|RSYNC_CONNECT_PROG|CVS_RSH|SVN_SSH|HGMERGE|PROMPT_COMMAND)$/,
    "program",
  ],
  [
    /^(?:RUSTC|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|RUSTDOC|CARGO_BUILD_RUSTC\w*|CARGO_TARGET_\w+_RUNNER|CARGO_TARGET_\w+_LINKER)$/,
    "program",
  ],
  [/^npm_config_(?:script_shell|shell|editor|git|browser|viewer|node_gyp)$/i, "program"],
  [/^(?:PATH|LD_.+|DYLD_.+|GCONV_PATH|LOCPATH|NLSPATH|OPENSSL_CONF|OPENSSL_MODULES|SSLKEYLOGFILE)$/, "code"],
  [
    /^(?:BASH_ENV|ENV|ZDOTDIR|BASH_FUNC_.+|SHELLOPTS|BASHOPTS|BASH_ALIASES|BASH_CMDS|BASH_LOADABLES_PATH|PS0|PS1|PS2|PS4|INPUTRC)$/,
    "code",
  ],
  [/^(?:GIT_CONFIG.*|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|GIT_ALLOW_PROTOCOL|GIT_ATTR_SOURCE)$/, "code"],
  [
    /^(?:NODE_OPTIONS|NODE_REPL_EXTERNAL_MODULE|BUN_OPTIONS|DENO_DIR|npm_config_(?:userconfig|globalconfig|prefix|node_options))$/i,
    "code",
  ],
  [
    /^(?:PYTHONSTARTUP|PYTHONHOME|PYTHONBREAKPOINT|PYTHONWARNINGS|PYTHONEXECUTABLE|PYTHONUSERBASE|PYTHONINSPECT|PYTHONPLATLIBDIR)$/,
    "code",
  ],
  [
    /^(?:PYTHONPATH|NODE_PATH|PERL5LIB|PERLLIB|RUBYLIB|CLASSPATH|LUA_PATH|LUA_CPATH|GEM_PATH|GEM_HOME)$/,
    "location",
  ],
  [
    /^(?:PERL5OPT|PERL5DB|RUBYOPT|PHPRC|PHP_INI_SCAN_DIR|LUA_INIT|R_PROFILE\w*|R_ENVIRON\w*|JULIA_\w+)$/,
    "code",
  ],
  [
    /^(?:JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|JAVA_OPTS|MAVEN_OPTS|GRADLE_OPTS|ANT_OPTS|SBT_OPTS)$/,
    "code",
  ],
  [
    /^(?:MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES|GOFLAGS|RUSTFLAGS|RUSTDOCFLAGS|CARGO_HOME|GCC_EXEC_PREFIX|COMPILER_PATH)$/,
    "code",
  ],
  [
    /^(?:EXINIT|VIMINIT|MYVIMRC|NVIM_\w+|LESSKEY\w*|LESSKEYIN|GREP_OPTIONS|TAR_OPTIONS|ZIPOPT|UNZIP|GZIP|XZ_OPT|RIPGREP_CONFIG_PATH|CURL_HOME|WGETRC|TERMINFO|TERMINFO_DIRS|TERMPATH)$/,
    "code",
  ],
  [
    /^(?:GIT_DIR|GIT_WORK_TREE|GIT_COMMON_DIR|GIT_INDEX_FILE|GIT_OBJECT_DIRECTORY|GIT_ALTERNATE_OBJECT_DIRECTORIES)$/,
    "location",
  ],
  [
    /^(?:HOME|XDG_CONFIG_HOME|XDG_DATA_HOME|XDG_CONFIG_DIRS|GNUPGHOME|DOCKER_CONFIG|DOCKER_HOST|KUBECONFIG|SSH_AUTH_SOCK)$/,
    "location",
  ],
];

/**
 * The same for names that a script may well use for something of its own: they count where a command gets them, before
 * its name or by `export`.
 */
const EXPORTED: readonly (readonly [RegExp, VariableRisk])[] = [
  [
    /^(?:CC|CXX|CPP|LD|AR|AS|NM|RANLIB|STRIP|OBJCOPY|OBJDUMP|FC|F77|F90|OBJC|OBJCXX|NVCC|CUDACXX|HOSTCC|HOSTCXX|CC_FOR_\w+|LINKER|MAKE|M4|YACC|LEX|ACLOCAL|AUTOCONF|AUTOHEADER|AUTOMAKE|LIBTOOL)$/,
    "program",
  ],
  [
    /^(?:CMAKE_\w+_(?:COMPILER|LAUNCHER)|CMAKE_(?:MAKE_PROGRAM|AR|LINKER|RANLIB)|PKG_CONFIG|CCACHE_(?:PREFIX\w*|COMPILER)|PYTHON3?|RUSTFMT|JAVACMD|GOCACHEPROG)$/,
    "program",
  ],
  [
    /^(?:LESSEDIT|PSQL_EDITOR|PSQL_WATCH_PAGER|FZF_DEFAULT_COMMAND|RSH|RUBYSHELL|(?:GH|GLAB|ACK|P4|CVS)_?(?:PAGER|EDITOR|BROWSER))$/,
    "program",
  ],
  [/^npm_config_python$/i, "program"],
  [/^(?:(?:CGO_|EXTRA_|K|HOST)?(?:C|CPP|CXX|F|LD|OBJC)FLAGS|LDLIBS|LIBS|ARFLAGS|FFLAGS)$/, "code"],
  [/^(?:LESS|MORE|MANOPT|MANROFFOPT|MANROFFSEQ|MANLESS|FZF_DEFAULT_OPTS|BAT_OPTS|BAT_CONFIG_PATH)$/, "code"],
  [
    /^(?:GOROOT|GOTOOLDIR|GOENV|GOTOOLCHAIN|GOAUTH|PSQLRC|CONFIG_SITE|ERL_A?FLAGS|ELIXIR_ERL_OPTIONS|EMACSLOADPATH|VIMRUNTIME)$/,
    "code",
  ],
  [
    /^(?:DOTNET_STARTUP_HOOKS|COR(?:ECLR)?_PROFILER\w*|YARN_(?:RC_FILENAME|YARN_PATH|PLUGINS)|AWS_CONFIG_FILE|PIP_CONFIG_FILE|ACKRC)$/,
    "code",
  ],
];

/** Compilers and their kin by name, with nothing that would start or load something else; also a bare version. */
const ORDINARY_PROGRAM =
  /^(?:(?:(?:ccache|sccache|distcc)\s+)?(?:[a-z\d_]+-)*(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|tcc|ld|ld\.\w+|mold|lld|ar|as|nm|ranlib|strip|objcopy|objdump|cpp|gfortran|nvcc|ccache|sccache|make|gmake|pkg-config|pkgconf)(?:-\d[\d.]*)?(?:\s+-(?:m\w+|std=[\w+]+|O\w|g))*|\d[\d.]*|)$/;

function riskOf(name: string, exported: boolean): VariableRisk | undefined {
  const found = VARIABLES.find(([pattern]) => pattern.test(name))?.[1];
  return found ?? (exported ? EXPORTED.find(([pattern]) => pattern.test(name))?.[1] : undefined);
}

/** Files that programs write, and the history of a shell, which it also shows. */
const WRITTEN =
  /^(?:HISTFILE|LESSHISTFILE|SQLITE_HISTORY|NODE_REPL_HISTORY|PSQL_HISTORY|MYSQL_HISTFILE|PYTHON_HISTORY|NODE_REDIRECT_WARNINGS|NODE_V8_COVERAGE|LLVM_PROFILE_FILE|GCOV_PREFIX|DEPENDENCIES_OUTPUT|SUNPRO_DEPENDENCIES|MALLOC_TRACE|GIT_TRACE\w*|GIT_REDIRECT_\w+|GOCOVERDIR|GOBIN|GOCACHE|GOTMPDIR|PYTHONPYCACHEPREFIX|PIP_(?:TARGET|LOG|PREFIX|ROOT)|COVERAGE_FILE|CARGO_TARGET_DIR|CARGO_INSTALL_ROOT|KRB5_TRACE|TMPDIR|TEMP|TMP)$/;
/** Folders for what may be thrown away. */
const PLACES = /^(?:TE?MP|GOCACHE|GOTMPDIR|GOCOVERDIR|PYTHONPYCACHE|CARGO_TARGET_DIR)/;
/** Where fresh files are made as a matter of course. */
const TEMPORARY = /^\/(?:var\/)?tmp(?:\/[\w-]+)*\/?$/;

/** A trace goes to a descriptor or nowhere unless its value is a whole path. */
function emitWritten(session: Session, name: string, path: Word): void {
  const prefix = knownPrefix(path);
  if (prefix === "" || (name.startsWith("GIT_TRACE") && !/^(?:\/|~|af_unix:)/.test(prefix))) return;
  if (PLACES.test(name) && TEMPORARY.test(textOf(path) ?? "")) return;
  const base = { path, from: "operand", command: undefined, option: name } as const;
  session.emit({ kind: "write", look: "path", ...base });
  if (name === "HISTFILE") session.emit({ kind: "read", look: "path", ...base });
}

/** Lists an assignment that matters, and reads the command a variable holds. `exported`: commands get it. */
export function emitAssignment(session: Session, name: string, value: Word, exported: boolean): void {
  if (WRITTEN.test(name)) emitWritten(session, name, value);
  const risk = riskOf(name, exported);
  if (risk === undefined) return;
  const isWeak = riskOf(name, false) === undefined;
  // `CC=${CC:-gcc}`: what was there is as good as it was, and `PYTHON=3.12` is no program.
  if (isWeak && (sourceOf(partsOf(value)) === "inherited" || ORDINARY_PROGRAM.test(textOf(value) ?? "?")))
    return;
  const isUnread = isWeak && risk === "program" && textOf(value) === undefined;
  session.emit({ kind: "assign", name, value, risk: isUnread ? "code" : risk });
  if (risk !== "program" || isUnread || textOf(value) === "") return;
  // `|lesspipe %s` is how LESSOPEN asks for a pipe.
  const text = name === "LESSOPEN" ? trimPipe(partsOf(value)) : partsOf(value);
  const { dialect } = session.scope;
  session.walker.text(session, { text, context: `variable ${name}`, dialect, inPlace: false });
}

/** `CC=x; export CC`. */
export function exportNamed(session: Session, name: string): void {
  for (const value of session.scope.get(name)?.values ?? [])
    emitAssignment(session, name, wordOf(value), true);
}

const trimPipe = (text: ReturnType<typeof partsOf>): ReturnType<typeof partsOf> =>
  text.map((part, index) => (index === 0 && typeof part === "string" ? part.replace(/^\|\|?-?/, "") : part));
