import { type ChildProcess, spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attempt, type Outcomes } from "./attempts.ts";
import { python } from "./python.ts";
import { eachWay } from "./suite.ts";
import { refusedWays } from "./ways.ts";

/** A signal scope, a Landlock domain or seccomp stands in the way; each answers EPERM or EACCES. */
const DENIED: readonly (readonly [string, string])[] = [
  ["kill-outside", "EPERM"],
  ["probe-outside", "EPERM"],
  ["group-outside", "EPERM"],
  ["queue-outside", "EPERM"],
  ["thread-queue-outside", "EPERM"],
  ["tgkill-outside", "EPERM"],
  ["tkill-outside", "EPERM"],
  ["pidfd-outside", "EPERM"],
  ["kill-guardian", "EPERM"],
  ["queue-guardian", "EPERM"],
  ["stop-guardian", "EPERM"],
  ["pidfd-guardian", "EPERM"],
  ["kill-supervisor", "EPERM"],
  ["queue-supervisor", "EPERM"],
  ["stop-supervisor", "EPERM"],
  ["tgkill-supervisor", "EPERM"],
  ["pidfd-supervisor", "EPERM"],
  ["kill-node", "EPERM"],
  ["ptrace-outside", "EPERM"],
  ["ptrace-guardian", "EPERM"],
  ["ptrace-supervisor", "EPERM"],
  ["vm-read-outside", "EPERM"],
  ["vm-write-outside", "EPERM"],
  ["mem-outside", "EACCES"],
  ["environ-outside", "EACCES"],
  ["maps-outside", "EACCES"],
  ["root-outside", "EACCES"],
  ["fd-outside", "EACCES"],
  ["pidfd-getfd-outside", "EPERM"],
  ["kcmp-outside", "EPERM"],
  ["prlimit-outside", "EPERM"],
  ["priority-outside", "EPERM"],
  ["priority-user", "EPERM"],
  ["affinity-outside", "EPERM"],
  ["schedule-outside", "EPERM"],
];
/** fcntl(2) takes any owner; whether the signal comes is seen by who is still alive. */
const UNANSWERED = ["sigio-outside", "sigio-guardian", "sigio-supervisor"];
const ALLOWED = [
  "kill-own",
  "queue-own",
  "pidfd-own",
  "trace-own",
  "vm-read-own",
  "environ-own",
  "prlimit-own",
  "priority-own",
  "affinity-own",
  "threads-own",
  "group-own",
  "everybody",
];

// With a new root and namespaces the answers are others: namespaces.test.ts.
eachWay(
  "processes",
  (way, makePlace, installed) => {
    // The kernel's own ABI, and one below the signal scope, where the broker stands in.
    describe.each([undefined, 5])("Landlock ABI at most %s", (landlockAbi) => {
      let bystander: ChildProcess;
      let outcomes: Outcomes;
      let verdict: string | undefined;
      beforeAll(async () => {
        const ids = way.uid === undefined ? {} : { uid: way.uid, gid: way.uid };
        bystander = spawn("sleep", ["300"], { stdio: "ignore", detached: true, ...ids });
        const pid = bystander.pid ?? -1;
        const all = [...DENIED.map(([name]) => name), ...UNANSWERED, "sigio-own", ...ALLOWED];
        const conf = { PID: pid, GROUP: pid, NODE: process.pid };
        const got = await attempt(makePlace(), installed().attempt, conf, all, { landlockAbi });
        outcomes = got.outcomes;
        verdict = got.ran.result?.verdict;
      });
      afterAll(() => bystander.kill("SIGKILL"));

      test.each(DENIED)("%s is %s", (name, errno) => expect(outcomes.get(name)).toBe(errno));
      test.each(ALLOWED)("%s works", (name) => expect(outcomes.get(name)).toBe("ok"));
      test.each([...UNANSWERED, "sigio-own"])("%s", (name) => {
        expect(outcomes.get(name)).toBe(landlockAbi === undefined ? "ok" : "EPERM");
      });
      test("the bystander, the supervisor and the guardian live on", () => {
        expect([bystander.exitCode, bystander.signalCode, verdict]).toEqual([null, null, "allow"]);
      });
    });
  },
  { which: refusedWays },
);

/** Priorities and limits of a child, of the process that keeps the run together, and of one outside. */
const PRIORITIES = `
import resource, signal
child = os.fork()
if child == 0:
    signal.pause()
pid, outside = child, int(sys.argv[1])
ioprio = 30 if arm else 251
note("child", lambda: os.setpriority(os.PRIO_PROCESS, pid, 5))
note("child, input and output", lambda: sys_(ioprio, 1, pid, 3 << 13))
note("itself by number", lambda: os.setpriority(os.PRIO_PROCESS, os.getpid(), 1))
said["now"] = str(os.getpriority(os.PRIO_PROCESS, pid))
note("outside", lambda: os.setpriority(os.PRIO_PROCESS, outside, 5))
note("outside, input and output", lambda: sys_(ioprio, 1, outside, 3 << 13))
note("its group", lambda: os.setpriority(os.PRIO_PGRP, outside, 5))
note("limits of the first process", lambda: resource.prlimit(1, resource.RLIMIT_CORE, (0, 0)))
os.kill(child, 9); os.wait()`;

eachWay("priorities", (way, makePlace) => {
  test("of the run's own processes can be set, of others not", async () => {
    const ids = way.uid === undefined ? {} : { uid: way.uid, gid: way.uid };
    const bystander = spawn("sleep", ["300"], { stdio: "ignore", detached: true, ...ids });
    const said = await python(makePlace(), PRIORITIES, [String(bystander.pid)]);
    const alive = bystander.exitCode === null && bystander.signalCode === null;
    bystander.kill("SIGKILL");
    const away = way.namespaces ? "ESRCH" : "EPERM";
    expect([said, alive]).toEqual([
      {
        child: "ok",
        "child, input and output": "ok",
        "itself by number": "ok",
        now: "5",
        outside: away,
        "outside, input and output": away,
        "its group": away,
        "limits of the first process": "EPERM",
      },
      true,
    ]);
  });
});
