import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { python } from "./python.ts";
import { eachWay } from "./suite.ts";

/** Every way to give a file the set-user-ID bit, and what ordinary programs do with the same calls. */
const BODY = `
os.umask(0)
def made(name, flags, mode): return lambda: os.close(os.open(name, flags | os.O_RDWR, mode))
open("f", "w").close()
fd = os.open("f", os.O_RDWR)
note("chmod", lambda: os.chmod("f", 0o4755))
note("fchmod", lambda: os.fchmod(fd, 0o4755))
note("fchmodat2", lambda: sys_(452, -100, b"f", 0o4755, 0))
note("open", made("made", os.O_CREAT, 0o4755))
note("group", made("group", os.O_CREAT, 0o2755))
note("unnamed", made(".", os.O_TMPFILE, 0o4755))
note("mknod", lambda: os.mknod("node", 0o104755))
note("openat2", lambda: sys_(437, -100, b"how", struct.pack("QQQ", os.O_CREAT | os.O_RDWR, 0o4755, 0), 24))
note("plain chmod", lambda: os.chmod("f", 0o755))
note("plain open", made("plain", os.O_CREAT, 0o755))
note("plain unnamed", made(".", os.O_TMPFILE, 0o600))
note("plain mknod", lambda: os.mknod("fifo", 0o010644))
note("folder", lambda: os.mkdir("shared"))
note("folder's group", lambda: os.chmod("shared", 0o2775))
note("sticky folder", lambda: os.chmod("shared", 0o1777))
`;

eachWay("the set-user-ID bit", (_, makePlace) => {
  test("is given to no file, and modes stay free otherwise", async () => {
    const place = makePlace();
    const said = await python(place, BODY);
    const refused = ["chmod", "fchmod", "fchmodat2", "open", "group", "unnamed", "mknod"];
    for (const name of refused) expect([name, said[name]]).toEqual([name, "EPERM"]);
    expect(said["openat2"]).toBe("ENOSYS");
    const { openat2: _, ...rest } = said;
    for (const name of Object.keys(rest).filter((each) => !refused.includes(each)))
      expect([name, said[name]]).toEqual([name, "ok"]);
    const names = readdirSync(place.workspace);
    expect(names).toEqual(expect.arrayContaining(["f", "plain", "fifo", "shared"]));
    for (const name of names)
      expect([name, statSync(join(place.workspace, name)).mode & 0o4000]).toEqual([name, 0]);
  });
});
