import { type ChildProcess, spawn } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attempt, type Outcomes } from "./attempts.ts";
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
];
/** fcntl(2) takes any owner; whether the signal comes is seen by who is still alive. */
const UNANSWERED = ["sigio-outside", "sigio-guardian", "sigio-supervisor"];
const ALLOWED = [
  "kill-own",
  "queue-own",
  "pidfd-own",
  "sigio-own",
  "trace-own",
  "vm-read-own",
  "environ-own",
  "prlimit-own",
  "priority-own",
];

// With a new root and namespaces the answers are others: namespaces.test.ts.
eachWay(
  "processes",
  (way, makePlace, installed) => {
    let bystander: ChildProcess;
    let outcomes: Outcomes;
    let verdict: string | undefined;
    beforeAll(async () => {
      const ids = way.uid === undefined ? {} : { uid: way.uid, gid: way.uid };
      bystander = spawn("sleep", ["300"], { stdio: "ignore", detached: true, ...ids });
      const pid = bystander.pid ?? -1;
      const all = [...DENIED.map(([name]) => name), ...UNANSWERED, ...ALLOWED];
      const conf = { PID: pid, GROUP: pid, NODE: process.pid };
      const got = await attempt(makePlace(), installed().attempt, conf, all);
      outcomes = got.outcomes;
      verdict = got.ran.result?.verdict;
    });
    afterAll(() => bystander.kill("SIGKILL"));

    test.each(DENIED)("%s is %s", (name, errno) => expect(outcomes.get(name)).toBe(errno));
    test.each(ALLOWED)("%s works", (name) => expect(outcomes.get(name)).toBe("ok"));
    test.each(UNANSWERED)("%s is taken and does nothing", (name) => expect(outcomes.get(name)).toBe("ok"));
    test("the bystander, the supervisor and the guardian live on", () => {
      expect([bystander.exitCode, bystander.signalCode, verdict]).toEqual([null, null, "allow"]);
    });
  },
  { which: refusedWays },
);
