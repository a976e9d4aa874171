/** Error numbers that the filter answers with; the same on both architectures. */
export const ERRNO = {
  EPERM: 1,
  EACCES: 13,
  ENOSYS: 38,
  EPROTONOSUPPORT: 93,
  EOPNOTSUPP: 95,
  EAFNOSUPPORT: 97,
} as const;

/**
 * A test of one argument. `int` arguments are compared by their low 32 bits, as the kernel does: the upper half is
 * whatever the caller left there.
 */
export type ArgTest =
  | { readonly arg: number; readonly anyBits: number }
  | { readonly arg: number; readonly mask?: number; readonly oneOf: readonly number[] }
  | { readonly arg: number; readonly mask?: number; readonly noneOf: readonly number[] }
  /** A 64-bit argument, mostly a pointer, that is not zero. */
  | { readonly arg: number; readonly nonZero: true };

/**
 * System calls that fail with an error, or are handed to the broker, always or when every test holds. What no rule
 * names is allowed.
 */
export interface SeccompRule {
  readonly calls: readonly string[];
  readonly errno: keyof typeof ERRNO | "broker";
  readonly when?: readonly ArgTest[];
  readonly reason: string;
}

export interface FilterOptions {
  /** `own`: off, in a network namespace with nothing but a loopback. */
  readonly network: "off" | "on" | "own";
  /** A Landlock domain or pid namespace keeps ptrace and its relatives to the command's own processes. */
  readonly tracingBounded: boolean;
  /** Memory files are made only if they can never be executed. */
  readonly sealedMemory: boolean;
  /**
   * Modes, owners, times and extended attributes. `mounted`: what lies outside is mounted read-only. `broker`: judged
   * one by one. `open`: not bounded, and what no tool misses is refused.
   */
  readonly metadata: "mounted" | "broker" | "open";
  /** `broker`: each connect is judged; only with the network off, when there are no sockets but unix ones. */
  readonly sockets: "broker" | "open";
  /**
   * Other processes of the user. `own`: a pid namespace bounds them. `open`: nothing does. `scheduling`: signals are
   * bounded, and what Landlock does not mediate is judged. `signals`: these too.
   */
  readonly processes: "own" | "open" | "scheduling" | "signals";
  /** Landlock below ABI 3 does not mediate truncation: the ways to truncate without write access are refused. */
  readonly refuseTruncation: boolean;
}

const CLONE_NEW_ANY = 0x7e02_0000;
/** Only unshare(2) takes it as a flag: in clone(2) this bit belongs to the exit signal. */
const CLONE_NEWTIME = 0x80;

const S_IFMT = 0o170000;
const S_IFCHR = 0o020000;
const S_IFBLK = 0o060000;

const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const FS_IOC_SETFLAGS = 0x4008_6602;
const FS_IOC32_SETFLAGS = 0x4004_6602;
const FS_IOC_FSSETXATTR = 0x401c_5820;
const FS_IOC_ENABLE_VERITY = 0x4080_6685;
const FS_IOC_SET_ENCRYPTION_POLICY = 0x800c_6613;

const F_SETOWN = 8;
const F_SETOWN_EX = 15;
const FIOSETOWN = 0x8901;
const SIOCSPGRP = 0x8902;

const O_ACCMODE = 3;
const O_WRONLY = 1;
const O_RDWR = 2;
const O_TRUNC = 0o1000;
/** O_CREAT, and the bit of O_TMPFILE that is not O_DIRECTORY's. */
const O_MAKES_FILE = 0o100 | 0o2000_0000;

const S_ISUID = 0o4000;
const S_ISGID = 0o2000;

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
const SOCK_TYPE_MASK = 0xf;
const SOCK_STREAM = 1;
const SOCK_DGRAM = 2;
const SOCK_RAW = 3;
const SOCK_SEQPACKET = 5;
const SOCK_PACKET = 10;
const IPPROTO_TCP = 6;
const IPPROTO_UDP = 17;

const PER_LINUX32 = 0x8;
const UNAME26 = 0x2_0000;
const ADDR_NO_RANDOMIZE = 0x4_0000;
const PERSONALITIES = [
  0,
  PER_LINUX32,
  UNAME26,
  UNAME26 | PER_LINUX32,
  ADDR_NO_RANDOMIZE,
  ADDR_NO_RANDOMIZE | PER_LINUX32,
  0xffff_ffff,
];

/** Linux 6.3; an older kernel refuses the flag, and so every memory file. */
const MFD_NOEXEC_SEAL = 0x8;

