import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { eachWay } from "./suite.ts";

/** Variables that name folders of toolchains. */
const LEADING = [
  "NODE_PATH",
  "GOROOT",
  "GOPATH",
  "RUSTUP_HOME",
  "CARGO_HOME",
  "JAVA_HOME",
  "PYENV_ROOT",
  "VIRTUAL_ENV",
  "NVM_DIR",
];

eachWay(
  "what widens the rights of a command",
  (way, makePlace) => {
    test("a file called go, node or python3 runs inside only, and grants nothing", async () => {
      for (const name of ["go", "node", "python3"]) {
        const place = makePlace();
        const secret = place.put(`${place.outside}/secret`, "outside-secret\n");
        const escaped = `${place.outside}/escaped`;
        const lines = ["#!/bin/sh", `id > ${escaped}`, `cat ${secret}`, "echo /", "echo ran"];
        place.put(name, `${lines.join("\n")}\n`, 0o755);
        const { stdout, result } = await place.run([`./${name}`, "version"]);
        expect([stdout.toString(), result?.verdict]).toEqual(["/\nran\n", "allow"]);
        expect(existsSync(escaped)).toBe(false);
      }
    });

    describe("a variable grants nothing:", () => {
      test.each(LEADING)("%s", async (name) => {
        const place = makePlace();
        const secret = place.put(`${place.outside}/bin/secret`, "outside-secret\n");
        const { stdout } = await place.sh(`cat ${secret}; cat own; echo ran`, {
          env: { [name]: place.outside },
        });
        expect(stdout.toString()).toBe("ran\n");
      });
    });

    test("with isolation not required, all of it is still used, and said so", async () => {
      const place = makePlace();
      place.put(`${place.top}/outside.txt`, "outside-secret\n");
      const policy = "require_os_isolation = false\nmax_open_files = 77\n";
      const script =
        "grep -E '^(NoNewPrivs|Seccomp):' /proc/self/status; cat ../outside.txt; ulimit -n; echo $HOME";
      const { stdout, result } = await place.sh(script, { policy });
      const home = way.namespaces ? "\\/run\\/home" : "\\/tmp\\/paldron-[^/]+\\/home";
      expect(stdout.toString()).toMatch(RegExp(`^NoNewPrivs:\\t1\\nSeccomp:\\t2\\n77\\n${home}\\n$`));
      expect(result?.warnings.join()).toContain("does not require OS isolation");
      const socket = await place.sh("python3 -c 'import socket; socket.socket()'", { policy });
      // A network namespace has a loopback, and a socket reaches nothing else.
      if (way.namespaces) expect(socket.result?.child?.exit_code).toBe(0);
      else expect(socket.stderr).toContain("Errno 97");
    });

    test("read_paths grant reading, and nothing beside it", async () => {
      const place = makePlace();
      const shown = place.put(`${place.outside}/shown/a`, "shown\n");
      const hidden = place.put(`${place.outside}/hidden/b`, "hidden\n");
      const policy = `read_paths = ["${place.outside}/shown"]\n`;
      const { stdout } = await place.sh(`cat ${shown} ${hidden}; echo x >> ${shown}; cat ${shown}`, {
        policy,
      });
      expect(stdout.toString()).toBe("shown\nshown\n");
    });

    test("write_paths leave the rest of the workspace readable only", async () => {
      const place = makePlace();
      place.put("src/a", "source\n");
      place.put("build/.keep", "");
      const policy = 'write_paths = ["build"]\n';
      const { stdout } = await place.sh("echo x > build/out && cat build/out; echo x > src/a; cat src/a", {
        policy,
      });
      expect(stdout.toString()).toBe("x\nsource\n");
    });
  },
  { concurrent: true },
);
