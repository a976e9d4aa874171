import { PROTECTIONS, type ProtectionTable } from "../../../src/core/protection.ts";
import type { HostFacts, PathRecord, SandboxPlan } from "../../../src/plan/types.ts";

export const FOLDER = 0o040000;
export const FILE = 0o100000;
export const DEVICE = 0o020000;

let inode = 100n;

/** A path with an inode of its own. */
export function record(path: string, type: number = FOLDER): PathRecord {
  inode += 1n;
  return { path, dev: 2049n, ino: inode, type };
}

export const FACTS: HostFacts = {
  arch: "x86_64",
  landlockAbi: 7,
  landlockErrno: 0,
  landlockErrata: 0,
  seccompFilter: true,
  seccompUserNotif: true,
  uid: 1000,
  gid: 1000,
  capEffective: 0n,
  terminals: 0,
  release: "6.18.0",
};

const protections = Object.fromEntries(
  PROTECTIONS.map((name) => [name, { enforced: true, by: "test" }]),
) as unknown as ProtectionTable;

/** Every field is set. */
export const PLAN: SandboxPlan = {
  setting: "landlock",
  execPath: "/usr/bin/env",
  program: { path: "/usr/bin/env", dev: 1n, ino: 2n, type: FILE },
  argv: ["env", "", "b\udcffc", "é"],
  env: ["A=1", "B="],
  cwd: { path: "/w/s", dev: 0xffff_ffff_ffff_fffen, ino: 4n, type: FOLDER },
  namespaces: undefined,
  landlock: {
    handledFs: 0xffffn,
    handledNet: 3n,
    scoped: 2n,
    restrictFlags: 4,
    paths: [
      { path: { path: "/w", dev: 5n, ino: 6n, type: FOLDER }, access: 0x7n },
      { path: { path: "/usr", dev: 7n, ino: 8n, type: FOLDER }, access: 0xdn },
    ],
  },
  seccomp: Uint8Array.from([6, 0, 0, 0, 0, 0, 0xff, 0x7f]),
  broker: {
    classes: ["metadata", "sockets"],
    places: [{ path: "/w", dev: 5n, ino: 6n, type: FOLDER }],
    sockets: [{ path: "/run/s", dev: 11n, ino: 12n, type: 0o140000 }],
  },
  dropPrivileges: true,
  limits: [
    { resource: 0, soft: 60n, hard: 62n },
    { resource: 7, soft: 1024n, hard: 1024n },
  ],
  scratch: {
    parent: { path: "/tmp", dev: 9n, ino: 10n, type: FOLDER },
    name: "paldron-1",
    folders: ["home", "tmp"],
    links: [{ path: "home/.a/b", text: "/kept/b" }],
    access: 0xfffn,
  },
  timeoutMs: 30_000n,
  graceMs: 1000,
  treeKill: "scope",
  watchdog: { intervalMs: 50, memoryBytes: 1n << 33n, processes: 4096, room: undefined },
  output: { copyBytes: 1024 * 1024, relayBytes: 1n << 40n },
  terminal: { streams: 7, foreground: true, shown: false, filter: true },
  watch: {
    mode: "hold",
    first: true,
    told: 65_536,
    holdBytes: 1n << 26n,
    root: { path: "/w/s", dev: 13n, ino: 14n, type: FOLDER },
    names: [".env", "*.pem"],
    alone: [".git"],
  },
  oomScoreAdj: -5,
  protections,
};
