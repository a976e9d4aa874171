import type { Decision } from "../core/decision.ts";
import type { AssignEffect, Word } from "../shell/types.ts";
import { ask, deny, type GateContext } from "./context.ts";
import { judgePath } from "./judge-path.ts";
import { literalOf, shownWord } from "./words.ts";

/** Limits and warnings of Node; nothing that loads code. */
const NODE_OPTION =
  /^--(?:max-old-space-size=\d+|max-semi-space-size=\d+|stack-trace-limit=\d+|(?:no-)?warnings|trace-warnings|no-deprecation|trace-deprecation|enable-source-maps|openssl-legacy-provider|experimental-vm-modules|unhandled-rejections=\w+|dns-result-order=\w+)$/;

/** Values of other variables of this kind that only set limits, warnings and optimizations. */
const ORDINARY: Readonly<Record<string, RegExp>> = {
  RUSTFLAGS:
    /^(?:\s*(?:-[DWAF]\s*[\w:-]+|-C\s*(?:opt-level|debuginfo|target-cpu|target-feature|overflow-checks|debug-assertions|lto|panic|codegen-units|instrument-coverage|strip)(?:=[\w+,.-]+)?|--cfg[ =][\w="-]+|--cap-lints[ =]\w+))+$/,
  GOFLAGS:
    /^(?:\s*-(?:mod=(?:mod|vendor|readonly)|count=\d+|tags=[\w,]+|v|race|buildvcs=\w+|trimpath|p=\d+))+$/,
  MAKEFLAGS: /^-?(?:[ksnwB]*|j\s?\d*)$/,
  MAVEN_OPTS: /^(?:\s*-X(?:m[sx]|ss)\d+[kmgKMG])+$/,
  PYTHONWARNINGS: /^(?:ignore|default|error|always|module|once)(?:::\w+)?$/,
  XZ_OPT: /^(?:\s*-(?:\d|e|T\d+))+$/,
  GZIP: /^-\d$/,
  // Limits, warnings, macros and folders: nothing that loads code, starts a program or names the output. Each option
  // ends in a space, so that a text can be read in one way only and the match stays linear.
  CFLAGS:
    /^\s*(?:(?:-[cgvwsE]\d?|-ggdb\d?|-O\w*|-W(?!l,|p,|a,|rapper)[\w=+-]*|-Wl,(?:-O\d|--as-needed|--gc-sections|-z,\w+|-rpath[,=][\w./$-]+|--no-undefined|-dead_strip)|-std=[\w+]+|-[mf](?!plugin|pass-plugin|use-ld=[^ ]*\/)[\w=+.,-]*|-pthread|-pipe|-static(?:-[\w]+)?|-shared|-pedantic(?:-errors)?|-DNDEBUG|-[DU]\w+(?:=[\w."\\/-]*)?|-[IL]\s*[\w./-]+|-isystem\s*[\w./-]+|-l[\w.-]+)(?:\s+|$))*$/,
  LESS: /^-{0,2}(?:[a-jl-np-su-zA-NP-SU-Z~#.\d\s-]|quit-if-one-screen|RAW-CONTROL-CHARS|no-init)*$/,
  GOTOOLCHAIN: /^(?:local|auto|go[\d.]+|path)$/,
  GOENV: /^off$/,
  // A word for the kind of surroundings; only an interactive shell would take it for a file.
  ENV: /^(?:prod|production|dev|development|test|testing|stag(?:e|ing)|local|ci)$/,
  GIT_CONFIG_NOSYSTEM: /^(?:1|true|yes)$/,
  GIT_CONFIG_GLOBAL: /^\/dev\/null$/,
  GIT_CONFIG_SYSTEM: /^\/dev\/null$/,
};
const SAME: Readonly<Record<string, string>> = {
  RUSTDOCFLAGS: "RUSTFLAGS",
  GRADLE_OPTS: "MAVEN_OPTS",
  JAVA_OPTS: "MAVEN_OPTS",
  JAVA_TOOL_OPTIONS: "MAVEN_OPTS",
  ...Object.fromEntries(
    ["C", "CPP", "CXX", "F", "LD", "OBJC"]
      .flatMap((name) => ["", "CGO_", "EXTRA_", "K", "HOST"].map((start) => `${start}${name}FLAGS`))
      .concat("LIBS", "LDLIBS")
      .map((name) => [name, "CFLAGS"]),
  ),
};

/** Folders of modules inside the workspace (`PYTHONPATH=src`), and options that load nothing. */
function isOrdinaryValue(effect: AssignEffect, context: GateContext): boolean {
  if (effect.name === "PATH" && isOrdinaryPath(effect.value, context)) return true;
  const text = literalOf(effect.value);
  if (text === undefined) return false;
  if (effect.name === "NODE_OPTIONS") return text.split(" ").every((word) => NODE_OPTION.test(word));
  if (ORDINARY[SAME[effect.name] ?? effect.name]?.test(text) === true) return true;
  if (!/^(?:PYTHONPATH|NODE_PATH)$/.test(effect.name)) return false;
  return text.split(":").every((folder) => folder === "" || judgePath(folder, context) === undefined);
}

/** Folders of programs that no command of a request writes to. */
const SYSTEM_FOLDER = /^\/(?:usr|bin|sbin|opt|snap)(?:\/[\w.+-]+)*\/?$/;

/**
 * Without a list of programs any of them may be started by its path, so a folder in front is none of the gate's concern.
 * With one, what stands on PATH may only come from the system and from the PATH that was there.
 */
function isOrdinaryPath(value: Word, { policy }: GateContext): boolean {
  if (policy.allowBinaries.length === 0 && policy.rules.length === 0) return true;
  if (value.kind === "unknown") return value.source === "inherited";
  const parts = value.kind === "partial" ? value.parts : [value.text];
  const text = parts
    .map((part) =>
      typeof part === "string" ? part : "hole" in part && part.hole === "inherited" ? "/usr/bin" : "?",
    )
    .join("");
  return text.split(":").every((folder) => SYSTEM_FOLDER.test(folder) && !folder.includes(".."));
}

/** Search paths and preloads make a listed name run something else; a command under `exec` is bounded all the same. */
export function judgeAssignment(effect: AssignEffect, context: GateContext): Decision | undefined {
  if (effect.risk === "program" || isOrdinaryValue(effect, context)) return undefined;
  const what = `${effect.name}=${shownWord(effect.value)}`;
  const reason = "changes which code runs";
  if (context.kind !== "exec") return ask({ rule: "builtin:shell", code: "variable", what, reason });
  const isHeld = context.policy.allowBinaries.length > 0 && /^(?:PATH|LD_.*|BASH_ENV|ENV)$/.test(effect.name);
  return isHeld ? deny({ rule: "allow_binaries", code: "binary", what, reason }) : undefined;
}
