import { lchownSync, lstatSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile } from "./install.ts";
import { python } from "./python.ts";
import { eachWay } from "./suite.ts";
import { refusedWays } from "./ways.ts";

/** Every way to change a file's metadata: by path, by link, by descriptor, by a descriptor's name, of the link itself. */
const CHANGES = `
def changes(kind, p, readable=True):
    note(kind + " chmod", lambda: os.chmod(p, 0o600))
    note(kind + " fchmodat2", lambda: sys_(452, -100, p.encode(), 0o600, 0))
    note(kind + " chown", lambda: os.chown(p, os.getuid(), os.getgid()))
    note(kind + " lchown", lambda: os.lchown(p, os.getuid(), os.getgid()))
    note(kind + " utimensat", lambda: os.utime(p, (1, 2)))
    note(kind + " touch", lambda: os.utime(p, None))
    note(kind + " lutime", lambda: os.utime(p, (1, 2), follow_symlinks=False))
    if not arm:
        note(kind + " old chmod", lambda: sys_(90, p.encode(), 0o600))
        note(kind + " old chown", lambda: sys_(92, p.encode(), os.getuid(), os.getgid()))
        note(kind + " utime", lambda: sys_(132, p.encode(), struct.pack("qq", 1, 2)))
        note(kind + " utimes", lambda: sys_(235, p.encode(), struct.pack("qqqq", 1, 0, 2, 0)))
        note(kind + " futimesat", lambda: sys_(261, -100, p.encode(), struct.pack("qqqq", 1, 0, 2, 0)))
    note(kind + " setxattr", lambda: os.setxattr(p, "user.paldron", b"1"))
    note(kind + " removexattr", lambda: os.removexattr(p, "user.paldron"))
    if not readable: return
    fd = os.open(p, os.O_RDONLY)
    note(kind + " fchmod", lambda: os.fchmod(fd, 0o600))
    note(kind + " fchown", lambda: os.fchown(fd, os.getuid(), os.getgid()))
    note(kind + " futimens", lambda: os.utime(fd, (1, 2)))
    note(kind + " fsetxattr", lambda: os.setxattr(fd, "user.paldron", b"1"))
    note(kind + " fremovexattr", lambda: os.removexattr(fd, "user.paldron"))
    note(kind + " fd path", lambda: os.chmod("/proc/self/fd/%d" % fd, 0o600))
    note(kind + " dev fd", lambda: os.chmod("/dev/fd/%d" % fd, 0o600))
    note(kind + " empty path", lambda: sys_(54 if arm else 260, fd, b"", os.getuid(), os.getgid(), 0x1000))
    folder = os.open(os.path.dirname(p) or ".", os.O_PATH)
    note(kind + " at", lambda: os.chmod(os.path.basename(p), 0o600, dir_fd=folder))
`;

const IDENTITY = ["mode", "uid", "gid", "mtimeMs", "ctimeMs"] as const;
const identity = (path: string): readonly number[] => IDENTITY.map((key) => lstatSync(path)[key]);