const PRIO_PROCESS = 0;
const PRIO_USER = 2;
const IOPRIO_WHO_PROCESS = 1;
const IOPRIO_WHO_USER = 3;
/** The first process of a pid namespace. */
const INIT = 1;

const UNREADABLE: readonly SeccompRule[] = [
  {
    calls: ["clone3"],
    errno: "ENOSYS",
    reason: "its flags lie in memory that a filter cannot read; libc falls back to clone",
  },
  {
    calls: ["io_uring_setup", "io_uring_enter", "io_uring_register"],
    errno: "ENOSYS",
    reason: "its operations are not seen by seccomp; programs fall back to ordinary calls",
  },
  {
    calls: ["uselib", "nfsservctl", "lookup_dcookie", "create_module", "get_kernel_syms", "query_module"],
    errno: "ENOSYS",
    reason: "gone from current kernels",
  },
];

const KERNEL: readonly SeccompRule[] = [
  {
    calls: ["bpf", "perf_event_open", "userfaultfd"],
    errno: "EPERM",
    reason: "large kernel surface, used to exploit kernel bugs and to watch other processes",
  },
  {
    calls: ["kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "reboot"],
    errno: "EPERM",
    reason: "changes the running kernel",
  },
  {
    calls: [
      "swapon",
      "swapoff",
      "acct",
      "quotactl",
      "quotactl_fd",
      "sethostname",
      "setdomainname",
      "vhangup",
    ],
    errno: "EPERM",
    reason: "administers the machine",
  },
  {
    calls: ["settimeofday", "clock_settime", "adjtimex", "clock_adjtime"],
    errno: "EPERM",
    reason: "sets the clock; what reads it has calls of its own",
  },
  { calls: ["syslog"], errno: "EPERM", reason: "reads the kernel log" },
  { calls: ["iopl", "ioperm", "modify_ldt"], errno: "EPERM", reason: "reaches below the kernel" },
  {
    calls: ["add_key", "request_key", "keyctl"],
    errno: "EPERM",
    reason: "keyrings are shared with the user's other processes and know no namespaces",
  },
  {
    calls: ["fanotify_init", "fanotify_mark"],
    errno: "EPERM",
    reason: "watches files of the whole machine; inotify stays, as build tools need it",
  },
  {
    calls: ["lsm_set_self_attr"],
    errno: "EPERM",
    reason: "changes the security profile of what is executed next",
  },
  {
    calls: ["personality"],
    errno: "EPERM",
    when: [{ arg: 0, noneOf: PERSONALITIES }],
    reason: "weakens memory protection; asking, 32-bit names and gdb's fixed addresses stay",
  },
];

const FILE_SETATTR: SeccompRule = {
  calls: ["file_setattr"],
  errno: "EOPNOTSUPP",
  reason: "sets what FS_IOC_SETFLAGS does, of any file that can be named",
};

const FILES: readonly SeccompRule[] = [
  {
    calls: ["mount", "umount2", "pivot_root", "chroot", "fsopen", "fsmount", "fsconfig", "fspick"],
    errno: "EPERM",
    reason: "changes what paths mean",
  },
  {
    calls: ["move_mount", "open_tree", "open_tree_attr", "mount_setattr"],
    errno: "EPERM",
    reason: "changes what paths mean",
  },
  {
    calls: ["unshare"],
    errno: "EPERM",
    when: [{ arg: 0, anyBits: CLONE_NEW_ANY | CLONE_NEWTIME }],
    reason: "a new namespace gives capabilities in it; unsharing files or the working directory stays",
  },
  {
    calls: ["clone"],
    errno: "EPERM",
    when: [{ arg: 0, anyBits: CLONE_NEW_ANY }],
    reason: "a new namespace gives capabilities in it; threads and processes stay",
  },
  { calls: ["setns"], errno: "EPERM", reason: "enters namespaces of other processes" },
  {
    calls: ["open_by_handle_at"],
    errno: "EPERM",
    reason: "opens files without their path; asking for a handle (name_to_handle_at) opens nothing and stays",
  },
  {
    calls: ["mknod"],
    errno: "EPERM",
    when: [{ arg: 1, mask: S_IFMT, oneOf: [S_IFCHR, S_IFBLK] }],
    reason: "a device node made in the workspace reaches the device; FIFOs and sockets stay",
  },
  {
    calls: ["mknodat"],
    errno: "EPERM",
    when: [{ arg: 2, mask: S_IFMT, oneOf: [S_IFCHR, S_IFBLK] }],
    reason: "a device node made in the workspace reaches the device; FIFOs and sockets stay",
  },
  {
    calls: ["ioctl"],
    errno: "EOPNOTSUPP",
    when: [
      {
        arg: 1,
        oneOf: [
          FS_IOC_SETFLAGS,
          FS_IOC32_SETFLAGS,
          FS_IOC_FSSETXATTR,
          FS_IOC_ENABLE_VERITY,
          FS_IOC_SET_ENCRYPTION_POLICY,
        ],
      },
    ],
    reason: "changes files through a descriptor that was opened for reading only, verity for good",
  },
  {
    calls: ["ioctl"],
    errno: "EPERM",
    when: [{ arg: 1, oneOf: [TIOCSTI, TIOCLINUX] }],
    reason: "types into the terminal",
  },
];

const SET_ID_REASON = "outside the run it gives whoever starts the file the rights of its owner";

function makesFile(flags: number): readonly ArgTest[] {
  return [
    { arg: flags, anyBits: O_MAKES_FILE },
    { arg: flags + 1, anyBits: S_ISUID | S_ISGID },
  ];
}

/**
 * Files that run with their owner's rights. The set-group-ID bit by chmod stays: on a folder it only says whose group
 * new files get, and a filter cannot tell folders from files.
 */
const SET_ID: readonly SeccompRule[] = [
  { calls: ["chmod", "fchmod"], errno: "EPERM", when: [{ arg: 1, anyBits: S_ISUID }], reason: SET_ID_REASON },
  {
    calls: ["fchmodat", "fchmodat2"],
    errno: "EPERM",
    when: [{ arg: 2, anyBits: S_ISUID }],
    reason: SET_ID_REASON,
  },
  {
    calls: ["creat", "mknod"],
    errno: "EPERM",
    when: [{ arg: 1, anyBits: S_ISUID | S_ISGID }],
    reason: SET_ID_REASON,
  },
  {
    calls: ["mknodat"],
    errno: "EPERM",
    when: [{ arg: 2, anyBits: S_ISUID | S_ISGID }],
    reason: SET_ID_REASON,
  },
  { calls: ["open"], errno: "EPERM", when: makesFile(1), reason: SET_ID_REASON },
  { calls: ["openat"], errno: "EPERM", when: makesFile(2), reason: SET_ID_REASON },
  {
    calls: ["openat2"],
    errno: "ENOSYS",
    reason: "its flags and mode lie in memory that a filter cannot read; programs fall back to openat",
  },
];

const ATTRIBUTES = [
  "setxattr",
  "lsetxattr",
  "fsetxattr",
  "setxattrat",
  "removexattr",
  "lremovexattr",
  "fremovexattr",
  "removexattrat",
] as const;

const METADATA = {
  mounted: [],
  broker: [
    {
      calls: ["chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchown", "fchownat"],
      errno: "broker",
      reason: "not mediated by Landlock; allowed where the command may write",
    },
    {
      calls: ["utime", "utimes", "futimesat", "utimensat", ...ATTRIBUTES],
      errno: "broker",
      reason: "not mediated by Landlock; allowed where the command may write",
    },
  ],
  open: [
    {
      calls: ATTRIBUTES,
      errno: "EOPNOTSUPP",
      reason: "not mediated by Landlock; tools take it as a file system without attributes",
    },
  ],
} as const satisfies Readonly<Record<FilterOptions["metadata"], readonly SeccompRule[]>>;

const OTHER_LIMITS: SeccompRule = {
  calls: ["prlimit64"],
  errno: "EPERM",
  when: [
    { arg: 0, noneOf: [0] },
    { arg: 2, nonZero: true },
  ],
  reason: "sets limits of any process of the user; its own by pid 0 (setrlimit) and reading stay",
};

const INIT_LIMITS: SeccompRule = {
  calls: ["prlimit64"],
  errno: "EPERM",
  when: [
    { arg: 0, oneOf: [INIT] },
    { arg: 2, nonZero: true },
  ],
  reason: "sets limits of the process that keeps the run together",
};

/** Whole users: setpriority(2), ioprio_set(2). */
const ALL_PRIORITIES: readonly SeccompRule[] = [
  {
    calls: ["setpriority"],
    errno: "EPERM",
    when: [{ arg: 0, oneOf: [PRIO_USER] }],
    reason: "slows down every process of the user",
  },
  {
    calls: ["ioprio_set"],
    errno: "EPERM",
    when: [{ arg: 0, oneOf: [IOPRIO_WHO_USER] }],
    reason: "slows down every process of the user",
  },
];

const OTHER_PRIORITIES: readonly SeccompRule[] = [
  {
    calls: ["setpriority", "ioprio_set"],
    errno: "EPERM",
    when: [{ arg: 1, noneOf: [0] }],
    reason: "slows down any process of the user; its own (0) stays",
  },
  ...ALL_PRIORITIES,
];

/** A group may hold others than those of the run. */
const BROKERED_PRIORITIES: readonly SeccompRule[] = [
  ...ALL_PRIORITIES,
  {
    calls: ["setpriority"],
    errno: "EPERM",
    when: [
      { arg: 0, noneOf: [PRIO_PROCESS] },
      { arg: 1, noneOf: [0] },
    ],
    reason: "slows down any group of the user's processes; its own (0) stays",
  },
  {
    calls: ["ioprio_set"],
    errno: "EPERM",
    when: [
      { arg: 0, noneOf: [IOPRIO_WHO_PROCESS] },
      { arg: 1, noneOf: [0] },
    ],
    reason: "slows down any group of the user's processes; its own (0) stays",
  },
  {
    calls: ["setpriority", "ioprio_set"],
    errno: "broker",
    when: [{ arg: 1, noneOf: [0] }],
    reason: "slows down any process of the user; allowed for those of the run",
  },
];

const SCHEDULING: SeccompRule = {
  calls: ["sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"],
  errno: "broker",
  when: [{ arg: 0, noneOf: [0] }],
  reason: "changes how any process of the user runs; its own by 0 stays, threads are named by number",
};

const SIGNALS: readonly SeccompRule[] = [
  {
    calls: ["kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal"],
    errno: "broker",
    reason: "not scoped by Landlock below ABI 6",
  },
  {
    calls: ["fcntl"],
    errno: "EPERM",
    when: [{ arg: 1, oneOf: [F_SETOWN, F_SETOWN_EX] }],
    reason: "lets the kernel send signals to any process of the user",
  },
  {
    calls: ["ioctl"],
    errno: "EPERM",
    when: [{ arg: 1, oneOf: [FIOSETOWN, SIOCSPGRP] }],
    reason: "lets the kernel send signals to any process of the user",
  },
];

const PROCESSES = {
  own: [INIT_LIMITS],
  open: [OTHER_LIMITS, ...OTHER_PRIORITIES],
  scheduling: [OTHER_LIMITS, ...BROKERED_PRIORITIES, SCHEDULING],
  signals: [OTHER_LIMITS, ...BROKERED_PRIORITIES, SCHEDULING, ...SIGNALS],
} as const satisfies Readonly<Record<FilterOptions["processes"], readonly SeccompRule[]>>;

const UNBOUNDED_TRACING: SeccompRule = {
  calls: [
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "pidfd_getfd",
    "kcmp",
    "process_madvise",
    "move_pages",
    "migrate_pages",
  ],
  errno: "EPERM",
  reason: "reads and changes other processes of the user, and nothing else bounds it here",
};

const SEALED_MEMORY: SeccompRule = {
  calls: ["memfd_create"],
  errno: "EACCES",
  when: [{ arg: 1, mask: MFD_NOEXEC_SEAL, noneOf: [MFD_NOEXEC_SEAL] }],
  reason:
    "a memory file is on no mount that could forbid its execution; the kernel's own answer (vm.memfd_noexec)",
};

const BROKERED_TRUNCATION: SeccompRule = {
  calls: ["truncate"],
  errno: "broker",
  reason: "empties files that Landlock below ABI 3 does not guard; allowed where the command may write",
};

const TRUNCATION: readonly SeccompRule[] = [
  { calls: ["truncate"], errno: "EACCES", reason: "empties files that Landlock below ABI 3 does not guard" },
  {
    calls: ["open"],
    errno: "EACCES",
    when: [
      { arg: 1, anyBits: O_TRUNC },
      { arg: 1, mask: O_ACCMODE, noneOf: [O_WRONLY, O_RDWR] },
    ],
    reason: "truncates without asking Landlock for write access",
  },
  {
    calls: ["openat"],
    errno: "EACCES",
    when: [
      { arg: 2, anyBits: O_TRUNC },
      { arg: 2, mask: O_ACCMODE, noneOf: [O_WRONLY, O_RDWR] },
    ],
    reason: "truncates without asking Landlock for write access",
  },
];

/*
 * EAFNOSUPPORT is what a kernel without the family answers, so programs that probe for IPv6 and resolvers expect it.
 * NETLINK_ROUTE stays: getifaddrs(3) and getaddrinfo(3) need it, and without capabilities it can neither change
 * anything nor send to other processes; it lists interfaces, addresses and routes.
 */
const SOCKET_PAIRS: SeccompRule = {
  calls: ["socketpair"],
  errno: "EAFNOSUPPORT",
  when: [{ arg: 0, noneOf: [AF_UNIX] }],
  reason: "no family but unix makes useful pairs",
};

const NETLINK: SeccompRule = {
  calls: ["socket"],
  errno: "EAFNOSUPPORT",
  when: [
    { arg: 0, oneOf: [AF_NETLINK] },
    { arg: 2, noneOf: [NETLINK_ROUTE] },
  ],
  reason: "netlink beyond what libc needs: sock_diag, audit, uevents, generic families",
};

/*
 * A datagram socket can name its receiver in each call, in memory that a filter cannot read, and a pair is no
 * exception; a stream or seqpacket socket only through connect.
 */
const BROKERED_SOCKETS: readonly SeccompRule[] = [
  {
    calls: ["connect"],
    errno: "broker",
    reason: "reaches sockets of other programs by their path, which Landlock below ABI 9 does not mediate",
  },
  {
    calls: ["socket", "socketpair"],
    errno: "EPROTONOSUPPORT",
    when: [
      { arg: 0, oneOf: [AF_UNIX] },
      { arg: 1, mask: SOCK_TYPE_MASK, noneOf: [SOCK_STREAM, SOCK_SEQPACKET] },
    ],
    reason: "reaches sockets of other programs without connect",
  },
];

const NETWORK_OFF: readonly SeccompRule[] = [
  SOCKET_PAIRS,
  NETLINK,
  {
    calls: ["socket"],
    errno: "EAFNOSUPPORT",
    when: [{ arg: 0, noneOf: [AF_UNIX, AF_NETLINK] }],
    reason: "the network is off",
  },
];

const NETWORK_ON: readonly SeccompRule[] = [
  SOCKET_PAIRS,
  NETLINK,
  {
    calls: ["socket"],
    errno: "EAFNOSUPPORT",
    when: [{ arg: 0, noneOf: [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] }],
    reason: "packet, alg, vsock, bluetooth and the like are not the internet",
  },
  {
    calls: ["socket"],
    errno: "EPERM",
    when: [
      { arg: 0, oneOf: [AF_INET, AF_INET6] },
      { arg: 1, mask: SOCK_TYPE_MASK, oneOf: [SOCK_RAW, SOCK_PACKET] },
    ],
    reason: "raw packets; SOCK_PACKET turns into a packet socket",
  },
];

/** Ordinary sockets reach nothing but the command's own loopback; the rest is kernel surface that nobody needs. */
const NETWORK_OWN: readonly SeccompRule[] = [
  ...NETWORK_ON,
  {
    calls: ["socket"],
    errno: "EPROTONOSUPPORT",
    when: [
      { arg: 0, oneOf: [AF_INET, AF_INET6] },
      { arg: 1, mask: SOCK_TYPE_MASK, noneOf: [SOCK_STREAM, SOCK_DGRAM] },
    ],
    reason: "socket types beyond TCP and UDP",
  },
  {
    calls: ["socket"],
    errno: "EPROTONOSUPPORT",
    when: [
      { arg: 0, oneOf: [AF_INET, AF_INET6] },
      { arg: 2, noneOf: [0, IPPROTO_TCP, IPPROTO_UDP] },
    ],
    reason: "protocols beyond TCP and UDP: MPTCP, SCTP, ICMP; programs fall back to TCP",
  },
];

const NETWORK = { off: NETWORK_OFF, on: NETWORK_ON, own: NETWORK_OWN } as const;

/** The rules of a run, in order: of the rules for one call the first that matches answers. */
export function seccompRules(options: FilterOptions): readonly SeccompRule[] {
  return [
    ...UNREADABLE,
    ...KERNEL,
    ...FILES,
    ...SET_ID,
    FILE_SETATTR,
    ...METADATA[options.metadata],
    ...PROCESSES[options.processes],
    ...(options.tracingBounded ? [] : [UNBOUNDED_TRACING]),
    ...(options.sealedMemory ? [SEALED_MEMORY] : []),
    ...(options.refuseTruncation && options.metadata === "broker" ? [BROKERED_TRUNCATION] : []),
    ...(options.refuseTruncation ? TRUNCATION : []),
    ...(options.sockets === "broker" ? BROKERED_SOCKETS : []),
    ...NETWORK[options.network],
  ];
}
