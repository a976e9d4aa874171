import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { isRoot, openFolder } from "./helpers.ts";

const folder = openFolder();
const tool = join(folder.path, "no-namespaces");
copyFileSync("build/no-namespaces", tool);
afterAll(() => folder.remove());

/** Ends with what became of each call: `ok` or the errno. */
const CALLS = `
import ctypes, json, os, platform
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
arm = platform.machine() == "aarch64"
def call(number, *args):
    ctypes.set_errno(0)
    got = libc.syscall(number, *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    return "ok" if got >= 0 else os.strerror(ctypes.get_errno())
unshare, setns = (97, 268) if arm else (272, 308)
mount, umount2 = (40, 39) if arm else (165, 166)
said = {name: call(unshare, flag) for name, flag in
        {"fs": 0x200, "user": 0x10000000, "mount": 0x20000, "net": 0x40000000, "time": 0x80}.items()}
said["setns"] = call(setns, os.open("/proc/self/ns/uts", os.O_RDONLY), 0)
said["mount"] = call(mount, b"none", b"/tmp", b"tmpfs", 0, 0)
said["umount2"] = call(umount2, b"/nowhere", 0)
said.update({str(n): call(n, -1, -1, -1, -1, -1) for n in (428, 429, 430, 431, 432, 433, 435, 442, 467)})
print(json.dumps(said))
`;

const users: readonly (readonly [string, number | undefined])[] = isRoot
  ? [
      ["root", undefined],
      ["nobody", 65534],
    ]
  : [["self", undefined]];

describe.each(users)("no-namespaces, %s", (_, uid) => {
  const start = (...args: string[]) =>
    spawnSync(tool, args, { encoding: "utf8", ...(uid === undefined ? {} : { uid, gid: uid }) });

  test("refuses namespaces and mounts, and nothing else", () => {
    const { stdout, stderr } = start("python3", "-c", CALLS);
    expect(stderr).toBe("");
    const said = JSON.parse(stdout) as Record<string, string>;
    expect(said["fs"]).toBe("ok");
    expect(said["435"]).toBe("Function not implemented");
    const { fs, "435": clone3, ...refused } = said;
    expect(new Set(Object.values(refused))).toEqual(new Set(["Operation not permitted"]));
  });

  test("starts processes and threads, and passes the status on", () => {
    const threads =
      "import threading, os; t = threading.Thread(target=print, args=('in',)); t.start(); t.join()";
    const run = start("sh", "-c", `python3 -c "${threads}"; (exit 3) & wait $!`);
    expect([run.stdout, run.status]).toEqual(["in\n", 3]);
  });

  test("says what it cannot start", () => {
    expect(start().status).toBe(125);
    expect(start("/nonexistent").status).toBe(127);
  });
});
