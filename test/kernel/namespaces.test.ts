import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, linkSync, lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Place } from "./place.ts";
import { eachWay } from "./suite.ts";
import { namespaceWays } from "./ways.ts";

const SECRET = "K=FAKE-SECRET";

/** Runs each line for itself and prints `line: errno text or ok`. */
function tried(lines: readonly string[]): string {
  return lines
    .map((line, i) => `( ${line} ) >out.${i} 2>&1 && echo ${i} ok || echo ${i} $(cat out.${i})`)
    .join("\n");
}

async function outcomes(place: Place, lines: readonly string[], policy = ""): Promise<readonly string[]> {
  const { stdout, stderr } = await place.sh(tried(lines), { policy });
  const said = stdout.toString().trim().split("\n");
  if (said.length !== lines.length) throw new Error(`${stdout}${stderr}`);
  return said.map((line) => line.replace(/^\d+ /, ""));
}

function furnish(place: Place): void {
  for (const name of [".env", "conf/db/prod.key", "secrets/a/b.txt"]) place.put(name, `${SECRET}\n`);
  place.put("conf/db/open.txt");
  place.put("plain.txt");
}

const POLICY = 'deny_globs = ["*.key"]\n';

/** What must not work on a hidden file, and in the same run its twin on one that is not. */
const ON_HIDDEN: readonly (readonly [command: string, errno: string, twin: string])[] = [
  ["cat .env", "Permission denied", "cat plain.txt"],
  ["head -c1 < ./conf/../.env", "Permission denied", "head -c1 < ./conf/../plain.txt"],
  ["cat /proc/self/cwd/.env", "Permission denied", "cat /proc/self/cwd/plain.txt"],
  ["cp .env copy", "Permission denied", "cp plain.txt copy"],
  ["ln .env other", "Invalid cross-device link", "ln plain.txt other"],
  ["chmod 644 .env", "Read-only file system", "chmod 644 plain.txt"],
  ["touch -d yesterday .env", "Permission denied", "touch -d yesterday plain.txt"],
  ["echo x >> .env", "Permission denied", "echo x >> plain.txt"],
  ["echo x > made; mv -f made .env", "Device or resource busy", "echo x > made; mv -f made moved"],
  ["mv .env other.env", "Device or resource busy", "mv plain.txt p2; mv p2 plain.txt"],
  ["cat conf/db/prod.key", "Permission denied", "cat conf/db/open.txt"],
  ["mv conf conf2", "Device or resource busy", "mkdir c; mv c c2"],
  ["mv conf/db conf/db2", "Device or resource busy", "mkdir conf/c; mv conf/c conf/c2"],
  ["ls secrets", "Permission denied", "ls conf"],
  ["cat secrets/a/b.txt", "Permission denied", "cat conf/db/open.txt"],
  ["mv secrets s2", "Device or resource busy", "mkdir s; mv s s3"],
  ["rm -f .env", "Device or resource busy", "rm -f moved"],
];

