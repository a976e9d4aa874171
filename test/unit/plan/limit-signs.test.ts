import { describe, expect, test } from "vitest";
import { limitSigns } from "../../../src/plan/limit-signs.ts";
import type { EndedMessage } from "../../../src/plan/types.ts";
import { DEFAULT_POLICY } from "../../../src/policy/parse.ts";

const ENDED: EndedMessage = {
  type: "ended",
  exitCode: 1,
  signal: undefined,
  coreDumped: false,
  cause: "own",
  causeDetail: 0,
  leftovers: 0,
  userUs: 0n,
  systemUs: 0n,
  maxRssKb: 0n,
  wallUs: 0n,
  stdoutBytes: 0n,
  stderrBytes: 0n,
  withheldStdout: 0n,
  withheldStderr: 0n,
};
const CPU = 0;
const FSIZE = 1;
const DATA = 2;
const NPROC = 6;
const NOFILE = 7;

interface Case {
  readonly output?: string;
  readonly resources?: readonly number[];
  readonly ended?: Partial<EndedMessage>;
}

function signs({ output = "", resources = [CPU, FSIZE, DATA, NPROC, NOFILE], ended = {} }: Case): unknown {
  const limits = resources.map((resource) => ({ resource, soft: 1n, hard: 1n }));
  const found = limitSigns({
    plan: { limits },
    policy: { ...DEFAULT_POLICY, maxOpenFiles: 32, cpuTimeSec: 2 },
    ended: { ...ENDED, ...ended },
    output,
  });
  return found.map(({ limit }) => limit);
}

describe("what a failed run may have met", () => {
  test.each([
    ["Traceback\nMemoryError\n", "max_memory_mb"],
    ["FATAL ERROR: Reached heap limit - JavaScript heap out of memory", "max_memory_mb"],
    ["terminate called after throwing an instance of 'std::bad_alloc'", "max_memory_mb"],
    ["bash: fork: Cannot allocate memory", "max_memory_mb"],
    ["memory allocation of 4096 bytes failed", "max_memory_mb"],
    ["fatal error: runtime: out of memory", "max_memory_mb"],
    ["bash: fork: retry: Resource temporarily unavailable", "max_processes"],
    ["sh: 1: Cannot fork", "max_processes"],
    ["RuntimeError: can't start new thread", "max_processes"],
    ["Error: spawn node EAGAIN", "max_processes"],
    ["OSError: [Errno 24] Too many open files: '/dev/null'", "max_open_files"],
    ["Error: EMFILE: too many open files, open 'x'", "max_open_files"],
    ["OSError: [Errno 27] File too large", "max_file_size_mb"],
    ["File size limit exceeded", "max_file_size_mb"],
  ])("%j: %s", (output, limit) => {
    expect(signs({ output })).toEqual([limit]);
  });

  test("what it says stands with the limit's value", () => {
    const policy = { ...DEFAULT_POLICY, maxOpenFiles: 32 };
    const limits = [{ resource: NOFILE, soft: 32n, hard: 32n }];
    expect(limitSigns({ plan: { limits }, policy, ended: ENDED, output: "x: EMFILE: y" })).toEqual([
      { limit: "max_open_files", value: 32, seen: 'its output says "EMFILE"' },
    ]);
  });

  test("a status that shells make of a signal", () => {
    expect(signs({ ended: { exitCode: 153 } })).toEqual(["max_file_size_mb"]);
    const busy = { userUs: 2_100_000n };
    expect(signs({ ended: { exitCode: 152, ...busy } })).toEqual(["cpu_time_sec"]);
    expect(signs({ ended: { exitCode: 137, ...busy } })).toEqual(["cpu_time_sec"]);
    expect(signs({ ended: { exitCode: 1, ...busy }, output: "CPU time limit exceeded" })).toEqual([
      "cpu_time_sec",
    ]);
  });
});

describe("what it cannot have met is not named", () => {
  test.each<readonly [string, Case]>([
    ["a run that succeeded", { output: "MemoryError", ended: { exitCode: 0 } }],
    ["a run that failed for its own reasons", { output: "TypeError: x\nexit 1" }],
    ["memory, where no process had a limit of it", { output: "MemoryError", resources: [CPU, NOFILE] }],
    ["processes, the same", { output: "Cannot fork", resources: [CPU, NOFILE] }],
    ["the files of the whole system", { output: "Too many open files in system" }],
    ["a socket that would block", { output: "read: Resource temporarily unavailable" }],
    ["more CPU seconds than were used", { output: "SIGXCPU", ended: { exitCode: 152, userUs: 900_000n } }],
    ["a kill after little CPU", { ended: { exitCode: 137 } }],
  ])("%s", (_, input) => {
    expect(signs(input)).toEqual([]);
  });

  test("hostile output costs time in proportion to its length", () => {
    const output = "fork fork pthread_create spawn ".repeat(2000);
    expect(signs({ output })).toEqual([]);
  });
});
