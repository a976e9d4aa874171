import type { Decision } from "../core/decision.ts";
import { printable } from "../core/printable.ts";
import type { Workspace } from "../core/request.ts";
import { compileGlob, type Glob } from "../policy/glob.ts";
import { cleanPath, relativeTo } from "../policy/paths.ts";
import { type SecretMatcher, secretMatcher } from "../policy/secrets.ts";
import type { Policy } from "../policy/types.ts";
import type { Analysis } from "../shell/types.ts";
import type { FileView } from "./file-view.ts";
import type { ShellJudge } from "./shell-judge.ts";

/** Everything one request is judged with. */
export interface GateContext {
  readonly policy: Policy;
  readonly workspace: Workspace;
  readonly view: FileView;
  readonly kind: "tool" | "exec";
  /** Undefined where the request was not expected to need it: then whatever needs it is denied. */
  readonly shell: ShellJudge | undefined;
  /** The workspace under all of its names, the real one first. */
  readonly roots: readonly string[];
  readonly secrets: SecretMatcher;
  /** Lists of which each must have a match. None: everything inside the workspace. */
  readonly allowed: readonly (readonly Glob[])[];
  /** Outside folders that a command, bounded by the kernel, may read. */
  readonly readable: readonly string[];
  /** The paths stand in shell text, which names devices as a matter of course. */
  readonly inShell: boolean;
  /** Files that no tool call may write, as the disk resolves them: the policy that judges it. */
  readonly protectedFiles: readonly string[];
  /** Wildcards of the shell text match hidden names too (`dotglob`). */
  readonly hidden: boolean;
  /** Paldron's own program, as the disk resolves it, which agents start only in the ways that it knows. */
  readonly ownFiles: readonly string[];
  /** The command of this request that was read last: the same one is asked about several times. */
  readonly lastRead: { value: ReadCommand | undefined };
}

/** A command line or an argument vector, as it was read. */
interface ReadCommand {
  readonly asked: string | readonly string[];
  readonly cwd: string;
  readonly kind: GateContext["kind"];
  readonly analysis: Analysis;
}

export interface GateInput {
  readonly policy: Policy;
  readonly workspace: Workspace;
  readonly view: FileView;
  readonly kind: "tool" | "exec";
  readonly shell: ShellJudge | undefined;
  readonly protectedFiles?: readonly string[] | undefined;
  readonly ownFiles?: readonly string[] | undefined;
}

/** Written out to the last field: every context has one shape, so that copies of it are cheap. */
export function gateContext(input: GateInput): GateContext {
  const { policy, workspace, view, kind, shell } = input;
  const roots =
    workspace.names.length === 0 ? [workspace.root] : [...new Set([workspace.root, ...workspace.names])];
  const { secrets, allowed } = compiled(policy, roots);
  return {
    policy,
    workspace,
    view,
    kind,
    shell,
    roots,
    secrets,
    allowed,
    readable: readableFolders(policy, view.home),
    inShell: false,
    protectedFiles: input.protectedFiles ?? [],
    hidden: false,
    ownFiles: input.ownFiles ?? [],
    lastRead: { value: undefined },
  };
}

/** The same request seen from elsewhere in it. Written out like `gateContext`: spreading is many times slower. */
export function changed(
  context: GateContext,
  to: Partial<Pick<GateContext, "workspace" | "inShell" | "hidden">>,
): GateContext {
  const { workspace = context.workspace, inShell = context.inShell, hidden = context.hidden } = to;
  const { policy, view, kind, shell, roots, secrets, allowed, readable, ownFiles, lastRead } = context;
  const { protectedFiles } = context;
  return {
    policy,
    workspace,
    view,
    kind,
    shell,
    roots,
    secrets,
    allowed,
    readable,
    inShell,
    protectedFiles,
    hidden,
    ownFiles,
    lastRead,
  };
}

function readableFolders({ readPaths, unixSockets }: Policy, home: string | undefined): readonly string[] {
  if (readPaths.length === 0 && unixSockets.length === 0) return [];
  return [...readPaths, ...unixSockets].flatMap((entry) => expandHome(entry, home) ?? []);
}

type Compiled = Pick<GateContext, "secrets" | "allowed">;

/** What a policy's patterns compile to, for the workspace that it was last asked about. */
const COMPILED = new WeakMap<Policy, { readonly key: string; readonly globs: Compiled }>();

function compiled(policy: Policy, roots: readonly string[]): Compiled {
  const key = roots.join("\0");
  const have = COMPILED.get(policy);
  if (have?.key === key) return have.globs;
  const globs = {
    secrets: secretMatcher(policy, roots),
    allowed: [policy.allowPaths, ...policy.alsoAllowPaths].flatMap((entries) => {
      const allowed = allowedGlobs(entries, roots);
      return allowed === undefined ? [] : [allowed];
    }),
  };
  COMPILED.set(policy, { key, globs });
  return globs;
}

function expandHome(entry: string, home: string | undefined): string | undefined {
  if (!entry.startsWith("~/")) return cleanPath(entry);
  return home === undefined ? undefined : cleanPath(`${home}/${entry.slice(2)}`);
}

/** `""`, `.` and `/` mean everything; an absolute entry counts only below the workspace; `..` and `~` never match. */
function allowedGlobs(entries: readonly string[], roots: readonly string[]): readonly Glob[] | undefined {
  const globs: Glob[] = [];
  for (const entry of entries) {
    if (entry === "/" || cleanPath(entry) === "") return undefined;
    if (entry.startsWith("~")) continue;
    const isForeign = entry.startsWith("/") && !roots.some((root) => relativeTo(root, entry) !== undefined);
    if (!isForeign) globs.push(compileGlob(entry, { caseSensitive: true, anchored: true, roots }));
  }
  return entries.length === 0 ? undefined : globs;
}

export interface Denial {
  readonly rule: string;
  readonly code: string;
  readonly what: string;
  readonly reason?: string;
}

export function deny(denial: Denial): Decision {
  return { decision: "deny", ...denial, what: printable(denial.what) };
}

/** Neither allowed nor forbidden: a person decides. */
export function ask(denial: Denial): Decision {
  return { ...deny(denial), decision: "ask" };
}

/** A whole sentence that is not about a path. */
export function denySentence(code: string, what: string): Decision {
  return { decision: "deny", rule: `builtin:${code}`, code, what: printable(what, 400) };
}