eachWay(
  "a new root",
  (_, makePlace) => {
    test.each(ON_HIDDEN)("a secret is hidden: %s: %s", async (command, errno, twin) => {
      const place = makePlace();
      furnish(place);
      const before = lstatSync(join(place.workspace, ".env"));
      const [denied, allowed] = await outcomes(place, [command, twin], POLICY);
      expect(denied).toContain(errno);
      expect(allowed).toBe("ok");
      for (const name of [".env", "conf/db/prod.key", "secrets/a/b.txt"])
        expect(readFileSync(join(place.workspace, name), "utf8")).toBe(`${SECRET}\n`);
      expect(lstatSync(join(place.workspace, ".env")).ino).toBe(before.ino);
    });

    test("the receipt says what hides", async () => {
      const place = makePlace();
      furnish(place);
      const { result } = await place.sh("true", {
        policy: `${POLICY}require = ["secrets-read", "metadata"]\n`,
      });
      expect(result?.verdict).toBe("allow");
      expect(result?.warnings).toEqual([]);
      expect(result?.protections?.["secrets-read"]).toEqual({ enforced: true, by: "masks over 3 paths" });
      expect(result?.findings).toEqual([]);
    });

    test("a link that is a secret is hidden with what it leads to", async () => {
      const place = makePlace();
      place.put("real.txt", `${SECRET}\n`);
      symlinkSync("real.txt", join(place.workspace, ".env"));
      const said = await outcomes(place, [
        "cat .env",
        "cat real.txt",
        "rm -f .env",
        "ln -sf plain .env",
        "true",
      ]);
      const busy = expect.stringContaining("busy");
      const denied = expect.stringContaining("Permission denied");
      expect(said).toEqual([denied, denied, busy, busy, "ok"]);
      expect(lstatSync(join(place.workspace, ".env")).isSymbolicLink()).toBe(true);
    });

    test("a hard link of an unknown name is warned about, and refused where it is required", async () => {
      const place = makePlace();
      furnish(place);
      linkSync(join(place.workspace, ".env"), join(place.workspace, "alias"));
      const { result } = await place.sh("cat alias > copy");
      expect(result?.warnings).toEqual([
        expect.stringMatching(/the command can read .*hard links.* of \.env are not known/),
      ]);
      expect(result?.protections?.["secrets-read"]).toMatchObject({ enforced: false });
      const strict = await place.sh("true", { policy: 'require = ["secrets-read"]\n' });
      expect(strict.result).toMatchObject({ verdict: "broken", reason: { code: "isolation" } });
    });

    test("a secret that is replaced from outside meanwhile is a finding", async () => {
      const place = makePlace();
      place.put(".env", "a\n");
      const script = "touch started; for i in $(seq 600); do [ -e done ] && break; sleep 0.1; done";
      const { result } = await place.sh(script, {
        meanwhile: () => {
          if (!existsSync(join(place.workspace, "started"))) return false;
          place.put("new", "b\n");
          execFileSync("mv", [join(place.workspace, "new"), join(place.workspace, ".env")]);
          place.put("done");
          return true;
        },
      });
      expect(result?.findings).toContainEqual({ code: "secret-moved", path: ".env" });
      expect(result?.verdict).toBe("deny");
    });

    test("git sees the same before and after, and works", async () => {
      const place = makePlace();
      furnish(place);
      const id = ["-c", "user.name=a", "-c", "user.email=a@b"];
      const said = await outcomes(
        place,
        [
          "git init -q . && printf '.env\\n*.key\\nsecrets/\\nout.*\\nattempt*\\nprobe.sh\\n' > .gitignore",
          `git add -A && git ${id.join(" ")} commit -qm one`,
          'test -z "$(git status --porcelain)"',
          "git branch b && git worktree add -q wt b",
        ],
        POLICY,
      );
      expect(said).toEqual(["ok", "ok", "ok", "ok"]);
    });

    test("nothing is left: no mount, no file", async () => {
      const place = makePlace();
      furnish(place);
      const mounts = readFileSync("/proc/self/mounts", "utf8");
      await place.sh("true", { policy: POLICY });
      const names = readdirSync(place.workspace, { recursive: true }).sort();
      await place.sh("true", { policy: POLICY });
      expect(readdirSync(place.workspace, { recursive: true }).sort()).toEqual(names);
      expect(readFileSync("/proc/self/mounts", "utf8")).toBe(mounts);
      expect(readdirSync("/").filter((name) => name.startsWith("."))).not.toContain(".masks");
    });

    test("the system is there, read-only; homes, sockets and other folders are not", async () => {
      const place = makePlace();
      const said = await outcomes(place, [
        "touch /x",
        "touch /usr/x",
        "touch /etc/x",
        "chmod 777 /usr/bin",
        "ls /etc/shadow",
        `ls ${place.outside}`,
        `ls ${place.home}`,
        "ls /var/lib /run/systemd /run/user",
        "echo x > /proc/sys/kernel/core_pattern",
        "echo x > /dev/null && head -c1 /dev/zero && test -c /dev/urandom",
        'echo x > "$HOME/a" && echo x > "$TMPDIR/b" && echo x > /dev/shm/c && echo x > /run/d && echo x > /var/tmp/e',
        "test -x /bin/sh && test -e /lib64 && test -s /etc/passwd && test -L /bin",
        'cd / && cd "$OLDPWD" && test -f probe.sh',
      ]);
      const readOnly = expect.stringContaining("Read-only file system");
      const absent = expect.stringContaining("No such file or directory");
      const denied = expect.stringContaining("Permission denied");
      expect(said.slice(0, 3)).toEqual([readOnly, readOnly, readOnly]);
      expect(said[3]).toMatch(/Read-only file system|Operation not permitted/);
      expect(said.slice(4, 8)).toEqual([absent, absent, absent, absent]);
      expect([readOnly, denied]).toContainEqual(said[8]);
      expect(said.slice(9)).toEqual(["ok", "ok", "ok", "ok"]);
    });

    test("private places have sizes", async () => {
      const { stdout } = await makePlace().sh("head -c 60M /dev/zero > /tmp/a; stat -c %s /tmp/a", {
        policy: "max_memory_mb = 128\n",
      });
      expect(Number(stdout.toString())).toBe(32 * 1024 * 1024);
    });

    test("write_paths leave the rest of the workspace read-only", async () => {
      const place = makePlace();
      place.put("build/a");
      place.put("plain.txt");
      const lines = [
        "echo x > build/b",
        "mkdir build/d",
        "rm plain.txt",
        "mv build build2",
        "chmod 600 plain.txt",
      ];
      const script = lines.map((line) => `( ${line} ) 2>&1 && echo ok || true`).join("\n");
      const { stdout } = await place.sh(script, { policy: 'write_paths = ["build"]\n' });
      const said = stdout.toString().trim().split("\n");
      expect(said.slice(0, 2)).toEqual(["ok", "ok"]);
      expect(said.slice(2).map((line) => /Read-only file system|Permission denied|busy/.test(line))).toEqual([
        true,
        true,
        true,
      ]);
      expect(readdirSync(join(place.workspace, "build")).sort()).toEqual(["a", "b", "d"]);
    });

    describe("processes", () => {
      test("those outside do not exist; its own can be seen and killed", async () => {
        const bystander = spawn("sleep", ["60"]);
        await once(bystander, "spawn");
        const { stdout } = await makePlace().sh(`
          kill -0 ${bystander.pid} 2>&1; kill -9 ${process.pid} 2>&1; test -e /proc/${bystander.pid} || echo absent
          ps -e -o pid= | wc -l; kill -9 1 2>&1; kill -STOP 1 2>&1
          sleep 9 & kill $! && wait $!; echo $?; tr '\\0' ' ' </proc/self/cmdline; kill 0`);
        bystander.kill();
        const text = stdout.toString();
        expect(text.match(/No such process/g)?.length).toBe(2);
        expect(text.match(/not permitted/g)?.length).toBe(2);
        expect(text).toContain("absent\n");
        expect(Number(/^\s*(\d+)$/m.exec(text)?.[1])).toBeLessThan(6);
        expect(text).toContain("143\n");
        expect(bystander.exitCode).toBe(null);
      });

      test("process 1 keeps its memory, environment and files to itself", async () => {
        const files = ["environ", "mem", "maps", "fd/0", "cwd/x", "root/etc/passwd"];
        const said = await outcomes(
          makePlace(),
          files.map((name) => `cat /proc/1/${name}`),
        );
        expect(said).toEqual(files.map(() => expect.stringContaining("Permission denied")));
        expect(await outcomes(makePlace(), ["cat /proc/self/maps /proc/self/environ"])).toEqual(["ok"]);
      });

      test("what is left at the end is killed and counted", async () => {
        const { result } = await makePlace().sh(
          "setsid sleep 50 >/dev/null 2>&1 & sleep 51 >/dev/null 2>&1 & true",
        );
        expect(result).toMatchObject({ verdict: "allow", leftovers: 2 });
      });
    });

    test("a socket of another program has no name; its own works, on loopback too", async () => {
      const place = makePlace();
      const server = createServer((socket) => socket.end("hello\n"));
      await once(server.listen(join(place.outside, "s")), "listening");
      const connect = `python3 -c "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); print('in')"`;
      const own = `python3 -c "
import socket
for family,address in ((socket.AF_UNIX,'/tmp/own'),(socket.AF_INET,('127.0.0.1',0)),(socket.AF_INET6,('::1',0))):
    s=socket.socket(family); s.bind(address); s.listen(); c=socket.socket(family); c.connect(s.getsockname())
import pty; pty.openpty()"`;
      const said = await outcomes(place, [`${connect} ${place.outside}/s`, own]);
      server.close();
      expect(said).toEqual([expect.stringMatching(/FileNotFoundError/), "ok"]);
    });
  },
  { which: namespaceWays, concurrent: true },
);
