import { beforeAll, expect, test } from "vitest";
import { attempt, type Outcomes } from "./attempts.ts";
import { eachWay } from "./suite.ts";

const DENIED: Readonly<Record<string, readonly string[]>> = {
  EPERM: [
    "unshare-user",
    "unshare-net",
    "unshare-mount",
    "clone-user",
    "setns",
    "mount",
    "umount",
    "pivot-root",
    "chroot",
    "fsopen",
    "open-tree",
    "move-mount",
    "mount-setattr",
    "bpf",
    "perf",
    "userfaultfd",
    "keyctl",
    "add-key",
    "request-key",
    "open-by-handle",
    "kexec",
    "module",
    "reboot",
    "sethostname",
    "settimeofday",
    "swapoff",
    "syslog",
    "fanotify",
    "read-implies-exec",
    "mknod-char",
    "mknod-block",
    "tiocsti",
    "tiocsti-high",
    "tioclinux",
  ],
  ENOSYS: ["clone3", "io-uring", "unknown-call"],
  EOPNOTSUPP: ["set-flags"],
};
const ALLOWED = [
  "setxattr",
  "removexattr",
  "unshare-files",
  "clone-plain",
  "mkfifo",
  "fionread",
  "ask-personality",
];
const PAIRS = Object.entries(DENIED).flatMap(([errno, names]) => names.map((name) => [name, errno] as const));

eachWay("calls", (_, makePlace, installed) => {
  let outcomes: Outcomes;
  beforeAll(async () => {
    const all = [...PAIRS.map(([name]) => name), ...ALLOWED, "x32", "int80"];
    ({ outcomes } = await attempt(makePlace(), installed().attempt, { X: 1 }, all));
  });

  test.each(PAIRS)("%s is %s", (name, errno) => expect(outcomes.get(name)).toBe(errno));
  test.each(ALLOWED)("%s works", (name) => expect(outcomes.get(name)).toBe("ok"));
  test("the calls of x32 are killed", (context) => {
    context.skip(process.arch !== "x64", "this architecture has no x32");
    expect(outcomes.get("x32")).toBe("SIGSYS");
  });
  test("the calls of i386 are killed", (context) => {
    context.skip(process.arch !== "x64", "this architecture has no i386");
    // A kernel without them answers with SIGSEGV before any filter is asked.
    expect(["SIGSYS", "SIGSEGV"]).toContain(outcomes.get("int80"));
  });
});
