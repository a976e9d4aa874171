/** A limit that is met is named: as the reason where the run was stopped, as a finding where the program gave up. */
import { describe, expect, test } from "vitest";
import type { Place, RunOptions } from "./place.ts";
import { eachWay } from "./suite.ts";

const PYTHON_BOMB = `import os, time
for _ in range(11):
    try: os.fork()
    except OSError: pass
time.sleep(20)
`;
/** At most 2^10 shells, if nothing stops them. */
const SHELL_BOMB = 'b() { [ "$1" -gt 9 ] || { b $(($1 + 1)) | b $(($1 + 1)) & }; }; b 0';

interface Met {
  readonly policy: string;
  readonly argv: readonly string[];
  readonly limit: string;
}

const python = (code: string): readonly string[] => ["python3", "-c", code];

/** Programs that end by themselves when a call is refused. */
const GIVES_UP: readonly (readonly [string, Met])[] = [
  [
    "python's MemoryError",
    { policy: "max_memory_mb = 200\n", argv: python("x = bytearray(6 << 30)"), limit: "max_memory_mb" },
  ],
  [
    "too many open files",
    {
      policy: "max_open_files = 32\n",
      argv: python("f = [open('/dev/null') for _ in range(40)]"),
      limit: "max_open_files",
    },
  ],
  [
    "node with too many open files",
    {
      policy: "max_open_files = 64\n",
      argv: ["node", "-e", "for (let i = 0; i < 99; i++) require('fs').openSync('/dev/null')"],
      limit: "max_open_files",
    },
  ],
  [
    "a file that grows too large, the signal ignored",
    {
      policy: "max_file_size_mb = 1\n",
      argv: python("open('big', 'wb').write(bytes(2 << 20))"),
      limit: "max_file_size_mb",
    },
  ],
  [
    "a file that grows too large, below a shell",
    {
      policy: "max_file_size_mb = 1\n",
      argv: ["sh", "-c", "dd if=/dev/zero of=big bs=1M count=2; exit $?"],
      limit: "max_file_size_mb",
    },
  ],
  [
    "CPU seconds, below a shell",
    {
      policy: "cpu_time_sec = 1\n",
      argv: ["sh", "-c", "sh -c 'while :; do :; done'; exit $?"],
      limit: "cpu_time_sec",
    },
  ],
];

async function findingsOf(place: Place, argv: readonly string[], options: RunOptions): Promise<unknown> {
  const { result } = await place.run(argv, options);
  const findings = (result?.findings ?? []).map((one) => (one.code === "limit-met" ? one.limit : one.code));
  return {
    verdict: result?.verdict,
    code: result?.reason.code,
    findings,
    warnings: result?.warnings.filter((line) => /may have met/.test(line)),
  };
}

eachWay(
  "limits that name themselves",
  (_, makePlace) => {
    test.each(GIVES_UP)("%s", async (_name, { policy, argv, limit }) => {
      const place = makePlace();
      const { result } = await place.run(argv, { policy });
      expect(result).toMatchObject({ verdict: "allow", warnings: [expect.stringContaining(limit)] });
      expect(result?.findings).toMatchObject([{ code: "limit-met", limit }]);
      expect(result?.child?.exit_code).not.toBe(0);
    });

    test("node that runs out of heap, by itself or stopped", async () => {
      const policy = "max_memory_mb = 512\n";
      const argv = ["node", "-e", "const a = []; for (;;) a.push(new Array(1e5).fill(a.length));"];
      const { result } = await makePlace().run(argv, { policy });
      const said = [result?.reason.text, ...(result?.warnings ?? [])].join();
      expect([result?.verdict, said]).toEqual([
        result?.reason.code === "limit_memory" ? "broken" : "allow",
        expect.stringContaining("max_memory_mb"),
      ]);
    });

    test("files that fill the disk together", async () => {
      // A small disk over the workspace, in a mount namespace of the test's own.
      const mount = 'mount -t tmpfs -o size=64m,mode=777 tmpfs "$PWD" && cd "$PWD" && exec "$@"';
      const prefix = ["unshare", "-m", "sh", "-c", mount, "sh"];
      const write = (count: number): string[] => [
        "sh",
        "-c",
        `for i in $(seq ${count}); do head -c 1048576 /dev/zero > f$i; done; sleep 1; echo done`,
      ];
      const place = makePlace();
      const few = await place.run(write(20), { prefix });
      expect([few.result?.reason.code, few.stdout.toString()]).toEqual(["allow", "done\n"]);
      const { result, stdout } = await place.run(write(80), { prefix });
      expect(result).toMatchObject({ verdict: "broken", reason: { code: "limit_disk" } });
      expect(stdout.toString()).toBe("");
    });

    test("a run that fails for its own reasons, or succeeds, has met none", async () => {
      const policy = "max_memory_mb = 512\nmax_open_files = 64\ncpu_time_sec = 5\n";
      const place = makePlace();
      const none = { verdict: "allow", findings: [], warnings: [] };
      expect(await findingsOf(place, python("raise SystemExit('no such user')"), { policy })).toEqual({
        ...none,
        code: "command_failed",
      });
      expect(await findingsOf(place, ["echo", "MemoryError, EMFILE"], { policy })).toEqual({
        ...none,
        code: "allow",
      });
    });

    describe("a flood of processes is stopped", () => {
      const stopped = {
        verdict: "broken",
        reason: { code: "limit_processes", text: "command exceeded max_processes (80)" },
      };
      const policy = "max_processes = 80\n";

      test("of python", async () => {
        expect((await makePlace().run(python(PYTHON_BOMB), { policy })).result).toMatchObject(stopped);
      });

      test("of a shell that waits", async () => {
        expect((await makePlace().sh(`${SHELL_BOMB}; sleep 20`, { policy })).result).toMatchObject(stopped);
      });

      test("of a shell that ends at once", async () => {
        const { result } = await makePlace().sh(SHELL_BOMB, { policy });
        expect(["allow", "limit_processes"]).toContain(result?.reason.code);
      });

      test("not one that stays below the limit", async () => {
        const script = "for i in $(seq 30); do sleep 1 & done; wait";
        const { result } = await makePlace().run(["sh", "-c", script], { policy });
        expect(result?.reason.code).toBe("allow");
      });
    });
  },
  { concurrent: true },
);
