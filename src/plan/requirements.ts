import type { Protection, ProtectionTable } from "../core/protection.ts";
import type { Policy } from "../policy/types.ts";
import type { BuildInput } from "./build-input.ts";
import { leastKernel } from "./landlock-abi.ts";
import { ABI } from "./protections.ts";
import type { HostFacts, Refusal } from "./types.ts";

const REQUIRED: readonly Protection[] = ["fs-write", "fs-read", "signals", "ptrace", "tree-kill"];
const REQUIRED_OFFLINE: readonly Protection[] = ["net-tcp", "net-udp", "net-other", "net-unix"];

/** What `require` is when the policy does not say. */
export function defaultRequirements(allowNetwork: boolean): readonly Protection[] {
  return [...REQUIRED, ...(allowNetwork ? [] : REQUIRED_OFFLINE)];
}

/**
 * The protections a run must have. With `require_os_isolation = false` only those that the policy names itself: it
 * runs with whatever this machine can enforce.
 */
export function requirements(
  policy: Pick<Policy, "require" | "alsoRequire" | "requireOsIsolation" | "allowNetwork" | "confineBinaries">,
): readonly Protection[] {
  const programs: readonly Protection[] = policy.confineBinaries ? ["programs"] : [];
  const preset = policy.requireOsIsolation ? [...defaultRequirements(policy.allowNetwork), ...programs] : [];
  return [...new Set([...(policy.require ?? preset), ...policy.alsoRequire])];
}

/** The refusal for what is required and not enforced, or undefined when the run may go on. */
export function refusal(
  { policy, facts }: Pick<BuildInput, "policy" | "facts">,
  table: ProtectionTable,
): Refusal | undefined {
  const missing = requirements(policy).filter((name) => !table[name].enforced);
  const mechanism = policy.requireOsIsolation ? missingMechanism(facts) : undefined;
  if (mechanism === undefined && missing.length === 0) return undefined;
  const reasons = new Map<string, Protection[]>();
  if (mechanism === undefined) {
    for (const name of missing) {
      const why = table[name].why_not ?? "not enforced";
      reasons.set(why, [...(reasons.get(why) ?? []), name]);
    }
  }
  const details = [...reasons].map(([why, names]) => `${names.join(", ")} (${why})`);
  const text = mechanism ?? details.join("; ");
  return { missing, message: `this machine cannot enforce ${text}`, protections: table };
}

/** Why the kernel cannot confine anything at all, which no choice of protections makes good. */
function missingMechanism(facts: HostFacts): string | undefined {
  if (facts.landlockAbi < 1) {
    const disabled = "enabled in its `lsm=` list";
    return `isolation: Landlock is not available (errno ${facts.landlockErrno}); it needs Linux ${leastKernel(1)}, full protection ${leastKernel(ABI.scope)}, and must be ${disabled}`;
  }
  if (!facts.seccompFilter)
    return "isolation: seccomp filters are not available; the kernel needs CONFIG_SECCOMP_FILTER";
  return undefined;
}
