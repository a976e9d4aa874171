import type { Decision } from "../core/decision.ts";
import { relativeTo } from "../policy/paths.ts";
import type { SecretMatch } from "../policy/secrets.ts";
import { deny, type GateContext } from "./context.ts";
import { isSelfTree, type Location, locate } from "./location.ts";

/** Outside paths that any command may name: devices without content, its own streams, facts about the machine. */
const COMMON_PATHS: ReadonlySet<string> = new Set([
  ...["null", "zero", "full", "random", "urandom", "tty", "ptmx", "stdin", "stdout", "stderr"].map(
    (name) => `/dev/${name}`,
  ),
  ...["0", "1", "2"].map((descriptor) => `/dev/fd/${descriptor}`),
  ...["cpuinfo", "loadavg", "meminfo", "stat", "uptime", "version"].map((name) => `/proc/${name}`),
]);

/** What the text of many scripts asks for to know the system, which every run shows. */
const SYSTEM_FACTS: ReadonlySet<string> = new Set(["/etc/os-release", "/usr/lib/os-release"]);

/** A shell opens these as connections, and under `exec` the loopback is the run's own. */
const LOOPBACK_DEVICE = /^\/dev\/(?:tcp|udp)\/(?:localhost|127\.\d+\.\d+\.\d+|::1)\/\w+$/;

const MAX_PATH = 4095;
const MAX_NAME = 255;

/**
 * Judges a string that is a path: as written, then as the disk resolves it. The order of the reasons is part of the
 * contract: an absolute path outside first, then `deny_globs`, secrets, the workspace, `allow_paths`.
 */
export function judgePath(raw: string, context: GateContext): Decision | undefined {
  if (raw.includes("\0"))
    return deny({ rule: "builtin:path", code: "path", what: raw, reason: "not a path" });
  if (isTooLong(raw)) {
    // A command cannot open it in one go, so it is no path there; a tool may walk it part by part.
    if (context.kind === "exec") return undefined;
    return deny({ rule: "builtin:path", code: "path", what: raw, reason: "path too long" });
  }
  const location = locate(raw, context);
  const mayNameDevices = context.kind === "exec" || context.inShell;
  if (mayNameDevices && location.absolute !== undefined && isCommon(location.absolute, context))
    return undefined;
  const resolved = resolveLocation(location, context);
  if (resolved.kind === "error" && location.inside) {
    return judgeSecret(raw, location.written, undefined, context) ?? unresolved(raw);
  }
  const inside = resolved.kind === "inside" ? resolved.relative : undefined;
  if (inside === undefined && location.form === "absolute" && !location.inside) {
    return isGranted(location, context) ? undefined : outside(raw);
  }
  const absolute = resolved.kind === "inside" ? resolved.absolute : undefined;
  const { written } = location;
  const other = inside === written ? undefined : inside;
  const secret =
    judgeSecret(raw, written, absolute, context) ??
    (other === undefined ? undefined : judgeSecret(raw, other, absolute, context));
  if (secret !== undefined) return secret;
  if (inside === undefined) return judgeOutside(raw, location, context);
  if (context.allowed.length === 0) return undefined;
  const names = location.inside ? [written, inside] : [inside];
  return names.every((name) => isAllowed(name, context)) ? undefined : outsideAllowed(raw);
}

