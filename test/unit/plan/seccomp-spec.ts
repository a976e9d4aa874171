/**
 * What the filter must answer, stated apart from the rules: names refused outright, and for calls that depend on their
 * arguments, cases. `allow` and error numbers are what seccomp returns.
 */
export type Answer =
  | "allow"
  | "kill"
  | "broker"
  | "EPERM"
  | "EACCES"
  | "ENOSYS"
  | "EOPNOTSUPP"
  | "EPROTONOSUPPORT"
  | "EAFNOSUPPORT";

export const ALWAYS: Readonly<Record<Exclude<Answer, "allow" | "kill" | "broker">, string>> = {
  ENOSYS: `clone3 io_uring_setup io_uring_enter io_uring_register uselib nfsservctl lookup_dcookie create_module
    get_kernel_syms query_module openat2`,
  EPERM: `bpf perf_event_open userfaultfd kexec_load kexec_file_load init_module finit_module delete_module reboot
    swapon swapoff acct quotactl quotactl_fd sethostname setdomainname vhangup settimeofday clock_settime adjtimex
    clock_adjtime syslog iopl ioperm modify_ldt add_key request_key keyctl fanotify_init fanotify_mark
    lsm_set_self_attr mount umount2 pivot_root chroot fsopen fsmount fsconfig fspick move_mount open_tree
    open_tree_attr mount_setattr setns open_by_handle_at`,
  EOPNOTSUPP: `setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat
    file_setattr`,
  EACCES: "",
  EPROTONOSUPPORT: "",
  EAFNOSUPPORT: "",
};

/** Refused only where neither Landlock nor a pid namespace bounds them. */
export const UNBOUNDED = `ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp process_madvise move_pages
  migrate_pages`;

export interface Case {
  readonly call: string;
  /** Words whose meaning the comment beside gives; what is left out is 0. */
  readonly args: readonly (number | bigint)[];
  readonly want: Answer;
}

/** What stands in the upper half of a register for an `int` argument must not matter. */
const GARBAGE = 0xdead_beef_0000_0000n;

const c = (call: string, want: Answer, ...args: (number | bigint)[]): Case => ({ call, args, want });