eachWay(
  "the broker",
  (way, makePlace, installed) => {
    test("stands in the receipt, and what it holds can be required", async () => {
      const { result } = await makePlace().sh("true", { policy: 'require = ["metadata", "net-unix"]\n' });
      expect(result).toMatchObject({ verdict: "allow", setting: "landlock-broker" });
      expect(result?.protections?.metadata.by).toMatch(/^broker/);
      expect(result?.protections?.["net-unix"].by).toMatch(/^broker/);
    });

    test.each([undefined, 2])(
      "truncates inside, not outside, with Landlock ABI at most %s",
      async (landlockAbi) => {
        const place = makePlace();
        const outside = place.put(join(place.outside, "open"), "12345", 0o666);
        place.put("own", "12345");
        symlinkSync(outside, join(place.workspace, "link"));
        symlinkSync("own", join(place.workspace, "own-link"));
        const script = `
import resource
victim = sys.argv[1]
note("path", lambda: os.truncate(victim, 1))
note("link", lambda: os.truncate("link", 1))
def by_descriptor(name):
    fd = os.open(name, os.O_RDONLY)
    os.truncate("/proc/self/fd/%d" % fd, 3)
note("own", lambda: os.truncate("own", 4))
note("own link", lambda: os.truncate("own-link", 9))
note("own descriptor", lambda: by_descriptor("own"))
note("missing", lambda: os.truncate("missing", 1))
note("folder", lambda: os.truncate(".", 1))
note("empty", lambda: os.truncate("", 1))
note("negative", lambda: sys_(45 if arm else 76, b"own", ctypes.c_long(-1)))
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
note("over the limit", lambda: os.truncate("own", 101))
note("at the limit", lambda: os.truncate("own", 100))`;
        expect(await python(place, script, [outside], { landlockAbi })).toEqual({
          path: "EACCES",
          link: "EACCES",
          own: "ok",
          "own link": "ok",
          "own descriptor": "ok",
          missing: "ENOENT",
          folder: "EISDIR",
          empty: "ENOENT",
          negative: "EINVAL",
          "over the limit": "EFBIG",
          "at the limit": "ok",
        });
        expect([lstatSync(outside).size, lstatSync(join(place.workspace, "own")).size]).toEqual([5, 100]);
      },
    );

    describe("metadata", () => {
      test("changes inside, not outside, by any call and any name", async () => {
        const place = makePlace();
        const outside = place.put(join(place.outside, "open"));
        const closed = place.put(join(place.outside, "closed"), "x", 0o600);
        place.put("own");
        for (const [name, to] of [
          ["link", outside],
          ["own-link", "own"],
        ] as const) {
          symlinkSync(to, join(place.workspace, name));
          if (way.uid !== undefined) lchownSync(join(place.workspace, name), way.uid, way.uid);
        }
        const before = [outside, closed].map(identity);
        const said = await python(
          place,
          `${CHANGES}
changes("own", "own"); changes("own whole", os.path.abspath("own")); changes("own link", "own-link")
changes("up", "../outside/closed", False); changes("whole", sys.argv[1], False)
changes("link", "link", False); changes("proc", "/proc/self/cwd/../outside/closed", False)
changes("system", "/etc/passwd"); changes("device", "/dev/null")`,
          [closed],
        );
        const denied = Object.entries(said).filter(([name]) => !name.startsWith("own"));
        // The link itself lies in the workspace.
        const links = denied.filter(([name]) => /^link (lchown|lutime)$/.test(name));
        expect(links.map(([, what]) => what)).toEqual(["ok", "ok"]);
        const rest = denied.filter((each) => !links.includes(each));
        expect(rest.length).toBeGreaterThan(60);
        expect(rest.filter(([, what]) => what !== "EPERM")).toEqual([]);
        const own = Object.entries(said).filter(([name]) => name.startsWith("own"));
        expect(own.length).toBeGreaterThan(40);
        expect(own.filter(([, what]) => what !== "ok")).toEqual([]);
        expect([outside, closed].map(identity)).toEqual(before);
      });

      test("write_paths bound it", async () => {
        const place = makePlace();
        place.put("out/a");
        place.put("b");
        const said = await python(
          place,
          'for p in ("out/a", "out", "b", "."): note(p, lambda: os.chmod(p, 0o755))',
          [],
          { policy: 'write_paths = ["out"]\n' },
        );
        expect(said).toEqual({ "out/a": "ok", out: "ok", b: "EPERM", ".": "EPERM" });
      });

      test("what has no name may be changed: pipes, sockets, memory, removed and unnamed files", async () => {
        const said = await python(
          makePlace(),
          `
r, w = os.pipe(); note("pipe", lambda: os.fchmod(w, 0o600))
s = socket.socket(socket.AF_UNIX); note("socket", lambda: os.fchmod(s.fileno(), 0o600))
m = os.memfd_create("x"); note("memory", lambda: os.fchmod(m, 0o600))
f = os.open("gone", os.O_CREAT | os.O_RDWR); os.unlink("gone"); note("removed", lambda: os.fchmod(f, 0o600))
t = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600); note("unnamed", lambda: os.fchmod(t, 0o640))
note("stdout", lambda: os.fchmod(1, 0o600))`,
        );
        expect(new Set(Object.values(said))).toEqual(new Set(["ok"]));
      });

      test("errors are those of the calls", async () => {
        const said = await python(
          makePlace(),
          `
open("f", "w"); os.symlink("loop", "loop"); number = 53 if arm else 268
for name, path in {"ENOENT": b"none", "empty": b"", "ENOTDIR": b"f/x", "ELOOP": b"loop", "ENAMETOOLONG": b"a" * 300,
                   "long": b"a/" * 2100}.items():
    note(name, lambda: sys_(number, -100, path, 0o600))
note("EFAULT", lambda: sys_(number, -100, 1, 0o600)); note("null", lambda: sys_(number, -100, 0, 0o600))
note("EBADF", lambda: sys_(number, 99, b"f", 0o600)); note("bad", lambda: os.fchmod(99, 0o600))
note("EINVAL", lambda: sys_(452, -100, b"f", 0o600, 0x40)); note("link", lambda: sys_(452, -100, b"loop", 0o600, 0x100))
note("ENODATA", lambda: os.removexattr("f", "user.none"))
note("ERANGE", lambda: os.setxattr("f", "user." + "a" * 300, b""))
note("E2BIG", lambda: os.setxattr("f", "user.a", b"a" * 65537))
note("security", lambda: os.setxattr("f", "security.capability", struct.pack("<5I", 0x2000000, 1, 0, 0, 0)))
note("other", lambda: os.chown("f", 12345, 12345))`,
        );
        const { empty, long, null: none, bad, link, security, other, ...named } = said;
        for (const [want, got] of Object.entries(named)) expect([want, got]).toEqual([want, want]);
        expect([empty, long, none, bad, link]).toEqual([
          "ENOENT",
          "ENAMETOOLONG",
          "EFAULT",
          "EBADF",
          "ENOTSUP",
        ]);
        // The broker has no capability that the command has not.
        expect([security, other]).toEqual(["EPERM", "EPERM"]);
      });

      test("no race redirects it", async () => {
        const place = makePlace();
        const outside = place.put(join(place.outside, "victim"), "x", 0o640);
        place.put("d/victim");
        const before = identity(outside);
        const said = await python(
          place,
          `
import ctypes
os.symlink(sys.argv[1], "evil"); os.rename("d", "good"); os.symlink("good", "d")
buffer = ctypes.create_string_buffer(4096); good, bad = b"good/victim", sys.argv[1].encode() + b"/victim"
stop = False
def flip_links():
    while not stop:
        for to in ("good", "evil"):
            os.symlink(to, "t"); os.rename("t", "d")
def flip_memory():
    while not stop:
        ctypes.memmove(buffer, good + b"\\0", len(good) + 1); ctypes.memmove(buffer, bad + b"\\0", len(bad) + 1)
def flip_names():
    while not stop:
        for to in (sys.argv[1] + "/victim", None):
            if to: os.symlink(to, "n")
            else: open("n", "w").close()
            os.rename("n", "good/name")
threads = [threading.Thread(target=f) for f in (flip_links, flip_memory, flip_names)]
for t in threads: t.start()
end, counts = time.time() + 3, {"ok": 0}
number = 53 if arm else 268
while time.time() < end:
    for path in (b"d/victim", buffer, b"good/name", b"d/../d/victim"):
        try: sys_(number, -100, path, 0o777); counts["ok"] += 1
        except OSError as e: counts[errno.errorcode[e.errno]] = counts.get(errno.errorcode[e.errno], 0) + 1
stop = True
for t in threads: t.join()
said = {k: str(v) for k, v in counts.items()}`,
          [place.outside],
        );
        expect(Number(said["ok"])).toBeGreaterThan(0);
        expect(Number(said["EPERM"])).toBeGreaterThan(0);
        expect(identity(outside)).toEqual(before);
      });

      test("processes that end while they wait do no harm", async () => {
        // Each is one process, so that what is killed leaves no child behind that goes on.
        const { stdout, result } = await makePlace().sh(`
          touch f; for i in $(seq 15); do
            python3 -c 'import os
while True: os.chmod("f", 0o600)' & p=$!; sleep 0.$((i % 3 + 1)); kill -9 $p; wait $p 2>/dev/null
          done
          chmod 640 f && stat -c %a f`);
        expect([stdout.toString(), result?.leftovers]).toEqual(["640\n", 0]);
      });
    });

    test("where there can be none the default refuses, and a policy may go on", async () => {
      const holder = join(installed().folder, "hold-listener");
      compile(holder, ["hold-listener.c"]);
      const prefix = [holder];
      const place = makePlace();
      const refused = await place.sh("true", { prefix });
      expect(refused.result).toMatchObject({ verdict: "broken", reason: { code: "isolation" } });
      expect(refused.result?.reason.text).toMatch(/net-unix.*broker \(canary: EBUSY\)/);
      const { result, stdout } = await place.sh("touch f; chmod 600 f && echo ran", {
        prefix,
        policy: 'require = ["fs-write"]\n',
      });
      expect(result).toMatchObject({ verdict: "allow", setting: "landlock" });
      expect(result?.protections?.metadata.enforced).toBe(false);
      expect(stdout.toString()).toBe("ran\n");
    });
  },
  { which: refusedWays },
);
