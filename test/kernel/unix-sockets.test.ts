/** `unix_sockets`: what is listed can be reached, and nothing else that listened before the run. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { python } from "./python.ts";
import { eachWay } from "./suite.ts";

const LISTEN = `
import os, select, socket, sys
servers = []
for path in sys.argv[1:]:
    s = socket.socket(socket.AF_UNIX); s.bind(path); s.listen(); os.chmod(path, 0o777); servers.append((s, os.path.basename(path).encode()))
print("ready", flush=True)
while True:
    for s in select.select([s for s, _ in servers], [], [])[0]:
        c, _ = s.accept()
        # Whoever was refused is gone already.
        try: c.sendall(dict(servers)[s])
        except OSError: pass
        c.close()`;

const SAY = `
def say(address):
    s = socket.socket(socket.AF_UNIX); s.connect(address)
    said[os.path.basename(address)] = "reached " + s.recv(9).decode()
for path in sys.argv[1:]:
    try: say(path)
    except OSError as e: said[os.path.basename(path)] = errno.errorcode[e.errno]
def own():
    a = socket.socket(socket.AF_UNIX); name = "own%d.sock" % time.time_ns(); a.bind(name); a.listen()
    b = socket.socket(socket.AF_UNIX); b.connect(name)
note("own", own)`;

/** What those are told who may not come: in a new root there is nothing, elsewhere it is closed. */
const AWAY = expect.stringMatching(/^(?:ENOENT|EACCES|ECONNREFUSED)$/);

eachWay(
  "unix_sockets",
  (way, makePlace) => {
    const helpers: ChildProcess[] = [];
    afterAll(() => {
      for (const helper of helpers) helper.kill();
    });

    async function listen(...paths: readonly string[]): Promise<void> {
      const ids = way.uid === undefined ? {} : { uid: way.uid, gid: way.uid };
      const helper = spawn("python3", ["-c", LISTEN, ...paths], {
        stdio: ["ignore", "pipe", "inherit"],
        ...ids,
      });
      helpers.push(helper);
      if (helper.stdout !== null) await once(helper.stdout, "data");
    }

    test("one that is listed, by its name and through a link, and no other beside it", async () => {
      const place = makePlace();
      const [a, b, other] = ["a", "b", "other"].map((name) => join(place.outside, name)) as [
        string,
        string,
        string,
      ];
      await listen(a, b, other);
      const link = join(place.outside, "link");
      symlinkSync(b, link);
      const policy = `unix_sockets = ["${a}", "${link}"]\n`;
      expect(await python(place, SAY, [a, link, other], { policy })).toEqual({
        a: "reached a",
        link: "reached b",
        other: AWAY,
        own: "ok",
      });
      expect(await python(place, SAY, [a, other])).toEqual({ a: AWAY, other: AWAY, own: "ok" });
    });

    test("one that lies in the workspace, too; what a server has left there makes way for the next", async () => {
      const place = makePlace();
      place.put("sub/file");
      const [live, named, left] = ["sub/live", "named", "left"].map((name) =>
        join(place.workspace, name),
      ) as [string, string, string];
      await listen(live, named);
      const gone = "import socket; socket.socket(socket.AF_UNIX).bind('left')";
      expect((await place.run(["python3", "-c", gone])).result?.child?.exit_code).toBe(0);
      const again = `${SAY}
def again():
    os.unlink(${JSON.stringify(left)})
    s = socket.socket(socket.AF_UNIX); s.bind("left"); s.listen()
    socket.socket(socket.AF_UNIX).connect("left")
note("again", again)`;
      const policy = `unix_sockets = ["${named}"]\n`;
      const expected = { live: AWAY, own: "ok", again: "ok" };
      expect(await python(place, again, [live, named], { policy })).toEqual({
        ...expected,
        named: "reached named",
      });
      expect(await python(place, again, [live, named])).toEqual({ ...expected, named: AWAY });
    });

    test("a folder, or a file, is a mistake; what is not there is said", async () => {
      const place = makePlace();
      mkdirSync(join(place.outside, "folder"));
      const { result } = await place.run(["true"], {
        policy: `unix_sockets = ["${join(place.outside, "folder")}"]\n`,
      });
      expect(result).toMatchObject({ verdict: "broken", reason: { code: "policy" } });
      const missing = join(place.outside, "nothing");
      const ran = await place.run(["true"], { policy: `unix_sockets = ["${missing}"]\n` });
      expect(ran.result?.reason.code).toBe("allow");
      expect(ran.result?.warnings).toContainEqual(
        expect.stringContaining(`unix_sockets entry ${missing} does not exist`),
      );
    });

    test("another one that takes its name during the run is none of it", async () => {
      const place = makePlace();
      const [path, other] = [join(place.outside, "s"), join(place.outside, "t")];
      await listen(path, other);
      const wait = `
import pathlib
pathlib.Path("started").write_text("")
for _ in range(1000):
    if os.path.exists("swapped"): break
    time.sleep(0.02)
note("swapped", lambda: os.stat("swapped"))`;
      let swapped = false;
      const said = await python(place, wait + SAY, [path], {
        policy: `unix_sockets = ["${path}"]\n`,
        meanwhile: () => {
          if (!swapped && existsSync(join(place.workspace, "started"))) {
            renameSync(other, path);
            writeFileSync(join(place.workspace, "swapped"), "");
            swapped = true;
          }
          return swapped;
        },
      });
      // A new root shows the socket that was named, wherever its name is now; without one nothing has that name.
      const bound = expect.stringMatching(/^(?:reached s|ENOENT|EACCES|ECONNREFUSED)$/);
      expect(said).toEqual({ swapped: "ok", s: bound, own: "ok" });
    });
  },
  { concurrent: true },
);