export const CASES: readonly Case[] = [
  // clone: a thread, a fork, vfork; then each namespace.
  c("clone", "allow", 0x003d_0f00),
  c("clone", "allow", 0x0120_0011),
  c("clone", "allow", 0x4111),
  ...[0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000].flatMap((flag) => [
    c("clone", "EPERM", flag | 17),
    c("unshare", "EPERM", flag),
  ]),
  c("unshare", "EPERM", 0x80),
  c("unshare", "allow", 0x400), // CLONE_FILES
  c("unshare", "allow", 0x200), // CLONE_FS
  // mknod: regular, FIFO, socket, no type; character, block.
  ...[0o100644, 0o010644, 0o140644, 0o644].flatMap((mode) => [
    c("mknod", "allow", 1n, mode),
    c("mknodat", "allow", 3, 1n, mode),
  ]),
  ...[0o020666, 0o060600].flatMap((mode) => [
    c("mknod", "EPERM", 1n, mode),
    c("mknodat", "EPERM", 3, 1n, mode),
    c("mknodat", "EPERM", 3, 1n, GARBAGE | BigInt(mode)),
  ]),
  // Set-user-ID, and set-group-ID where it is certain to be a file's.
  ...["chmod", "fchmod"].flatMap((call) => [
    ...[0o755, 0o1777, 0o2775].map((mode) => c(call, "allow", 1n, mode)),
    ...[0o4755, 0o6755].flatMap((mode) => [
      c(call, "EPERM", 1n, mode),
      c(call, "EPERM", 1n, GARBAGE | BigInt(mode)),
    ]),
  ]),
  ...["fchmodat", "fchmodat2"].flatMap((call) => [
    ...[0o755, 0o1777, 0o2775].map((mode) => c(call, "allow", 3, 1n, mode)),
    ...[0o4755, 0o6755].map((mode) => c(call, "EPERM", 3, 1n, mode)),
  ]),
  ...[0o4755, 0o2755].flatMap((mode) => [
    c("creat", "EPERM", 1n, mode),
    c("mknod", "EPERM", 1n, 0o100000 | mode),
    c("mknodat", "EPERM", 3, 1n, 0o100000 | mode),
    // O_CREAT, O_TMPFILE; a mode means nothing without them, O_DIRECTORY and O_PATH included.
    ...[0o101, 0o20200002].flatMap((flags) => [
      c("open", "EPERM", 1n, flags, mode),
      c("openat", "EPERM", 3, 1n, flags, mode),
    ]),
    ...[0, 0o200000, 0o10000000].map((flags) => c("openat", "allow", 3, 1n, flags, mode)),
  ]),
  ...[0o101, 0o20200002].map((flags) => c("openat", "allow", 3, 1n, flags, 0o1777)),
  // ioctl: TCGETS, TIOCGWINSZ, FIONREAD, FS_IOC_GETFLAGS, FICLONE; then those refused.
  ...[0x5401, 0x5413, 0x541b, 0x8008_6601, 0x4004_9409].map((cmd) => c("ioctl", "allow", 0, cmd)),
  ...[0x5412, 0x541c].flatMap((cmd) => [
    c("ioctl", "EPERM", 0, cmd),
    c("ioctl", "EPERM", 0, GARBAGE | BigInt(cmd)),
  ]),
  ...[0x4008_6602, 0x4004_6602, 0x401c_5820, 0x4080_6685, 0x800c_6613].map((cmd) =>
    c("ioctl", "EOPNOTSUPP", 0, cmd),
  ),
  // personality: Linux, 32-bit name, gdb, the question; READ_IMPLIES_EXEC, MMAP_PAGE_ZERO.
  ...[0, 8, 0x2_0000, 0x2_0008, 0x4_0000, 0x4_0008, 0xffff_ffff].map((p) => c("personality", "allow", p)),
  ...[0x40_0000, 0x10_0000, 0x44_0000].map((p) => c("personality", "EPERM", p)),
  // Things ordinary programs live on.
  ...[
    "read",
    "openat",
    "execve",
    "execveat",
    "mmap",
    "futex",
    "kill",
    "tgkill",
    "pidfd_open",
    "inotify_init1",
  ].map((call) => c(call, "allow")),
  ...[
    "memfd_create",
    "shmget",
    "fchmodat",
    "utimensat",
    "getxattr",
    "landlock_create_ruleset",
    "seccomp",
  ].map((call) => c(call, "allow")),
  ...["name_to_handle_at", "statmount", "rseq", "prctl", "fcntl", "fchmodat2", "mseal"].map((call) =>
    c(call, "allow"),
  ),
];

