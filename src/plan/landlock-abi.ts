/** Landlock rights by ABI. The kernel's reference: https://docs.kernel.org/userspace-api/landlock.html, landlock(7). */

/** `LANDLOCK_ACCESS_FS_*`. */
export const FS = {
  execute: 1n << 0n,
  writeFile: 1n << 1n,
  readFile: 1n << 2n,
  readDir: 1n << 3n,
  removeDir: 1n << 4n,
  removeFile: 1n << 5n,
  makeChar: 1n << 6n,
  makeDir: 1n << 7n,
  makeReg: 1n << 8n,
  makeSock: 1n << 9n,
  makeFifo: 1n << 10n,
  makeBlock: 1n << 11n,
  makeSym: 1n << 12n,
  refer: 1n << 13n,
  truncate: 1n << 14n,
  ioctlDev: 1n << 15n,
  resolveUnix: 1n << 16n,
} as const;

/** `LANDLOCK_ACCESS_NET_*`. */
export const NET = {
  bindTcp: 1n << 0n,
  connectTcp: 1n << 1n,
  bindUdp: 1n << 2n,
  connectSendUdp: 1n << 3n,
} as const;

/** `LANDLOCK_SCOPE_*`. */
export const SCOPE = { abstractUnixSocket: 1n << 0n, signal: 1n << 1n } as const;

/** `LANDLOCK_RESTRICT_SELF_*`. */
export const RESTRICT = {
  logSameExecOff: 1 << 0,
  logNewExecOn: 1 << 1,
  logSubdomainsOff: 1 << 2,
  tsync: 1 << 3,
} as const;

export interface AbiEntry {
  readonly abi: number;
  /** First kernel that has it. */
  readonly kernel: string;
  readonly fs: readonly (keyof typeof FS)[];
  readonly net: readonly (keyof typeof NET)[];
  readonly scope: readonly (keyof typeof SCOPE)[];
  readonly restrict: readonly (keyof typeof RESTRICT)[];
  readonly doc: string;
}

const DOC = "https://docs.kernel.org/userspace-api/landlock.html";
const NONE = { fs: [], net: [], scope: [], restrict: [] } as const;

/** What each ABI added. */
export const LANDLOCK_ABIS: readonly AbiEntry[] = [
  {
    ...NONE,
    abi: 1,
    kernel: "5.13",
    fs: [
      "execute",
      "writeFile",
      "readFile",
      "readDir",
      "removeDir",
      "removeFile",
      "makeChar",
      "makeDir",
      "makeReg",
      "makeSock",
      "makeFifo",
      "makeBlock",
      "makeSym",
    ],
    doc: "https://man7.org/linux/man-pages/man7/landlock.7.html",
  },
  { ...NONE, abi: 2, kernel: "5.19", fs: ["refer"], doc: `${DOC}#file-renaming-and-linking-abi-2` },
  { ...NONE, abi: 3, kernel: "6.2", fs: ["truncate"], doc: `${DOC}#file-truncation-abi-3` },
  {
    ...NONE,
    abi: 4,
    kernel: "6.7",
    net: ["bindTcp", "connectTcp"],
    doc: `${DOC}#tcp-bind-and-connect-abi-4`,
  },
  { ...NONE, abi: 5, kernel: "6.10", fs: ["ioctlDev"], doc: `${DOC}#device-ioctl-abi-5` },
  {
    ...NONE,
    abi: 6,
    kernel: "6.12",
    scope: ["abstractUnixSocket", "signal"],
    doc: `${DOC}#abstract-unix-socket-abi-6`,
  },
  {
    ...NONE,
    abi: 7,
    kernel: "6.15",
    restrict: ["logSameExecOff", "logNewExecOn", "logSubdomainsOff"],
    doc: `${DOC}#logging-abi-7`,
  },
  { ...NONE, abi: 8, kernel: "7.0", restrict: ["tsync"], doc: `${DOC}#thread-synchronization-abi-8` },
  { ...NONE, abi: 9, kernel: "7.1", fs: ["resolveUnix"], doc: `${DOC}#pathname-unix-sockets-abi-9` },
  { ...NONE, abi: 10, kernel: "7.2", net: ["bindUdp", "connectSendUdp"], doc: `${DOC}#udp-abi-10` },
];

/** Everything that a kernel of one ABI can handle. */
export interface AbiRights {
  readonly fs: bigint;
  readonly net: bigint;
  readonly scope: bigint;
  readonly restrict: number;
}

/** All rights up to an ABI; one above the table is taken as the highest known, as ABIs only grow. */
export function abiRights(abi: number): AbiRights {
  let [fs, net, scope, restrict] = [0n, 0n, 0n, 0];
  for (const entry of LANDLOCK_ABIS) {
    if (entry.abi > abi) break;
    for (const name of entry.fs) fs |= FS[name];
    for (const name of entry.net) net |= NET[name];
    for (const name of entry.scope) scope |= SCOPE[name];
    for (const name of entry.restrict) restrict |= RESTRICT[name];
  }
  return { fs, net, scope, restrict };
}

/** First kernel with an ABI, for messages. */
export function leastKernel(abi: number): string {
  return LANDLOCK_ABIS.find((entry) => entry.abi === abi)?.kernel ?? "a newer one";
}

const S_IFDIR = 0o040000;
const S_IFMT = 0o170000;

/** Rights that a rule on anything but a folder may carry; with another one the kernel refuses the rule (EINVAL). */
const FILE_RIGHTS = FS.execute | FS.writeFile | FS.readFile | FS.truncate | FS.ioctlDev | FS.resolveUnix;

const READ = FS.readFile | FS.readDir;
const CHANGE =
  FS.writeFile |
  FS.truncate |
  FS.refer |
  FS.removeDir |
  FS.removeFile |
  FS.makeDir |
  FS.makeReg |
  FS.makeSock |
  FS.makeFifo |
  FS.makeSym;

/** What the command may do below a path, by the name the builder uses. */
export const GRANTS = {
  /** Names alone. */
  list: FS.readDir,
  /** Data: configuration, `/proc`. */
  read: READ,
  /** System runtime, toolchains. */
  run: READ | FS.execute,
  /** Workspace, scratch: everything but device nodes. */
  change: READ | FS.execute | CHANGE,
  /** Shared memory: files come and go, none is executed. */
  store: READ | CHANGE,
  /** Device nodes and terminals. */
  device: READ | FS.writeFile | FS.truncate | FS.ioctlDev,
  /** Sockets of others, from ABI 9 on. */
  connect: FS.resolveUnix,
} as const;

export type Grant = keyof typeof GRANTS;

/** The rights of a grant on a path of the given `S_IFMT` type that a kernel with `handled` rights takes. */
export function grantedAccess(grant: Grant, type: number, handled: bigint): bigint {
  const fitting = (type & S_IFMT) === S_IFDIR ? GRANTS[grant] : GRANTS[grant] & FILE_RIGHTS;
  return fitting & handled;
}
