import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eachWay } from "./suite.ts";

const MIB = 1024 * 1024;

eachWay(
  "output",
  (_, makePlace) => {
    test("every byte value passes, to the stream it was written to", async () => {
      const place = makePlace();
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
      place.put("bytes.bin", bytes);
      const ran = await place.sh("cat bytes.bin; printf 'to stderr\\377' >&2", { output: "capture" });
      expect(ran.result?.stdout).toBe(bytes.toString("latin1"));
      expect(ran.result?.stderr).toBe("to stderr\xff");
      const streamed = await place.sh("cat bytes.bin; printf 'to stderr' >&2");
      expect(streamed.stdout.equals(bytes)).toBe(true);
      expect(streamed.stderr).toBe("to stderr");
    });

    test("ten megabytes pass whole; the copy is bounded", async () => {
      const place = makePlace();
      const script = "head -c 10485760 /dev/urandom > big.bin; cat big.bin";
      const { stdout, result } = await place.sh(script);
      const sum = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
      expect(sum(stdout)).toBe(sum(readFileSync(`${place.workspace}/big.bin`)));
      expect(result).toMatchObject({ stdoutBytes: 10 * MIB, verdict: "allow" });
      expect(result?.stdout.length).toBe(MIB);
    });

    test("two streams into one descriptor keep their order", async () => {
      const place = makePlace();
      const file = place.put("both.txt", "");
      const both = openSync(file, "a");
      const script = "for i in 1 2 3 4 5; do echo out $i; sleep 0.05; echo err $i >&2; sleep 0.05; done";
      await place.sh(script, { stdio: ["pipe", both, both] });
      closeSync(both);
      const lines = [1, 2, 3, 4, 5].flatMap((i) => [`out ${i}\n`, `err ${i}\n`]);
      expect(readFileSync(file, "utf8")).toBe(lines.join(""));
    });

    test("output comes as it is written", async () => {
      const place = makePlace();
      const file = place.put("stream.txt", "");
      const out = openSync(file, "a");
      let early = "";
      const look = (): boolean => {
        early ||= readFileSync(file, "utf8");
        return early !== "";
      };
      await place.sh("echo first; sleep 1; echo last", { stdio: ["pipe", out, "pipe"], meanwhile: look });
      closeSync(out);
      expect([early, readFileSync(file, "utf8")]).toEqual(["first\n", "first\nlast\n"]);
    });

    test("the streams can be opened by name", async () => {
      const { stdout, stderr } = await makePlace().sh("echo a > /dev/stdout; echo b | tee /dev/stderr");
      expect([stdout.toString(), stderr]).toEqual(["a\nb\n", "b\n"]);
    });

    test("stdin passes through, to its end", async () => {
      const text = "line\n".repeat(50_000);
      const { stdout } = await makePlace().run(["cat"], { stdin: text });
      expect(stdout.toString()).toBe(text);
    });

    test("an output that cannot be written is broken", async () => {
      const full = openSync("/dev/full", "w");
      const { result } = await makePlace().run(["echo", "hi"], { stdio: ["pipe", full, "pipe"] });
      closeSync(full);
      expect(result).toMatchObject({ verdict: "broken", reason: { code: "output" } });
      expect(result?.reason.text).toContain("errno 28");
    });

    test("a reader that goes away ends the command by SIGPIPE, as in a shell's pipe", async () => {
      const place = makePlace();
      place.put("reader.sh", `"$@" | head -n 1\n`);
      const ran = await place.sh("yes", {
        prefix: ["sh", `${place.workspace}/reader.sh`],
      });
      expect(ran.stdout.toString()).toBe("y\n");
      expect(ran.result?.child).toMatchObject({ exit_code: 141 });
    });

    test("a flood stays within bounds of memory", async () => {
      const sink = openSync("/dev/null", "w");
      const script = "head -c 1073741824 /dev/zero";
      let peak = 0;
      const look = (driver: number): boolean => {
        const line = /VmHWM:\s+(\d+)/.exec(statusOf(driver));
        peak = Math.max(peak, Number(line?.[1] ?? 0));
        return false;
      };
      const { result } = await makePlace().sh(script, { stdio: ["pipe", sink, "pipe"], meanwhile: look });
      closeSync(sink);
      expect(result).toMatchObject({ verdict: "allow", stdoutBytes: 1024 * MIB });
      expect(peak).toBeGreaterThan(10_000);
      expect(peak).toBeLessThan(200_000);
    });
  },
  { concurrent: true },
);

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