/** Socket families: number of the family, then type, then protocol. */
export const NETWORK: Readonly<Record<"off" | "on" | "own", readonly Case[]>> = {
  off: [
    c("socket", "allow", 1, 1, 0),
    c("socket", "allow", GARBAGE | 1n, 1, 0),
    c("socket", "allow", 16, 3, 0), // NETLINK_ROUTE
    c("socket", "allow", 16, 0x80003, GARBAGE),
    // NETLINK_SOCK_DIAG, AUDIT, KOBJECT_UEVENT, GENERIC
    ...[4, 9, 15, 16].map((protocol) => c("socket", "EAFNOSUPPORT", 16, 3, protocol)),
    // TCP, UDP, ICMP, raw, MPTCP, SCTP
    ...[
      [1, 0],
      [2, 0],
      [2, 1],
      [3, 255],
      [1, 262],
      [1, 132],
    ].flatMap(([type = 0, protocol = 0]) =>
      [2, 10].map((family) => c("socket", "EAFNOSUPPORT", family, type, protocol)),
    ),
    c("socket", "EAFNOSUPPORT", GARBAGE | 2n, 1, 0),
    c("socket", "EAFNOSUPPORT", 0, 1, 0),
    // key, packet, alg, bluetooth, vsock, xdp, tipc, can, smc, mctp, one that does not exist
    ...[15, 17, 38, 31, 40, 44, 30, 29, 43, 45, 99].map((family) =>
      c("socket", "EAFNOSUPPORT", family, 1, 0),
    ),
    c("socketpair", "allow", 1, 1, 0),
    c("socketpair", "allow", 1, 5, 0),
    c("socketpair", "EAFNOSUPPORT", 2, 1, 0),
    c("socketpair", "EAFNOSUPPORT", 30, 1, 0),
    ...["connect", "bind", "sendto", "listen", "accept4", "sendmsg", "recvmsg"].map((call) =>
      c(call, "allow"),
    ),
  ],
  on: [
    c("socket", "allow", 1, 1, 0),
    c("socket", "allow", 16, 3, 0),
    c("socket", "EAFNOSUPPORT", 16, 3, 4),
    // TCP, UDP with SOCK_CLOEXEC, ping, MPTCP
    ...[2, 10].flatMap((family) => [
      c("socket", "allow", family, 1, 0),
      c("socket", "allow", family, 0x80002, 0),
      c("socket", "allow", family, 2, 1),
      c("socket", "allow", family, 1, 262),
      c("socket", "EPERM", family, 3, 255),
      c("socket", "EPERM", family, 0x80803, 1),
      c("socket", "EPERM", family, 10, 3),
    ]),
    ...[15, 17, 38, 31, 40, 44, 30, 29, 99].map((family) => c("socket", "EAFNOSUPPORT", family, 1, 0)),
    c("socketpair", "allow", 1, 1, 0),
    c("socketpair", "EAFNOSUPPORT", 2, 1, 0),
  ],
  own: [
    c("socket", "allow", 1, 1, 0),
    c("socket", "allow", 16, 3, 0),
    c("socket", "EAFNOSUPPORT", 16, 3, 4),
    // TCP, UDP; ping, MPTCP, SCTP, seqpacket; raw
    ...[2, 10].flatMap((family) => [
      c("socket", "allow", family, 1, 0),
      c("socket", "allow", family, 0x80001, 6),
      c("socket", "allow", family, 0x80002, 17),
      c("socket", "EPROTONOSUPPORT", family, 2, 1),
      c("socket", "EPROTONOSUPPORT", family, 2, 58),
      c("socket", "EPROTONOSUPPORT", family, 1, 262),
      c("socket", "EPROTONOSUPPORT", family, 1, 132),
      c("socket", "EPROTONOSUPPORT", family, 5, 0),
      c("socket", "EPERM", family, 3, 255),
      c("socket", "EPERM", family, 10, 3),
    ]),
    ...[15, 17, 38, 31, 40, 44, 30, 29, 99].map((family) => c("socket", "EAFNOSUPPORT", family, 1, 0)),
    c("socketpair", "EAFNOSUPPORT", 2, 1, 0),
  ],
};

/** Below Landlock ABI 3: O_RDONLY, O_WRONLY, O_RDWR and 3, which asks for neither, each with O_TRUNC. */
export const TRUNCATION: readonly Case[] = [
  c("truncate", "EACCES"),
  c("open", "EACCES", 1n, 0o1000),
  c("open", "EACCES", 1n, 0o1003),
  c("open", "allow", 1n, 0o1001),
  c("open", "allow", 1n, 0o1102),
  c("open", "allow", 1n, 0),
  c("openat", "EACCES", 3, 1n, 0o1000),
  c("openat", "EACCES", 3, 1n, 0o2001003),
  c("openat", "allow", 3, 1n, 0o1101),
  c("openat", "allow", 3, 1n, 0o1002),
  c("openat", "allow", 3, 1n, 0o1102),
  c("openat", "allow", 3, 1n, 0o2000000),
  c("ftruncate", "allow", 3),
  c("creat", "allow", 1n, 0o644),
];

