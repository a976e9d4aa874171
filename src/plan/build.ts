import type { BrokerPlan } from "./broker-types.ts";
import type { BuildInput } from "./build-input.ts";
import { abiRights, type Grant, grantedAccess, RESTRICT } from "./landlock-abi.ts";
import { memoryBytes, resourceLimits, treeWatchdog } from "./limits.ts";
import { mountSteps } from "./mounts.ts";
import type { NamespacePlan } from "./namespace-types.ts";
import { ABI, brokersSockets, protectionTable } from "./protections.ts";
import { refusal } from "./requirements.ts";
import { buildSeccomp } from "./seccomp.ts";
import type { FilterOptions } from "./seccomp-rules.ts";
import { namespaceFlags, traits, usesLandlock } from "./settings.ts";
import type {
  LandlockPathRule,
  LandlockRuleset,
  OutputPlan,
  PathRecord,
  Refusal,
  SandboxPlan,
  ScratchDir,
  TerminalPlan,
  TreeKill,
} from "./types.ts";

export type {
  BuildInput,
  GitPaths,
  GrantedPaths,
  HomeContent,
  ProgramPaths,
  SecretPaths,
} from "./build-input.ts";

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE_MS = 1000;
/** When memory runs short, what a run started goes first. */
const OOM_SCORE_ADJ = 1000;
/** 1 MiB of each stream is kept for the verdict; what passes through is not bounded. */
const DEFAULT_OUTPUT: OutputPlan = { copyBytes: 1024 * 1024, relayBytes: 0n };

/** Tells a refusal from a plan. */
export function isRefusal<T extends object>(result: T | Refusal): result is Refusal {
  return "missing" in result;
}

/**
 * The plan for a run on this machine, or why there is none. Whatever the machine can enforce is enforced, also with
 * `require_os_isolation = false`: that setting only means that what is missing does not stop the run.
 */
export function buildPlan(input: BuildInput): SandboxPlan | Refusal {
  const { policy, facts, setting } = input;
  const protections = protectionTable(input);
  const refused = refusal(input, protections);
  if (refused !== undefined) return refused;

  const landlock = usesLandlock(facts, setting) ? buildRuleset(input) : undefined;
  const { newRoot, userNamespace } = traits(setting);
  return {
    setting,
    execPath: input.execPath,
    program: input.program,
    argv: input.argv,
    env: input.env,
    cwd: input.cwd,
    namespaces: newRoot ? namespaces(input, landlock?.handledFs ?? 0n) : undefined,
    landlock,
    seccomp: facts.seccompFilter ? filter(input) : undefined,
    broker: brokerPlan(input),
    dropPrivileges: true,
    limits: resourceLimits(policy, {
      ownProcesses: userNamespace && facts.uid !== 0,
      machineMemory: input.machineMemory,
    }),
    scratch: newRoot ? undefined : scratchDir(input, landlock?.handledFs ?? 0n),
    timeoutMs: BigInt(Math.ceil(policy.timeoutSec * 1000)),
    graceMs: GRACE_MS,
    treeKill: treeKill(input),
    watchdog: treeWatchdog(input),
    output: input.output ?? DEFAULT_OUTPUT,
    terminal: terminal(input),
    watch: input.watch,
    oomScoreAdj: OOM_SCORE_ADJ,
    protections,
  };
}

function treeKill({ facts, setting }: BuildInput): TreeKill {
  const { pidNamespace, newRoot } = traits(setting);
  if (pidNamespace) return "pid-namespace";
  // A signal-scope domain refuses mounts, and the guardian has to be in it from its start.
  if (newRoot) return "sweep";
  return facts.landlockAbi >= ABI.scope ? "scope" : "sweep";
}

const STDIN_AND_STDOUT = 3;

/**
 * A terminal of the command's own wherever the caller's would be one. In a pipeline another program may read the keys,
 * so the command gets them only when it asks. What Jev is to judge first is not shown on the way.
 */
function terminal({ facts, policy, jobControl = false }: BuildInput): TerminalPlan {
  const streams = jobControl ? facts.terminals : 0;
  return {
    streams,
    foreground: (streams & STDIN_AND_STDOUT) === STDIN_AND_STDOUT,
    shown: !policy.jevVerdict,
    filter: policy.terminal === "filter",
  };
}

function network({ policy, setting }: BuildInput): "on" | "off" | "own" {
  if (policy.allowNetwork) return "on";
  return traits(setting).newRoot ? "own" : "off";
}

/** What bounds a run's reach for other processes of the user, beside the filter. */
function otherProcesses({ facts, setting }: BuildInput): FilterOptions["processes"] {
  const { pidNamespace, broker } = traits(setting);
  if (pidNamespace) return "own";
  if (!broker) return "open";
  return facts.landlockAbi >= ABI.scope ? "scheduling" : "signals";
}

