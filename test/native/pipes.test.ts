import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Launcher } from "./driver.ts";
import { planMessage } from "./encode.ts";
import { eachWay, openFolder } from "./helpers.ts";

const folder = openFolder();
afterAll(folder.remove);
let count = 0;

/** A named pipe that only its maker may open: for another user the launcher has to write with care. */
function makePipe(mode: string): string {
  count += 1;
  const path = join(folder.path, `pipe${count}`);
  execFileSync("/usr/bin/mkfifo", ["-m", mode, path]);
  return path;
}

eachWay("a caller's pipe", (way) => {
  for (const mode of ["600", "666"]) {
    test(`of mode ${mode} gets every byte from a slow reader's pace`, async () => {
      const path = makePipe(mode);
      const reader = spawn("/bin/sh", ["-c", `exec < ${path}; sleep 0.3; sha256sum`]);
      const closed = once(reader, "close");
      const sums: Buffer[] = [];
      reader.stdout.on("data", (bytes: Buffer) => sums.push(bytes));
      const stdout = openSync(path, "w");
      const launcher = new Launcher({ ...way, stdout });
      closeSync(stdout);
      await launcher.ready();
      const argv = ["/usr/bin/python3", "-c", "import os; os.write(1, bytes(range(256)) * 4096)"];
      launcher.send(planMessage({ ...way, argv }));
      const { ended } = await launcher.finish();
      await launcher.close();
      await closed;
      expect(ended).toMatchObject({ value: 0, stdoutBytes: 1n << 20n });
      const script = "import hashlib; print(hashlib.sha256(bytes(range(256)) * 4096).hexdigest())";
      const expected = execFileSync("/usr/bin/python3", ["-c", script], { encoding: "utf8" }).trim();
      expect(Buffer.concat(sums).toString().split(" ")[0]).toBe(expected);
    });

    test(`of mode ${mode} that nobody reads does not stop the clock`, async () => {
      const path = makePipe(mode);
      const stdout = openSync(path, "r+");
      const launcher = new Launcher({ ...way, stdout });
      await launcher.ready();
      launcher.send(planMessage({ ...way, argv: ["/usr/bin/yes"], timeoutMs: 200n, graceMs: 50 }));
      const start = Date.now();
      const { ended } = await launcher.finish();
      expect(ended).toMatchObject({ cause: 1 });
      expect(Date.now() - start).toBeLessThan(4000);
      closeSync(stdout);
      await launcher.close();
    });
  }

  test("keeps its flags: others share it", async () => {
    const path = makePipe("600");
    const stdout = openSync(path, "r+");
    const launcher = new Launcher({ ...way, stdout });
    await launcher.ready();
    launcher.send(planMessage({ ...way, argv: ["/bin/echo", "x"] }));
    await launcher.finish();
    const flags = execFileSync("/bin/grep", ["flags", `/proc/self/fdinfo/3`], {
      stdio: ["ignore", "pipe", "inherit", stdout],
      encoding: "utf8",
    });
    expect(Number.parseInt(flags.split(/\s+/)[1] ?? "", 8) & 0o4000).toBe(0);
    closeSync(stdout);
    await launcher.close();
  });
});
