import { once } from "../core/once.ts";
import { foldCase } from "./fold.ts";
import { compileGlob, type Glob, type PreparedPath, preparePath } from "./glob.ts";
import { indexRules } from "./glob-index.ts";
import type { Policy } from "./types.ts";

/** How the content of a file clears it although its name matches. */
type ContentRule =
  /** All of its PEM blocks are public. */
  | "public-pem"
  /** It holds no private key. */
  | "no-private-key";

export interface SecretMatch {
  /** Id of the rule: `deny_globs[0]`, `builtin:secrets[3]`. */
  readonly rule: string;
  readonly code: "secret" | "deny_glob";
  /** The name alone does not decide: `content` says how the bytes do. */
  readonly byContent: boolean;
  readonly content: ContentRule | undefined;
  /** The path lies in a dependency folder and the rule hides nothing there. */
  readonly inDependency: boolean;
}

export interface SecretMatcher {
  /** What a path relative to the workspace matches: first `deny_globs`, in order, then the built-in names. */
  match(relPath: string): SecretMatch | undefined;
  /** The same for a lone word that need not be a path: patterns of wildcards alone do not count. */
  matchWord(word: string): SecretMatch | undefined;
  /** Patterns for single names, as {@link Glob.namePatterns}. */
  namePatterns(): readonly string[];
  /** A name that each of them matches. */
  sampleNames(): readonly string[];
}

interface BuiltinRule {
  readonly glob: string;
  /** Names of files that show what such a file looks like, and hold nothing. */
  readonly examples?: readonly string[];
  readonly content?: ContentRule;
  /** Rule for the content in dependency folders, where the name alone says little. */
  readonly dependencies?: ContentRule;
}

/** Folders of other people's code, where `*.pem` and `secrets/` are mostly certificates and modules. */
const DEPENDENCY_FOLDERS: ReadonlySet<string> = new Set([
  "node_modules",
  "site-packages",
  "vendor",
  ".venv",
  "target",
]);

const EXAMPLES = ["example", "sample", "template", "dist"].flatMap((end) => [`.env.${end}`, `.env.*.${end}`]);

/** Names that hold secrets by convention. The order is the rule's number: add at the end. */
export const SECRET_RULES: readonly BuiltinRule[] = [
  { glob: ".env" },
  { glob: ".env.*", examples: EXAMPLES },
  { glob: "*.pem", content: "public-pem", dependencies: "public-pem" },
  { glob: "**/secrets/**", dependencies: "no-private-key" },
  { glob: ".env~" },
  { glob: ".envrc" },
  { glob: "id_{rsa,dsa,ecdsa,ecdsa_sk,ed25519,ed25519_sk}" },
  { glob: ".ssh/" },
  { glob: "{.,_}netrc" },
  { glob: ".git-credentials" },
  { glob: ".aws/credentials" },
  { glob: ".pypirc" },
  { glob: "*.{p12,pfx}" },
  { glob: ".docker/config.json" },
  { glob: ".kube/config" },
  { glob: ".config/gcloud/" },
  { glob: ".config/gh/hosts.yml" },
  { glob: ".cargo/credentials{,.toml}" },
  { glob: ".gem/credentials" },
  { glob: ".gnupg/" },
  { glob: ".pgpass" },
  { glob: ".vault-token" },
];

interface CompiledRule {
  readonly id: string;
  readonly code: "secret" | "deny_glob";
  readonly glob: Glob;
  readonly examples: readonly Glob[];
  readonly content: ContentRule | undefined;
  readonly dependencies: ContentRule | undefined;
}

let builtins: readonly CompiledRule[] | undefined;

type Candidates = (path: PreparedPath) => readonly CompiledRule[];

let builtinCandidates: Candidates | undefined;

/** The built-in rules are the same for every policy: compiled once, when first asked for. */
function builtinRules(): readonly CompiledRule[] {
  builtins ??= SECRET_RULES.map((rule, index) => ({
    id: `builtin:secrets[${index}]`,
    code: "secret" as const,
    glob: compileGlob(rule.glob),
    examples: (rule.examples ?? []).map((name) => compileGlob(name, { anchored: true })),
    content: rule.content,
    dependencies: rule.dependencies,
  }));
  return builtins;
}

/**
 * What the policy hides and forbids. `roots` are the absolute names of the workspace, for patterns that start with
 * one. `secret_exceptions` lift built-in names (their case counts); nothing lifts `deny_globs`.
 */
export function secretMatcher(
  policy: Pick<Policy, "denyGlobs" | "secretExceptions">,
  roots: readonly string[] = [],
): SecretMatcher {
  const denied = policy.denyGlobs.map((pattern, index): CompiledRule => {
    const glob = compileGlob(pattern, { roots });
    return {
      id: `deny_globs[${index}]`,
      code: "deny_glob",
      glob,
      examples: [],
      content: undefined,
      dependencies: undefined,
    };
  });
  const lifted = policy.secretExceptions.map((pattern) =>
    compileGlob(pattern, { roots, caseSensitive: true }),
  );
  const findBuiltin = (path: PreparedPath): SecretMatch | undefined => {
    builtinCandidates ??= indexRules(builtinRules());
    const found = find(builtinCandidates, path);
    return found !== undefined && lifted.some((glob) => glob.matches(path)) ? undefined : found;
  };
  const findIn = (candidates: Candidates, text: string): SecretMatch | undefined => {
    const path = preparePath(text);
    return find(candidates, path) ?? findBuiltin(path);
  };
  const all = indexRules(denied);
  const specific = indexRules(denied.filter((rule) => rule.glob.specific));
  const patterns = once(() => [
    ...new Set([...denied, ...builtinRules()].flatMap((rule) => rule.glob.namePatterns())),
  ]);
  return {
    match: (path) => findIn(all, path),
    matchWord: (word) => findIn(specific, word),
    namePatterns: patterns,
    sampleNames: once(() => patterns().map((name) => name.replace(/\*+/g, "x"))),
  };
}

function find(candidates: Candidates, path: PreparedPath): SecretMatch | undefined {
  for (const rule of candidates(path)) {
    if (rule.glob.matches(path) && !isExample(rule, path.path)) return toMatch(rule, path.path);
  }
  return undefined;
}

/** Every part that the rule matches is an example; one that is not (`.env.example/.env.local`) still counts. */
function isExample(rule: CompiledRule, path: string): boolean {
  if (rule.examples.length === 0) return false;
  return path
    .split("/")
    .filter((part) => part !== "" && rule.glob.matches(part))
    .every((part) => rule.examples.some((glob) => glob.matches(part)));
}

function toMatch(rule: CompiledRule, path: string): SecretMatch {
  const inDependency = rule.dependencies !== undefined && belowDependency(rule, path);
  const content = inDependency ? rule.dependencies : rule.content;
  return { rule: rule.id, code: rule.code, byContent: content !== undefined, content, inDependency };
}

/** Whether a dependency folder stands above the first part that the rule matches. */
function belowDependency(rule: CompiledRule, path: string): boolean {
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (DEPENDENCY_FOLDERS.has(foldCase(part))) return true;
    if (rule.glob.matches(part)) return false;
  }
  return false;
}
