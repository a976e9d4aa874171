/** Numbers of the protocol with the launcher; docs/wire.md is its reference. */
export const WIRE_VERSION = 1;

/** `u16 type, u16 flags, u32 length`, in front of every message and record. */
export const HEADER_BYTES = 8;

/** Largest payload of a message, in both directions. */
export const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;

/** Paldron to the launcher (descriptor 3). */
export const REQUEST = {
  hello: 1,
  walk: 2,
  run: 3,
  cancel: 4,
  terminal: 5,
  judged: 6,
  release: 7,
  clear: 8,
} as const;

/** The launcher to Paldron (descriptor 4). */
export const REPLY = {
  ready: 17,
  entry: 18,
  walked: 19,
  failed: 20,
  started: 21,
  output: 22,
  ended: 23,
  stopped: 24,
  seen: 25,
  watching: 26,
  released: 27,
  cleared: 28,
} as const;

/** Records of WALK. */
export const WALK_RECORD = { root: 1, name: 2, limits: 3, nameAlone: 4, odd: 5 } as const;

/** Records of CLEAR. */
export const CLEAR_RECORD = { parent: 1, name: 2 } as const;

/** Records of RUN. */
export const RUN_RECORD = {
  exec: 1,
  program: 2,
  arg: 3,
  env: 4,
  cwd: 5,
  landlock: 6,
  landlockPath: 7,
  seccomp: 8,
  privileges: 9,
  limit: 10,
  scratch: 11,
  scratchName: 12,
  scratchFolder: 13,
  timing: 14,
  treeKill: 15,
  watchdog: 16,
  output: 17,
  oomScore: 18,
  scratchLink: 19,
  terminal: 20,
  room: 21,
  namespaces: 32,
  rootFolder: 33,
  rootBind: 34,
  rootTmpfs: 35,
  rootProc: 36,
  rootDevpts: 37,
  rootLink: 38,
  mask: 39,
  guard: 40,
  landlockNew: 41,
  rootFile: 42,
  broker: 43,
  brokerPlace: 44,
  brokerSocket: 45,
  watch: 46,
  watchName: 47,
  watchNameAlone: 48,
  end: 255,
} as const;

/** `AUDIT_ARCH_*` of linux/audit.h: what seccomp and READY call the architecture. */
export const AUDIT_ARCH = { x86_64: 0xc000_003e, aarch64: 0xc000_00b7 } as const;

/** Stage numbers of FAILED. */
export const STAGES = {
  1: "wire",
  2: "path",
  3: "scratch",
  4: "guardian",
  5: "tree-kill",
  6: "pipes",
  7: "fork",
  8: "session",
  9: "privileges",
  10: "landlock",
  11: "limits",
  12: "cwd",
  13: "seccomp",
  14: "exec",
  15: "descriptors",
  16: "memory",
  17: "internal",
  18: "terminal",
  19: "watch",
  32: "namespaces",
  33: "userns-map",
  34: "loopback",
  35: "mounts",
  36: "proc",
  37: "masks",
  38: "pivot",
  39: "broker",
} as const;

/** Stages from here on are what a host may refuse although a weaker setting works on it. */
export const NAMESPACE_STAGES: ReadonlySet<string> = new Set(
  Object.entries(STAGES).flatMap(([number, name]) => (Number(number) >= 32 ? [name] : [])),
);

export type Stage = (typeof STAGES)[keyof typeof STAGES];

/** Words of TERMINAL, by number from 1. */
export const TERMINAL_EVENTS = ["resized", "continued", "stop"] as const;

export type TerminalEvent = (typeof TERMINAL_EVENTS)[number];

/** Causes of ENDED, by number. */
export const CAUSES = [
  "own",
  "timeout",
  "cancelled",
  "memory",
  "processes",
  "output-unwritable",
  "relay-limit",
  "guardian-died",
  "room",
] as const;

export type EndCause = (typeof CAUSES)[number];

/** What SEEN is about, by number. */
export const SEEN_KINDS = ["name", "changed", "unread", "lost"] as const;

/** Statuses of WALKED, by number. */
export const WALK_STATUSES = ["complete", "entry-limit", "depth-limit", "root"] as const;

export type WalkStatus = (typeof WALK_STATUSES)[number];
