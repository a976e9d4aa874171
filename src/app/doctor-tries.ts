import type { Protection } from "../core/protection.ts";

/** The attempts of `paldron-probe` that stand for a protection. */
export interface Tries {
  readonly how: string;
  readonly forbidden: readonly string[];
  readonly allowed: readonly string[];
}

/** Run on their own, with low limits. */
export const LIMIT_TRIES = [
  "limit-file-size",
  "limit-open-files",
  "limit-cpu",
  "limit-memory",
  "limit-processes",
];
/** Ends the run that tries it. */
export const TIME_TRY = "limit-time";

/** What is tried for each protection. An attempt that fails outside of a run too is no evidence. */
export const TRIES: Readonly<Record<Protection, Tries>> = {
  "fs-write": {
    how: "write, create, truncate, remove and rename outside the workspace; the same inside",
    forbidden: ["write-outside", "create-outside", "truncate-outside", "remove-outside", "rename-outside"],
    allowed: ["write-inside"],
  },
  "fs-read": {
    how: "read a file and list a folder outside the workspace; read one inside",
    forbidden: ["read-outside", "list-outside"],
    allowed: ["read-inside"],
  },
  "secrets-read": {
    how: "read, write, rename and remove a .env file and rename the folder of one; read another file",
    forbidden: ["secret-read", "secret-write", "secret-remove", "secret-parent", "secret-rename"],
    allowed: ["read-inside"],
  },
  "secrets-late": {
    how: "make a .env.late file during the run, and look whether the scan finds it",
    forbidden: [],
    allowed: ["secret-late"],
  },
  "net-tcp": {
    how: "connect to a listener on 127.0.0.1 and ::1, with MPTCP too; a socket pair",
    forbidden: ["tcp-outside", "tcp6-outside", "mptcp-outside"],
    allowed: ["unix-pair"],
  },
  "net-udp": {
    how: "send a datagram to a listener on 127.0.0.1; a socket pair",
    forbidden: ["udp-outside"],
    allowed: ["unix-pair"],
  },
  "net-unix": {
    how: "connect to a pathname and an abstract socket of another program; the same of its own",
    forbidden: ["unix-outside", "abstract-outside"],
    allowed: ["unix-own", "abstract-own"],
  },
  "net-other": {
    how: "sockets: ping, raw, packet, vsock, alg, MPTCP, SCTP, netlink; io_uring; route netlink",
    forbidden: [
      "ping-socket",
      "raw-socket",
      "raw6-socket",
      "packet-socket",
      "vsock-socket",
      "alg-socket",
      "mptcp-socket",
      "sctp-socket",
      "netlink-diag",
      "io-uring",
    ],
    allowed: ["netlink-route"],
  },
  signals: {
    how: "signal a process and a thread outside; kill a child of its own",
    forbidden: ["signal-outside", "thread-signal-outside"],
    allowed: ["signal-own"],
  },
  ptrace: {
    how: "trace a process outside and read its memory, environment, folder and root; trace a child of its own",
    forbidden: [
      "trace-outside",
      "memory-outside",
      "proc-memory-outside",
      "environment-outside",
      "folder-outside",
      "root-outside",
    ],
    allowed: ["trace-own"],
  },
  "proc-others": {
    how: "read arguments and environment of a process outside; its own environment",
    forbidden: ["arguments-outside", "environment-outside"],
    allowed: ["environment-own"],
  },
  "tty-others": {
    how: "write to another terminal, TIOCSTI; open a terminal of its own",
    forbidden: ["terminal-outside", "terminal-inject"],
    allowed: ["terminal-own"],
  },
  metadata: {
    how: "mode, owner, times and attributes of a file outside; mode and times of one inside",
    forbidden: ["mode-outside", "owner-outside", "times-outside", "attribute-outside"],
    allowed: ["mode-inside", "times-inside"],
  },
  programs: {
    how: "execute a program of the workspace that the policy does not list; one that it lists",
    forbidden: ["exec-unlisted"],
    allowed: ["exec-listed"],
  },
  "later-exec": {
    how: "change a git hook and an agent's settings, and rename the folder of one; write another file",
    forbidden: ["later-hook", "later-settings", "later-rename"],
    allowed: ["write-inside"],
  },
  limits: {
    how: "file size, open files, CPU seconds, memory, processes and time above low limits, in runs of their own",
    forbidden: [...LIMIT_TRIES, TIME_TRY],
    allowed: [],
  },
  "tree-kill": {
    how: "leave a process of another session behind, and look for it after the run",
    forbidden: [],
    allowed: ["leave-behind"],
  },
  output: {
    how: "print more than is kept, and compare the counts",
    forbidden: [],
    allowed: ["print-much"],
  },
  "net-loopback": {
    how: "connect to a server of its own on 127.0.0.1",
    forbidden: [],
    allowed: ["tcp-own"],
  },
};

/**
 * Everything for the one run that tries most. Moving what others look at comes last, and printing after all: the copy
 * of the output ends in it.
 */
const LAST = ["secret-parent", "secret-rename", "later-rename", "leave-behind", "print-much"];

export const MAIN_TRIES: readonly string[] = ordered();

function ordered(): readonly string[] {
  const all = new Set(Object.values(TRIES).flatMap(({ forbidden, allowed }) => [...allowed, ...forbidden]));
  for (const name of [...LIMIT_TRIES, TIME_TRY, ...LAST]) all.delete(name);
  return [...all, ...LAST];
}

/** What the target says it was reached by, and the attempts that may have done it. */
export const SEEN_BY_STAND: Readonly<Record<string, string>> = {
  "tcp-outside": "tcp",
  "tcp6-outside": "tcp6",
  "udp-outside": "udp",
  "unix-outside": "unix",
  "abstract-outside": "abstract",
  "terminal-outside": "terminal",
  "signal-outside": "signal",
  "thread-signal-outside": "signal",
};
