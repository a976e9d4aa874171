import type { Decision } from "../core/decision.ts";
import { printable } from "../core/printable.ts";
import type { Workspace } from "../core/request.ts";
import { compileGlob, type Glob } from "../policy/glob.ts";
import { cleanPath, relativeTo } from "../policy/paths.ts";
import { type SecretMatcher, secretMatcher } from "../policy/secrets.ts";
import type { Policy } from "../policy/types.ts";
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
  readonly inShell?: boolean;
  /** Files that no tool call may write, as the disk resolves them: the policy that judges it. */
  readonly protectedFiles: readonly string[];
  /** Wildcards of the shell text match hidden names too (`dotglob`). */
  readonly hidden?: boolean;
  /** Paldron's own program, as the disk resolves it, which agents start only in the ways that it knows. */
  readonly ownFiles: readonly string[];
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

export function gateContext(input: GateInput): GateContext {
  const { policy, workspace, view } = input;
  const roots = [...new Set([workspace.root, ...workspace.names])];
  return {
    ...input,
    roots,
    ...compiled(policy, roots),
    readable: [...policy.readPaths, ...policy.unixSockets].flatMap(
      (entry) => expandHome(entry, view.home) ?? [],
    ),
    protectedFiles: input.protectedFiles ?? [],
    ownFiles: input.ownFiles ?? [],
  };
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