function filter(input: BuildInput): Uint8Array {
  const { facts, setting } = input;
  const { newRoot, broker } = traits(setting);
  return buildSeccomp(facts.arch, {
    network: network(input),
    metadata: newRoot ? "mounted" : broker ? "broker" : "open",
    sockets: brokersSockets(input) ? "broker" : "open",
    processes: otherProcesses(input),
    tracingBounded: facts.landlockAbi >= 1,
    sealedMemory: input.programs !== undefined,
    // In a new root what may not be written is mounted read-only, which truncation heeds.
    refuseTruncation: facts.landlockAbi >= 1 && facts.landlockAbi < ABI.truncate && !newRoot,
  });
}

/** What the command may write it may change in other ways too. */
function brokerPlan(input: BuildInput): BrokerPlan | undefined {
  if (!traits(input.setting).broker) return undefined;
  const { workspace, paths, home } = input;
  const shared = paths.sharedMemory === undefined ? [] : [paths.sharedMemory];
  return {
    classes: ["metadata", ...(brokersSockets(input) ? (["sockets"] as const) : []), "processes"],
    places: [...(paths.writePaths ?? [workspace]), ...shared, ...(home.caches?.folders ?? [])],
    sockets: paths.unixSockets,
  };
}

function namespaces(input: BuildInput, handledFs: bigint): NamespacePlan {
  const { policy, setting, paths, secrets, git } = input;
  return {
    flags: namespaceFlags(setting, policy.allowNetwork ? "on" : "off"),
    steps: mountSteps({
      workspace: input.workspace,
      writePaths: paths.writePaths,
      readOnly: input.programs?.runtime ?? paths.runtime,
      data: [...paths.readable, ...paths.readPaths, ...paths.unixSockets, ...git.readable],
      programs: input.programs,
      writable: git.writable,
      devices: paths.devices,
      links: input.links,
      homeLinks: input.home.links,
      caches: input.home.caches?.around,
      masks: [...secrets.masks, ...secrets.sockets.filter((socket) => !isNamed(paths.unixSockets, socket))],
      guarded: git.guarded,
      ancestors: [...secrets.ancestors, ...git.ancestors],
      hostProc: traits(setting).pidNamespace ? undefined : paths.proc,
      privateBytes: memoryBytes(policy),
      handledFs,
    }),
  };
}

function isNamed(records: readonly PathRecord[], { dev, ino }: PathRecord): boolean {
  return records.some((record) => record.dev === dev && record.ino === ino);
}

/** Every right of the kernel is handled, so that what no rule grants is refused. */
function buildRuleset(input: BuildInput): LandlockRuleset {
  const rights = abiRights(input.facts.landlockAbi);
  return {
    handledFs: rights.fs,
    // With the network off seccomp refuses the sockets; this refuses those that came in some other way. A network
    // namespace needs neither, and its loopback is the command's own.
    handledNet: network(input) === "off" ? rights.net : 0n,
    scoped: rights.scope,
    // A hostile command could flood the audit log through domains of its own.
    restrictFlags: rights.restrict & RESTRICT.logSubdomainsOff,
    paths: pathRules(input, rights.fs),
  };
}

/** With a new root its own places (`/proc`, `/dev/pts`, `/dev/shm`) get their rules as they are made. */
function pathRules(input: BuildInput, handled: bigint): readonly LandlockPathRule[] {
  const { paths, workspace, git } = input;
  const { newRoot } = traits(input.setting);
  const outside = (record: PathRecord | undefined): readonly PathRecord[] =>
    newRoot || record === undefined ? [] : [record];
  const device = ({ path }: PathRecord): boolean => !newRoot || !/^\/dev\/pt/.test(path);
  const { programs } = input;
  // With `confine_binaries` nothing is executed but what is named.
  const [run, change] = programs === undefined ? (["run", "change"] as const) : (["read", "store"] as const);
  const grants: (readonly [Grant, readonly PathRecord[]])[] = [
    [run, [...(newRoot && programs ? programs.runtime : paths.runtime), ...paths.readPaths]],
    ["read", paths.readable],
    ["device", paths.devices.filter(device)],
    ["store", outside(paths.sharedMemory)],
    ["read", outside(paths.proc)],
    ["read", newRoot ? git.readable : []],
    [change, newRoot ? git.writable : []],
    paths.writePaths === undefined ? [change, [workspace]] : [run, [workspace]],
    [change, paths.writePaths ?? []],
    [change, input.home.caches?.folders ?? []],
    ["connect", paths.unixSockets],
    ["run", [...(programs?.executable ?? []), ...(programs?.native ?? [])]],
    // In a new root the loaders are others, with rules of their own.
    ["run", newRoot ? [] : (programs?.loaders ?? [])],
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
  const { home, ...scratch } = input.scratch;
  const links = input.home.links.map(({ path, text }) => ({ path: `${home}/${path}`, text }));
  const native = input.programs === undefined || input.programs.nativePlaces.length > 0;
  return { ...scratch, links, access: grantedAccess(native ? "change" : "store", S_IFDIR, handled) };
}