/** Judges a string that may or may not be a path: only what it would match by name. */
export function judgeMention(raw: string, context: GateContext): Decision | undefined {
  if (isTooLong(raw)) return undefined;
  const url = /^[a-z][a-z0-9+.-]*:\/\/[^/]*(\/[^?#]*)?/i.exec(raw);
  // `HEAD:.env` and `host:.ssh/x` name a file behind the colon.
  if (url !== null) return judgeName(raw, url[1] ?? "", context);
  const colon = raw.lastIndexOf(":");
  const decision = judgeName(raw, raw, context);
  return decision !== undefined || colon === -1 ? decision : judgeName(raw, raw.slice(colon + 1), context);
}

function judgeName(raw: string, name: string, context: GateContext): Decision | undefined {
  const match = context.secrets.matchWord(name);
  return match === undefined || match.inDependency ? undefined : denyMatch(raw, match);
}

function isCommon(absolute: string, { kind, inShell }: GateContext): boolean {
  if (COMMON_PATHS.has(absolute)) return true;
  return kind === "exec" && inShell && (SYSTEM_FACTS.has(absolute) || LOOPBACK_DEVICE.test(absolute));
}

function isAllowed(relative: string, context: GateContext): boolean {
  return context.allowed.every((globs) => globs.some((glob) => glob.matches(relative)));
}

type Resolved =
  | { readonly kind: "inside"; readonly absolute: string; readonly relative: string }
  | { readonly kind: "outside" }
  | { readonly kind: "error" };

function resolveLocation(location: Location, context: GateContext): Resolved {
  if (location.absolute === undefined || location.full === undefined) return { kind: "outside" };
  if (isSelfTree(location.absolute) && !location.inside) return { kind: "outside" };
  try {
    const absolute = context.view.resolve(location.full);
    const relative = relativeTo(context.workspace.root, absolute);
    return relative === undefined ? { kind: "outside" } : { kind: "inside", absolute, relative };
  } catch {
    return { kind: "error" };
  }
}

function judgeSecret(
  raw: string,
  name: string,
  absolute: string | undefined,
  context: GateContext,
): Decision | undefined {
  const match = context.secrets.match(name);
  if (match === undefined || match.inDependency) return undefined;
  const isPublic =
    match.content === "public-pem" && absolute !== undefined && context.view.isPublicPem(absolute);
  return isPublic ? undefined : denyMatch(raw, match);
}

function judgeOutside(raw: string, location: Location, context: GateContext): Decision | undefined {
  if (isGranted(location, context)) return undefined;
  return location.form === "home" && context.allowed.length > 0 ? outsideAllowed(raw) : outside(raw);
}

function isGranted(location: Location, context: GateContext): boolean {
  return isReadable(location, context) || isTemporary(location, context);
}

/**
 * A run has a `/tmp` of its own, empty at its start: what shell text names there is what the text makes there. A folder
 * that the machine's `/tmp` has is somebody's, and the run would not find it.
 */
function isTemporary({ absolute }: Location, context: GateContext): boolean {
  const { kind, inShell, policy, allowed, secrets, view } = context;
  if (kind !== "exec" || !inShell || !policy.requireOsIsolation || allowed.length > 0) return false;
  const name = absolute === undefined ? undefined : relativeTo("/tmp", absolute);
  if (name === undefined || secrets.match(name) !== undefined) return false;
  return name === "" || !view.isFolder(`/tmp/${name.split("/")[0]}`);
}

/** `read_paths` bind in the kernel, so only a command that it confines may name them. */
function isReadable(location: Location, context: GateContext): boolean {
  if (context.kind !== "exec" || location.absolute === undefined || isSelfTree(location.absolute))
    return false;
  if (context.readable.length === 0 || context.secrets.match(location.absolute) !== undefined) return false;
  try {
    const real = context.view.resolve(location.absolute);
    if (context.secrets.match(real) !== undefined) return false;
    return context.readable.some((folder) => relativeTo(context.view.resolve(folder), real) !== undefined);
  } catch {
    return false;
  }
}

function isTooLong(raw: string): boolean {
  if (raw.length <= MAX_NAME) return false;
  return raw.length > MAX_PATH || raw.split("/").some((part) => part.length > MAX_NAME);
}

function denyMatch(raw: string, match: SecretMatch): Decision {
  const reason = match.code === "secret" ? "secret" : "policy deny_glob";
  return deny({ rule: match.rule, code: match.code, what: raw, reason });
}

function outside(raw: string): Decision {
  return deny({
    rule: "builtin:workspace",
    code: "outside_workspace",
    what: raw,
    reason: "outside workspace",
  });
}

function outsideAllowed(raw: string): Decision {
  return deny({ rule: "allow_paths", code: "outside_allow_paths", what: raw, reason: "outside allow_paths" });
}

function unresolved(raw: string): Decision {
  return deny({ rule: "builtin:path", code: "path", what: raw, reason: "path cannot be resolved" });
}