/** With a broker for metadata and for unix sockets, the network off. */
export const BROKERED: readonly Case[] = [
  ...["chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchown", "fchownat"].map((call) =>
    c(call, "broker"),
  ),
  ...["utime", "utimes", "futimesat", "utimensat", "connect"].map((call) => c(call, "broker")),
  ...["setxattr", "lsetxattr", "fsetxattr", "setxattrat"].map((call) => c(call, "broker")),
  ...["removexattr", "lremovexattr", "fremovexattr", "removexattrat"].map((call) => c(call, "broker")),
  ...["openat", "read", "sendto", "sendmsg", "bind", "listen", "accept4", "getxattr", "statx"].map((call) =>
    c(call, "allow"),
  ),
  c("file_setattr", "EOPNOTSUPP"),
  // Unix streams and seqpackets, their flags beside them; datagrams, and raw ones, which become datagrams.
  ...["socket", "socketpair"].flatMap((call) => [
    ...[1, 5, 1 | 0o4000, 5 | 0o2000000].map((type) => c(call, "allow", 1, type)),
    ...[2, 3, 4, 2 | 0o2004000].map((type) => c(call, "EPROTONOSUPPORT", 1, type)),
    c(call, "EAFNOSUPPORT", 2, 1),
  ]),
];

/** Limits and priorities of other processes where nothing bounds them. */
export const OTHERS: readonly Case[] = [
  // prlimit64: setrlimit and getrlimit of libc, reading another's; setting another's.
  c("prlimit64", "allow", 0, 7, 0x7fff_0000_1000n, 0),
  c("prlimit64", "allow", 0, 7, 0, 0x7fff_0000_1000n),
  c("prlimit64", "allow", 4242, 7, 0, 0x7fff_0000_1000n),
  c("prlimit64", "EPERM", 4242, 7, 0x1000),
  // A pointer whose low half is zero is a pointer.
  c("prlimit64", "EPERM", 4242, 7, 0x7fff_0000_0000n),
  c("prlimit64", "allow", GARBAGE, 7, 0x1000),
  // setpriority, ioprio_set: own process and group; another; the user.
  c("setpriority", "allow", 0, 0, 5),
  c("setpriority", "allow", 1, 0, 5),
  c("setpriority", "EPERM", 0, 4242, 5),
  c("setpriority", "EPERM", 2, 0, 5),
  c("ioprio_set", "allow", 1, 0, 0),
  c("ioprio_set", "EPERM", 1, 4242, 0),
  c("ioprio_set", "EPERM", 3, 0, 0),
];

/** The same where a broker knows those of the run. */
export const BROKERED_OTHERS: readonly Case[] = [
  ...OTHERS.filter(({ want, call }) => want === "allow" || call === "prlimit64"),
  c("setpriority", "broker", 0, 4242, 5),
  c("setpriority", "EPERM", 1, 4242, 5),
  c("setpriority", "EPERM", 2, 0, 5),
  c("setpriority", "EPERM", 2, 4242, 5),
  c("ioprio_set", "broker", 1, 4242, 0),
  c("ioprio_set", "EPERM", 2, 4242, 0),
  c("ioprio_set", "EPERM", 3, 4242, 0),
];

/** With a broker for signals and scheduling. */
export const SIGNALS: readonly Case[] = [
  ...[0, 1, -1, -4242, 4242].map((pid) => c("kill", "broker", BigInt.asUintN(64, BigInt(pid)), 9)),
  ...["tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal"].map((call) =>
    c(call, "broker", 4242, 9),
  ),
  // F_SETOWN, F_SETOWN_EX; F_GETFL, F_SETFL, F_DUPFD_CLOEXEC.
  ...[8, 15].map((cmd) => c("fcntl", "EPERM", 3, cmd)),
  ...[3, 4, 1030].map((cmd) => c("fcntl", "allow", 3, cmd)),
  ...[0x8901, 0x8902].map((cmd) => c("ioctl", "EPERM", 3, cmd)),
  ...["sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"].flatMap((call) => [
    c(call, "allow", 0),
    c(call, "broker", 4242),
  ]),
  c("sched_getaffinity", "allow", 4242),
];
