import type { BuildInput } from "./build-input.ts";
import { abiRights, type Grant, grantedAccess, RESTRICT } from "./landlock-abi.ts";
import { resourceLimits, treeWatchdog } from "./limits.ts";
import { ABI, protectionTable } from "./protections.ts";
import { refusal } from "./requirements.ts";
import { buildSeccomp } from "./seccomp.ts";
import type {
  LandlockPathRule,
  LandlockRuleset,
  OutputPlan,
  PathRecord,
  Refusal,
  SandboxPlan,
  ScratchDir,
} from "./types.ts";

export type { BuildInput, GrantedPaths } from "./build-input.ts";

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE_MS = 1000;
/** When memory runs short, what a run started goes first. */
const OOM_SCORE_ADJ = 1000;
/** 1 MiB of each stream is kept for the verdict; what passes through is not bounded. */
const DEFAULT_OUTPUT: OutputPlan = { copyBytes: 1024 * 1024, relayBytes: 0n };

/** Tells a refusal from a plan. */
export function isRefusal(result: SandboxPlan | Refusal): result is Refusal {
  return "missing" in result;
}

/**
 * The plan for a run on this machine, or why there is none. Whatever the machine can enforce is enforced, also with
 * `require_os_isolation = false`: that setting only means that what is missing does not stop the run.
 */
export function buildPlan(input: BuildInput): SandboxPlan | Refusal {
  const { policy, facts } = input;
  const protections = protectionTable({
    facts,
    allowNetwork: policy.allowNetwork,
    secretsFound: input.secretsFound,
    paths: input.paths,
  });
  const refused = refusal(policy, facts, protections);
  if (refused !== undefined) return refused;

  const landlock = facts.landlockAbi >= 1 ? buildRuleset(input) : undefined;
  return {
    setting: landlock === undefined ? "none" : "landlock",
    execPath: input.execPath,
    program: input.program,
    argv: input.argv,
    env: input.env,
    cwd: input.cwd,
    landlock,
    seccomp: facts.seccompFilter ? filter(input) : undefined,
    dropPrivileges: true,
    limits: resourceLimits(policy),
    scratch: scratchDir(input, landlock?.handledFs ?? 0n),
    timeoutMs: BigInt(Math.ceil(policy.timeoutSec * 1000)),
    graceMs: GRACE_MS,
    treeKill: facts.landlockAbi >= ABI.scope ? "scope" : "sweep",
    watchdog: treeWatchdog(policy),
    output: input.output ?? DEFAULT_OUTPUT,
    oomScoreAdj: OOM_SCORE_ADJ,
    protections,
  };
}

function filter({ policy, facts }: BuildInput): Uint8Array {
  return buildSeccomp(facts.arch, {
    network: policy.allowNetwork ? "on" : "off",
    tracingBounded: facts.landlockAbi >= 1,
    refuseTruncation: facts.landlockAbi >= 1 && facts.landlockAbi < ABI.truncate,
  });
}

/** Every right of the kernel is handled, so that what no rule grants is refused. */
function buildRuleset(input: BuildInput): LandlockRuleset {
  const rights = abiRights(input.facts.landlockAbi);
  return {
    handledFs: rights.fs,
    // With the network off seccomp refuses the sockets; this refuses those that came in some other way.
    handledNet: input.policy.allowNetwork ? 0n : rights.net,
    scoped: rights.scope,
    // A hostile command could flood the audit log through domains of its own.
    restrictFlags: rights.restrict & RESTRICT.logSubdomainsOff,
    paths: pathRules(input, rights.fs),
  };
}

function pathRules(input: BuildInput, handled: bigint): readonly LandlockPathRule[] {
  const { paths, workspace } = input;
  const grants: (readonly [Grant, readonly PathRecord[]])[] = [
    ["run", [...paths.runtime, ...paths.readPaths]],
    ["read", [...paths.readable, ...(paths.proc === undefined ? [] : [paths.proc])]],
    ["device", paths.devices],
    ["store", paths.sharedMemory === undefined ? [] : [paths.sharedMemory]],
    paths.writePaths === undefined ? ["change", [workspace]] : ["run", [workspace]],
    ["change", paths.writePaths ?? []],
  ];
  const rules = new Map<string, LandlockPathRule>();
  for (const [grant, records] of grants) {
    for (const path of records) {
      const access = grantedAccess(grant, path.type, handled) | (rules.get(path.path)?.access ?? 0n);
      // The kernel refuses an empty rule (ENOMSG).
      if (access !== 0n) rules.set(path.path, { path, access });
    }
  }
  return [...rules.values()];
}

const S_IFDIR = 0o040000;

function scratchDir(input: BuildInput, handled: bigint): ScratchDir | undefined {
  if (input.scratch === undefined) return undefined;
  return { ...input.scratch, access: grantedAccess("change", S_IFDIR, handled) };
}
