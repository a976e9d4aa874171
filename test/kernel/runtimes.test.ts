/** Runtimes that reserve far more address space than they use start under `max_memory_mb = 512`. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachWay } from "./suite.ts";

const POLICY = "max_memory_mb = 512\n";
const NODE = `new WebAssembly.Memory({ initial: 1 });
const { Worker } = require("node:worker_threads");
new Worker("1", { eval: true }).on("exit", () => console.log("up"));
`;
const PYTHON = "import threading\nfor i in range(20): threading.Thread(target=print).start()\nprint('up')\n";
const JAVA = `class Up {
  public static void main(String[] a) throws Exception {
    byte[] b = new byte[64 << 20];
    Thread t = new Thread(() -> System.out.println("up"));
    t.start();
    t.join();
  }
}
`;
const GO = `package main

func main() {
	done := make(chan int)
	for i := 0; i < 8; i++ {
		go func() { b := make([]byte, 8<<20); b[1<<20] = 1; done <- 1 }()
	}
	for i := 0; i < 8; i++ {
		<-done
	}
	println("up")
}
`;

const installed = (name: string): boolean => spawnSync(name, ["version"]).error === undefined;

/** Only Node and Python are always here; the others are tried where they are installed. */
const RUNTIMES: readonly (readonly [string, readonly string[]])[] = [
  ["node", ["node", "up.js"]],
  ["python3", ["python3", "up.py"]],
  ...(installed("java") ? [["java", ["java", "-Xshare:auto", "Up.java"]] as const] : []),
  ...(installed("go") ? [["go", ["./up"]] as const] : []),
];

describe("runtimes", () => {
  let built = "";
  beforeAll(() => {
    if (!installed("go")) return;
    built = mkdtempSync(join(tmpdir(), "paldron-go-"));
    writeFileSync(join(built, "up.go"), GO);
    const env = { ...process.env, GOCACHE: join(built, "cache"), GOFLAGS: "", GO111MODULE: "off" };
    execFileSync("go", ["build", "-o", join(built, "up"), join(built, "up.go")], { env });
  }, 240_000);
  afterAll(() => {
    if (built !== "") rmSync(built, { recursive: true, force: true });
  });

  eachWay(
    "in 512 MiB",
    (_, makePlace) => {
      test.each(RUNTIMES)("%s starts", async (_name, argv) => {
        const place = makePlace();
        place.put("up.js", NODE);
        place.put("up.py", PYTHON);
        place.put("Up.java", JAVA);
        if (built !== "") place.program("up", join(built, "up"));
        const { result, stdout, stderr } = await place.run(argv, { policy: POLICY });
        expect([result?.reason.code, `${stdout}${stderr}`]).toEqual(["allow", expect.stringMatching(/up\n/)]);
      });
    },
    { concurrent: true },
  );
});
