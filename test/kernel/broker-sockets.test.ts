import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { linkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { python } from "./python.ts";
import { eachWay } from "./suite.ts";
import { refusedWays } from "./ways.ts";

eachWay(
  "the broker",
  (way, makePlace) => {
    describe("unix sockets", () => {
      const helpers: ChildProcess[] = [];
      afterAll(() => {
        for (const helper of helpers) helper.kill();
      });

      /** A program outside that listens on paths and an abstract name, and says who comes. */
      async function outsider(paths: readonly string[]): Promise<() => readonly string[]> {
        const code = `
import os, select, socket, sys
servers = []
for p in sys.argv[1:]:
    s = socket.socket(socket.AF_UNIX); s.bind("\\0" + p[1:] if p[0] == "@" else p); s.listen(); servers.append((s, p))
    if p[0] != "@": os.chmod(p, 0o777)
print("ready", flush=True)
while True:
    for s in select.select([s for s, _ in servers], [], [])[0]:
        c, _ = s.accept(); c.settimeout(5)
        try: c.sendall(b"outside"); print("got", c.recv(9), flush=True)
        except OSError: pass
        c.close()`;
        const ids = way.uid === undefined ? {} : { uid: way.uid, gid: way.uid };
        const helper = spawn("python3", ["-c", code, ...paths], {
          stdio: ["ignore", "pipe", "inherit"],
          ...ids,
        });
        helpers.push(helper);
        const heard: string[] = [];
        helper.stdout?.on("data", (bytes: Buffer) => heard.push(bytes.toString()));
        if (helper.stdout !== null) await once(helper.stdout, "data");
        return () => heard.filter((line) => /got b'.+'/.test(line));
      }

      test("of others are out of reach, also in the workspace; its own work", async () => {
        const place = makePlace();
        const there = join(place.outside, "s");
        const here = join(place.workspace, "here.sock");
        const abstract = `@paldron-${process.pid}-${Math.random()}`;
        const heard = await outsider([there, here, abstract]);
        symlinkSync(there, join(place.workspace, "link.sock"));
        linkSync(there, join(place.workspace, "hard.sock"));
        const said = await python(
          place,
          `
def say(address):
    s = socket.socket(socket.AF_UNIX); s.connect(address); s.sendall(b"in")
for name, address in {"there": sys.argv[1], "here": "here.sock", "link": "link.sock", "hard": "hard.sock",
                      "up": "../outside/s", "proc": "/proc/self/cwd/../outside/s",
                      "abstract": "\\0" + sys.argv[2][1:]}.items():
    note(name, lambda: say(address))
note("datagram", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
note("datagram pair", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
    for address in ("own%d" % kind, os.path.abspath("whole%d" % kind), "\\0own-%d-%d" % (kind, os.getpid())):
        s = socket.socket(socket.AF_UNIX, kind); s.bind(address); s.listen()
        c = socket.socket(socket.AF_UNIX, kind); c.connect(address); a, _ = s.accept(); c.send(b"hi")
        said["own %s" % address] = "ok" if a.recv(9) == b"hi" else "nothing"
note("pair", lambda: socket.socketpair())
note("none", lambda: say("none")); note("file", lambda: say("probe.py")); note("again", lambda: c.connect(address))
note("listener", lambda: s.connect(address)); note("no socket", lambda: sys_(203 if arm else 42, 0 if os.isatty(0) else 0, b"\\1\\0x", 3))`,
          [there, abstract],
        );
        const {
          there: a,
          here: b,
          link,
          hard,
          up,
          proc,
          abstract: name,
          datagram,
          none,
          file,
          again,
          listener,
          ...rest
        } = said;
        expect([a, b, link, hard, up, proc, name]).toEqual([...Array<string>(6).fill("EACCES"), "EPERM"]);
        expect([datagram, rest["datagram pair"]]).toEqual(["EPROTONOSUPPORT", "EPROTONOSUPPORT"]);
        expect([none, file, again, listener]).toEqual(["ENOENT", "ECONNREFUSED", "EISCONN", "EINVAL"]);
        const own = Object.entries(rest).filter(([key]) => key.startsWith("own"));
        expect(own.length).toBe(6);
        expect(own.filter(([, what]) => what !== "ok")).toEqual([]);
        expect(rest["pair"]).toBe("ok");
        expect(heard()).toEqual([]);
      });

      test("a full queue is waited for, or EAGAIN; flags and numbers stay", async () => {
        const said = await python(
          makePlace(),
          `
s = socket.socket(socket.AF_UNIX); s.bind("q"); s.listen(0)
first = socket.socket(socket.AF_UNIX); first.connect("q")
n = socket.socket(socket.AF_UNIX); n.setblocking(False)
note("nonblocking", lambda: n.connect("q"))
t = threading.Timer(0.5, lambda: [s.accept() for _ in range(2)]); t.start()
b = socket.socket(socket.AF_UNIX); os.set_inheritable(b.fileno(), True); number = b.fileno(); start = time.time()
b.connect("q"); waited = time.time() - start
said["waited"] = "ok" if 0.3 < waited < 20 else str(waited)
said["flags"] = "ok" if os.get_inheritable(b.fileno()) and os.get_blocking(number) and not os.get_inheritable(n.fileno()) else "lost"`,
        );
        expect(said).toEqual({ nonblocking: "EAGAIN", waited: "ok", flags: "ok" });
      });

      test("a daemon that its starter left behind is the run's own", async () => {
        const { stdout } = await makePlace().sh(`
          python3 -c "
import os, socket, time
s = socket.socket(socket.AF_UNIX); s.bind('d.sock'); s.listen()
if os.fork() == 0:
    os.setsid(); os.close(1); os.close(2); c, _ = s.accept(); c.sendall(b'daemon'); os._exit(0)"
          python3 -c "
import socket
c = socket.socket(socket.AF_UNIX); c.connect('d.sock'); print(c.recv(9).decode())"`);
        expect(stdout.toString()).toBe("daemon\n");
      });

      test("no race redirects it", async () => {
        const place = makePlace();
        const there = join(place.outside, "s");
        const heard = await outsider([there]);
        const said = await python(
          place,
          `
s = socket.socket(socket.AF_UNIX); s.bind("own"); s.listen(64)
def serve():
    while True:
        c, _ = s.accept(); c.close()
threading.Thread(target=serve, daemon=True).start()
def address(path): return struct.pack("H", 1) + path.encode() + b"\\0" * (108 - len(path))
good, bad, buffer, stop = address("own"), address(sys.argv[1]), ctypes.create_string_buffer(110), False
def flip():
    while not stop: ctypes.memmove(buffer, good, 110); ctypes.memmove(buffer, bad, 110)
t = threading.Thread(target=flip); t.start()
end, counts = time.time() + 2, {"ok": 0}
while time.time() < end:
    c = socket.socket(socket.AF_UNIX)
    try: sys_(203 if arm else 42, c.fileno(), buffer, 110); counts["ok"] += 1; c.send(b"in")
    except OSError as e: counts[errno.errorcode[e.errno]] = counts.get(errno.errorcode[e.errno], 0) + 1
    c.close()
stop = True; t.join()
said = {k: str(v) for k, v in counts.items()}`,
          [there],
        );
        expect(Number(said["ok"])).toBeGreaterThan(0);
        expect(Number(said["EACCES"])).toBeGreaterThan(0);
        expect(heard()).toEqual([]);
      });
    });
  },
  { which: refusedWays },
);
