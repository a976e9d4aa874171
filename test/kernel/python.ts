import type { Place, RunOptions } from "./place.ts";

/** Makes a name for what became of a call, and prints all of them as one JSON object. */
const PRELUDE = `
import ctypes, errno, json, os, platform, socket, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
arm = platform.machine() == "aarch64"
said = {}
def note(name, call):
    try:
        call(); said[name] = "ok"
    except OSError as e:
        said[name] = errno.errorcode.get(e.errno, str(e.errno))
def sys_(number, *args):
    ctypes.set_errno(0)
    got = libc.syscall(number, *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    if got < 0: raise OSError(ctypes.get_errno(), "")
    return got
`;

/** Runs Python code in a place; what it notes by name. */
export async function python(
  place: Place,
  body: string,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<Record<string, string>> {
  // Not on the command line: the gate would judge them.
  const given = `sys.argv[1:] = ${JSON.stringify(args)}`;
  place.put("probe.py", `${PRELUDE}${given}\n${body}\nprint(json.dumps(said))\n`);
  const { stdout, stderr, result } = await place.run(["python3", "probe.py"], options);
  if (stdout.length === 0) throw new Error(`${stderr}${JSON.stringify(result)}`);
  return JSON.parse(stdout.toString()) as Record<string, string>;
}
