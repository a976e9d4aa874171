import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PaldronError } from "../core/errors.ts";
import { printable } from "../core/printable.ts";
import { mergeParts, toPolicy } from "../policy/combine.ts";
import { type Collected, collectParts, type ExtendedFile, type ReadExtended } from "../policy/extends.ts";
import { DEFAULT_POLICY } from "../policy/parse.ts";
import { relativeTo } from "../policy/paths.ts";
import { isPreset } from "../policy/presets.ts";
import { tighten } from "../policy/tighten.ts";
import type { Policy, PolicySource } from "../policy/types.ts";
import { sha256Hex } from "./digest.ts";
import { type PolicyFile, readPolicyFile } from "./policy-bytes.ts";

export interface LoadedPolicy {
  readonly policy: Policy;
  readonly source: PolicySource;
}

/** A policy with what it was made of. */
export interface PolicySet extends LoadedPolicy {
  /** The user's own, before a project tightened it. */
  readonly own: Policy;
  /** The files that add up to `own`, what is extended first. */
  readonly parts: readonly Collected[];
  /** The files of the workspace that only take away. */
  readonly project: readonly Collected[];
}

export interface NamedPolicies {
  /** `--policy`. */
  readonly option: string | undefined;
  /** `PALDRON_POLICY`. */
  readonly environment: string | undefined;
  /** The real path of the workspace; asked for only where it matters. */
  readonly workspace: () => string;
}

const DEFAULTS: LoadedPolicy = { policy: DEFAULT_POLICY, source: { path: undefined, sha256: undefined } };

/**
 * Reads the policy file at a path with all that it extends. Without a path the built-in defaults hold; an empty path
 * is a mistake, never the defaults.
 */
export function loadPolicyFile(path: string | undefined): LoadedPolicy {
  if (path === undefined) return DEFAULTS;
  const files = new FileReader();
  const parts = collectParts(files.root(path), files.read);
  return { policy: toPolicy(mergeParts(parts)), source: files.source() };
}

/** The policy of a text that extends presets only. */
export function loadPolicyText(text: string, path: string): LoadedPolicy {
  const files = new FileReader();
  return { policy: toPolicy(mergeParts(collect({ text, path }, files))), source: DEFAULTS.source };
}

/** A policy by the path of its file, or as text. */
export type PolicyInput = string | { readonly text: string; readonly path: string };

function collect(input: PolicyInput, files: FileReader): readonly Collected[] {
  const root = typeof input === "string" ? files.root(input) : { ...input, identity: "" };
  return collectParts(root, files.read);
}

/** A user's policy (without one, the built-in defaults) with a project's on top, which can only tighten it. */
export function loadTightened(user: PolicyInput | undefined, project: PolicyInput): LoadedPolicy {
  const files = new FileReader();
  const own = user === undefined ? DEFAULT_POLICY : toPolicy(mergeParts(collect(user, files)));
  const policy = tighten(own, mergeParts(collect(project, files)));
  return { policy, source: typeof user === "string" ? files.source() : DEFAULTS.source };
}

/**
 * The policy that holds where both the command line and the environment may name one. A file that lies in the
 * workspace can be changed by whoever works there: beside one that lies elsewhere, or extended by such a one, it can
 * only tighten it.
 */
export function loadPolicies(named: NamedPolicies): PolicySet {
  const { option, environment, workspace } = named;
  const main = option ?? environment;
  if (main === undefined) return { ...DEFAULTS, own: DEFAULT_POLICY, parts: [], project: [] };
  const files = new FileReader();
  const isInside = (path: string): boolean => liesIn(path, workspace());
  const [user, other] = usersFirst(option, environment, isInside) ?? [main, undefined];
  const collected = collectParts(files.root(user), files.read);
  const isOutside = other !== undefined || (collected.length > 1 && !isInside(user));
  const isProject = ({ reached }: Collected): boolean =>
    isOutside && reached.some((identity) => identity.startsWith("/") && isInside(identity));
  const parts = collected.filter((part) => !isProject(part));
  const beside = other === undefined ? [] : collectParts(files.root(other), files.read);
  const project = [...collected.filter(isProject), ...beside];
  const own = toPolicy(mergeParts(parts));
  const policy = project.length === 0 ? own : tighten(own, mergeParts(project));
  return { policy, own, parts, project, source: files.source() };
}

/** Both names, the one outside first, where exactly one of them lies in the workspace. */
function usersFirst(
  option: string | undefined,
  environment: string | undefined,
  isInside: (path: string) => boolean,
): readonly [string, string] | undefined {
  if (option === undefined || environment === undefined) return undefined;
  const inside = isInside(option);
  if (inside === isInside(environment)) return undefined;
  return inside ? [environment, option] : [option, environment];
}

/** Whether a file, or one of the folders and links on the way to it, lies in the workspace. */
function liesIn(path: string, workspace: string): boolean {
  let at = resolve(path);
  const ways = [at];
  for (let up = dirname(at); up !== at; up = dirname(at)) {
    ways.push(up);
    at = up;
  }
  const name = (way: string): string => resolve(path).slice(way.length);
  return ways.some((way) => {
    if (relativeTo(workspace, way) !== undefined) return true;
    try {
      return relativeTo(workspace, `${realpathSync(way)}${name(way)}`) !== undefined;
    } catch {
      return false;
    }
  });
}

/** Reads the files of one policy and remembers them. */
class FileReader {
  readonly #files: PolicyFile[] = [];

  root(path: string): ExtendedFile {
    const file = readPolicyFile(path);
    this.#files.push(file);
    return file;
  }

  /** A preset comes with Paldron; another entry is a file, seen from the one that names it. */
  readonly read: ReadExtended = (entry, from) => {
    if (isPreset(entry)) {
      const file = readPolicyFile(presetPath(entry));
      return { text: file.text, path: `preset ${entry}`, identity: `preset ${entry}` };
    }
    if (!from.startsWith("/"))
      throw new PaldronError("policy", `a policy that is no file cannot extend \`${printable(entry)}\``);
    return this.root(resolve(dirname(from), entry));
  };

  /** The digests are made when they are asked for: only a receipt needs them. */
  source(): PolicySource {
    const [first, ...also] = this.#files.map(sourceOf);
    if (first === undefined) return DEFAULTS.source;
    return also.length === 0 ? first : withAlso(first, also);
  }
}

function sourceOf({ named, bytes }: PolicyFile): PolicySource {
  return {
    path: named,
    get sha256() {
      return sha256Hex(bytes);
    },
  };
}

function withAlso(first: PolicySource, also: readonly PolicySource[]): PolicySource {
  return {
    path: first.path,
    get sha256() {
      return first.sha256;
    },
    also,
  };
}

/** `presets/` lies beside `dist/` (bundled) or beside `src/` (run from source). */
function presetPath(name: string): string {
  const up = import.meta.url.endsWith(".ts") ? "../../" : "../";
  return fileURLToPath(new URL(`${up}presets/${name}.toml`, import.meta.url));
}
