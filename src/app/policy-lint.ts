import { strictestOf } from "../core/decision.ts";
import { printable } from "../core/printable.ts";
import type { Workspace } from "../core/request.ts";
import type { FileView } from "../gate/file-view.ts";
import { fileView } from "../host/file-view.ts";
import { compileGlob, type GlobOptions } from "../policy/glob.ts";
import { covers } from "../policy/rules/covers.ts";
import { ANY_WORD, type Rule } from "../policy/rules/types.ts";
import type { Policy } from "../policy/types.ts";

/** `warning`: something does not do what it seems to. `note`: worth a look. */
export interface LintFinding {
  readonly severity: "warning" | "note";
  /** `rule infra (policy.toml:12)`, `deny_globs[2]`. */
  readonly where: string;
  readonly message: string;
}

export interface LintOptions {
  readonly policy: Policy;
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Looks for what a policy says in vain or against itself. */
export function lintPolicy({ policy, workspace, env }: LintOptions): readonly LintFinding[] {
  const view = fileView({ env, workspace });
  return [
    ...shadowed(policy.rules),
    ...unreachable(policy),
    ...contradictions(policy, workspace),
    ...missingPrograms(policy, workspace, view),
    ...idleGlobs(policy, workspace, view),
  ];
}

const ruleName = ({ id, origin }: Rule): string =>
  `rule ${printable(id)} (${origin.line === undefined ? origin.path : `${origin.path}:${origin.line}`})`;

/** A rule that another one covers and outweighs decides nothing. */
function shadowed(rules: readonly Rule[]): LintFinding[] {
  return rules.flatMap((rule, index) => {
    const by = rules.find((other, at) => {
      const stricter = strictestOf(other.decision, rule.decision) === other.decision;
      const counts = other.decision !== rule.decision || at < index;
      return other !== rule && stricter && counts && covers(other, rule);
    });
    if (by === undefined) return [];
    const message = `decides nothing: ${ruleName(by)} covers it and says ${by.decision}`;
    return [{ severity: "warning", where: ruleName(rule), message }];
  });
}

/** A rule about programs that may not start at all. */
function unreachable({ rules, allowBinaries }: Policy): LintFinding[] {
  if (allowBinaries.length === 0) return [];
  const names = new Set(allowBinaries.flatMap((entry) => [entry, entry.split("/").at(-1) ?? entry]));
  return rules.flatMap((rule) => {
    const [programs = []] = rule.command ?? [];
    const isDead = programs.length > 0 && !programs.some((name) => name === ANY_WORD || names.has(name));
    if (!isDead) return [];
    const message = `decides nothing: allow_binaries does not list ${programs.map((name) => `\`${printable(name)}\``).join(", ")}`;
    return [{ severity: rule.decision === "deny" ? "note" : "warning", where: ruleName(rule), message }];
  });
}

const isPlain = (entry: string): boolean => !/[*?[{\\]/.test(entry);

/** Entries that another key takes back. */
function contradictions(policy: Policy, { root, names }: Workspace): LintFinding[] {
  const roots = [root, ...names];
  const denied = policy.denyGlobs.map((glob) => compileGlob(glob, { roots }));
  const lists = [
    ["allow_paths", policy.allowPaths],
    ["secret_exceptions", policy.secretExceptions],
    ["write_paths", policy.writePaths ?? []],
  ] as const;
  const found = lists.flatMap(([key, entries]) =>
    entries.flatMap((entry, index): LintFinding[] => {
      const by = isPlain(entry) && entry !== "" ? denied.findIndex((glob) => glob.matches(entry)) : -1;
      if (by < 0) return [];
      const message = `\`${printable(entry)}\` is denied by deny_globs[${by}] (\`${printable(policy.denyGlobs[by] ?? "")}\`)`;
      return [{ severity: "warning", where: `${key}[${index}]`, message }];
    }),
  );
  if (policy.requireOsIsolation || policy.require !== undefined) return found;
  const message = "runs start with whatever the machine can enforce, also with nothing";
  return [...found, { severity: "note", where: "require_os_isolation", message }];
}

function missingPrograms(policy: Policy, { root, cwd }: Workspace, view: FileView): LintFinding[] {
  return policy.allowBinaries.flatMap((entry, index): LintFinding[] => {
    const path = entry.includes("/") && !entry.startsWith("/") ? `${root}/${entry}` : entry;
    if (entry === "" || view.findProgram(path, cwd) !== undefined) return [];
    return [
      {
        severity: "note",
        where: `allow_binaries[${index}]`,
        message: `\`${printable(entry)}\` is not found`,
      },
    ];
  });
}

const MAX_ENTRIES = 20_000;

/** Globs that match nothing in the workspace as it is. */
function idleGlobs(policy: Policy, { root, names }: Workspace, view: FileView): LintFinding[] {
  const paths = pathsOf(root, view);
  if (paths === undefined) {
    const message = `holds more than ${MAX_ENTRIES} files: globs were not tried`;
    return [{ severity: "note", where: "workspace", message }];
  }
  const roots = [root, ...names];
  const idle = (where: string, glob: string, options: GlobOptions): LintFinding[] => {
    const compiled = compileGlob(glob, { ...options, roots });
    if (glob === "" || paths.some((path) => compiled.matches(path))) return [];
    return [{ severity: "note", where, message: `\`${printable(glob)}\` matches nothing in the workspace` }];
  };
  const widening = { caseSensitive: true };
  return [
    ...policy.allowPaths.flatMap((glob, at) =>
      idle(`allow_paths[${at}]`, glob, { ...widening, anchored: true }),
    ),
    ...policy.denyGlobs.flatMap((glob, at) => idle(`deny_globs[${at}]`, glob, {})),
    ...policy.secretExceptions.flatMap((glob, at) => idle(`secret_exceptions[${at}]`, glob, widening)),
    ...policy.rules
      .filter((rule) => !rule.origin.path.startsWith("preset "))
      .flatMap((rule) => (rule.path ?? []).flatMap((glob) => idle(ruleName(rule), glob, {}))),
  ];
}

/** Every path of the workspace; undefined where there are too many. Links are not followed out of it. */
function pathsOf(root: string, view: FileView): readonly string[] | undefined {
  const found: string[] = [];
  const open = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const at = folder === "" ? root : `${root}/${folder}`;
    for (const name of view.list(at) ?? []) {
      const path = folder === "" ? name : `${folder}/${name}`;
      found.push(path);
      if (found.length > MAX_ENTRIES) return undefined;
      if (view.isFolder(`${at}/${name}`) && !isLink(`${at}/${name}`, view)) open.push(path);
    }
  }
  return found;
}

function isLink(path: string, view: FileView): boolean {
  try {
    return view.resolve(path) !== path;
  } catch {
    return true;
  }
}
