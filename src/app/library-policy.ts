import { PaldronError } from "../core/errors.ts";
import { checkRuleCases } from "../gate/rules/cases.ts";
import {
  type LoadedPolicy as Internal,
  loadPolicyFile,
  loadPolicyText,
  loadTightened,
  type PolicyInput,
} from "../host/policy-file.ts";
import type { Policy } from "../policy/types.ts";
import { copyOptions, optionalString } from "./library-options.ts";

/**
 * A policy that was read and checked, made by {@link loadPolicy} only. It is for looking at: {@link check} and
 * {@link exec} use what was read, whatever becomes of this object.
 */
export interface LoadedPolicy {
  /** What the policy says, with every default filled in. */
  readonly policy: Policy;
  /** The file it came from; undefined for the built-in defaults and for text. */
  readonly path: string | undefined;
}

/** A policy as TOML text. */
export interface PolicyText {
  readonly text: string;
  /** Stands for the file name in messages. Default `policy`. */
  readonly name?: string | undefined;
}

/** What {@link loadPolicy} adds to a policy. */
export interface LoadPolicyOptions {
  /**
   * A policy of the project at hand (a path, or its text), which can only tighten the first: what that denies, asks
   * about or bounds stays so, whatever stands here.
   */
  readonly project?: string | PolicyText | undefined;
}

/** What was read, by the object that stands for it: nobody can make up a policy that skips the checks. */
const READ = new WeakMap<object, Internal>();

const DEFAULTS: Internal = loadPolicyFile(undefined);

/**
 * Reads and checks a policy. Nothing is discovered: no file is looked for, and `PALDRON_POLICY` is not read.
 *
 * @param options a project's policy on top.
 * @param from path of a TOML file (relative to the current folder), or its text. Default: the built-in defaults.
 * @throws PaldronError `policy` when the file cannot be read or does not hold a valid policy; the message names file,
 * line and key. `usage` when `from` is neither a string nor an object with `text`.
 * @example
 * ```ts
 * const policy = loadPolicy("policy.toml");
 * const strict = loadPolicy({ text: 'allow_binaries = ["git", "npm"]' });
 * const both = loadPolicy("/home/me/policy.toml", { project: "policy.toml" });
 * ```
 */
export function loadPolicy(from?: string | PolicyText, options?: LoadPolicyOptions): LoadedPolicy {
  const given = copyOptions(options, "the options of loadPolicy", ["project"]);
  const project = given["project"] === undefined ? undefined : inputOf(given["project"]);
  const read = project === undefined ? readAlone(from) : loadTightened(inputOf(from), project);
  checkRuleCases(read.policy.rules);
  const policy = structuredClone(read.policy);
  for (const value of Object.values(policy)) Object.freeze(value);
  const loaded = Object.freeze({ policy: Object.freeze(policy), path: read.source.path });
  READ.set(loaded, read);
  return loaded;
}

function readAlone(from: unknown): Internal {
  const input = inputOf(from);
  if (input === undefined) return DEFAULTS;
  return typeof input === "string" ? loadPolicyFile(input) : loadPolicyText(input.text, input.path);
}

function inputOf(from: unknown): PolicyInput | undefined {
  if (from === undefined || typeof from === "string") return from;
  const given = copyOptions(from, "the options of loadPolicy", ["text", "name"]);
  const text = optionalString(given["text"], "text");
  if (text === undefined) throw new PaldronError("usage", "loadPolicy takes a path or an object with `text`");
  return { text, path: optionalString(given["name"], "name") ?? "policy" };
}

/** What was read for a policy that a caller hands in. */
export function policyOf(given: unknown): Internal {
  if (given === undefined) return DEFAULTS;
  const read = typeof given === "object" && given !== null ? READ.get(given) : undefined;
  if (read === undefined) throw new PaldronError("usage", "policy must be what loadPolicy returned");
  return read;
}
