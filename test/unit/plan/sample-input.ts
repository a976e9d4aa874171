import type { BuildInput } from "../../../src/plan/build.ts";
import type { HostFacts } from "../../../src/plan/types.ts";
import type { Policy } from "../../../src/policy/types.ts";
import { DEVICE, FACTS, FILE, PLAN, record } from "./sample-plan.ts";

const POLICY: Policy = {
  allowPaths: [],
  alsoAllowPaths: [],
  denyGlobs: [],
  secretExceptions: [],
  laterExceptions: [],
  gitConfigExceptions: [],
  allowNetwork: false,
  allowBinaries: [],
  confineBinaries: false,
  allowHelpers: [],
  allowNative: [],
  requireOsIsolation: true,
  timeoutSec: 30,
  maxProcesses: 4096,
  maxMemoryMb: 8192,
  maxOpenFiles: 1024,
  cpuTimeSec: 60,
  maxFileSizeMb: 1024,
  setLimits: new Set(),
  writePaths: undefined,
  readPaths: [],
  unixSockets: [],
  require: undefined,
  alsoRequire: [],
  terminal: "pass",
  unknownTools: "ask",
  jevVerdict: false,
  jevThreshold: 0.7,
  jevOnError: "deny",
  rules: [],
};

const workspace = record("/home/u/w");

const INPUT: BuildInput = {
  policy: POLICY,
  facts: FACTS,
  machineMemory: 16n << 30n,
  disk: { bytes: 1n << 40n, bytesFree: 1n << 39n, inodes: 1n << 24n, inodesFree: 1n << 23n },
  execPath: "/usr/bin/python3",
  program: record("/usr/bin/python3.11", FILE),
  argv: ["python3", "x.py"],
  env: ["PATH=/usr/bin"],
  cwd: workspace,
  workspace,
  paths: {
    runtime: [record("/usr"), record("/home/u/.pyenv")],
    readable: [record("/etc/passwd", FILE)],
    readPaths: [record("/opt/data")],
    unixSockets: [],
    writePaths: undefined,
    devices: [record("/dev/null", DEVICE)],
    sharedMemory: undefined,
    proc: undefined,
  },
  watch: PLAN.watch,
  scratch: { parent: record("/tmp"), name: "paldron-1", folders: ["home", "tmp"], home: "home" },
  programs: undefined,
  home: { links: [{ path: ".a/b", text: "/kept/b" }], caches: undefined },
  setting: "landlock-broker",
  secrets: { found: 0, masks: [], sockets: [], ancestors: [], leak: undefined },
  links: [],
  git: { writable: [], readable: [], guarded: [], ancestors: [] },
};

export interface Changes {
  readonly policy?: Partial<Policy>;
  readonly facts?: Partial<HostFacts>;
  readonly paths?: Partial<BuildInput["paths"]>;
  readonly rest?: Partial<BuildInput>;
}

/** An ordinary run, with some of it changed. */
export function input(changes: Changes = {}): BuildInput {
  const facts = { ...FACTS, ...changes.facts };
  return {
    ...INPUT,
    // Without Landlock there is nothing to build on.
    setting: facts.landlockAbi >= 1 ? "landlock-broker" : "none",
    policy: { ...POLICY, ...changes.policy },
    facts,
    paths: { ...INPUT.paths, ...changes.paths },
    ...changes.rest,
  };
}
