import { expect, test } from "vitest";
import { eachWay } from "./suite.ts";
import { refusedWays } from "./ways.ts";

eachWay(
  "limits",
  (_, makePlace) => {
    test("CPU seconds", async () => {
      const policy = "cpu_time_sec = 1\n";
      const { result } = await makePlace().run(["sh", "-c", "while :; do :; done"], { policy });
      expect(result).toMatchObject({
        verdict: "broken",
        reason: { code: "limit_cpu" },
        child: { signal: "SIGXCPU" },
      });
    });

    test("CPU seconds of a command that ignores the warning", async () => {
      const policy = "cpu_time_sec = 1\n";
      const { result } = await makePlace().run(["sh", "-c", "trap '' XCPU; while :; do :; done"], { policy });
      expect(result).toMatchObject({
        verdict: "broken",
        reason: { code: "limit_cpu" },
        child: { signal: "SIGKILL" },
      });
    });

    test("file size", async () => {
      const policy = "max_file_size_mb = 1\n";
      const write = (mib: number): string[] => [
        "dd",
        "if=/dev/zero",
        "of=big",
        "bs=65536",
        `count=${mib * 16}`,
      ];
      const place = makePlace();
      expect((await place.run(write(1), { policy })).result).toMatchObject({
        verdict: "allow",
        reason: { code: "allow" },
      });
      const { result } = await place.run(write(2), { policy });
      expect(result).toMatchObject({
        verdict: "broken",
        reason: { code: "limit_file_size" },
        child: { signal: "SIGXFSZ" },
      });
    });

    test("open files", async () => {
      const policy = "max_open_files = 32\n";
      const open = (count: number): string[] => [
        "python3",
        "-c",
        `f=[open("/dev/null") for _ in range(${count})]`,
      ];
      const place = makePlace();
      expect((await place.run(open(10), { policy })).result?.reason.code).toBe("allow");
      const { result, stderr } = await place.run(open(40), { policy });
      expect([result?.reason.code, stderr]).toEqual(["command_failed", expect.stringContaining("Errno 24")]);
    });

    test("as few open files as there can be do not break the launcher", async () => {
      const { result } = await makePlace().run(["true"], { policy: "max_open_files = 3\n" });
      expect(result?.verdict).toBe("allow");
      expect(result?.reason.code).toBe("command_failed");
    });

    test("processes, counted over the tree", async () => {
      const start = (count: number): string[] => [
        "sh",
        "-c",
        `for i in $(seq ${count}); do sleep 5 & done; sleep 0.5`,
      ];
      const policy = "max_processes = 20\n";
      const place = makePlace();
      expect((await place.run(start(5), { policy })).result).toMatchObject({
        verdict: "allow",
        leftovers: 5,
      });
      const { result } = await place.run(start(60), { policy });
      expect(result).toMatchObject({ verdict: "broken", reason: { code: "limit_processes" } });
    });

    test("memory of one process", async () => {
      const policy = "max_memory_mb = 200\n";
      const take = (mib: number): string[] => ["python3", "-c", `x=bytearray(${mib}<<20); print(len(x)>>20)`];
      const place = makePlace();
      expect((await place.run(take(50), { policy })).stdout.toString()).toBe("50\n");
      const { result, stderr } = await place.run(take(6144), { policy });
      expect([result?.reason.code, stderr]).toEqual([
        "command_failed",
        expect.stringContaining("MemoryError"),
      ]);
    });

    test("memory of the tree together", async () => {
      const policy = "max_memory_mb = 300\n";
      const each = "x=bytearray(120<<20); import time; time.sleep(2)";
      const start = (count: number): string[] => [
        "sh",
        "-c",
        `for i in $(seq ${count}); do python3 -c '${each}' & done; wait`,
      ];
      const place = makePlace();
      expect((await place.run(start(1), { policy })).result?.reason.code).toBe("allow");
      const { result } = await place.run(start(6), { policy });
      expect(result).toMatchObject({ verdict: "broken", reason: { code: "limit_memory" } });
    });
  },
  { which: refusedWays, concurrent: true },
);
