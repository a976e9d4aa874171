import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Place } from "./place.ts";
import { eachWay } from "./suite.ts";
import { children } from "./survivors.ts";

/**
 * Starts what follows in a user namespace with the same users and a limit of its own (namespaces(7),
 * /proc/sys/user): what it uses up there, nobody else has to do without.
 */
const LIMITED = `
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
parent, uid, gid = os.getpid(), os.getuid(), os.getgid()
made, mapped = os.pipe(), os.pipe()
mapper = os.fork()
if mapper == 0:
    os.read(made[0], 1)
    for name, own in (("setgroups", None), ("uid_map", uid), ("gid_map", gid)):
        if own is None:
            text = "" if uid == 0 else "deny"
        else:
            text = "0 0 4294967295" if uid == 0 else f"{own} {own} 1"
        if text:
            with open(f"/proc/{parent}/{name}", "w") as file: file.write(text)
    os.write(mapped[1], b"x")
    os._exit(0)
if libc.unshare(0x10000000) != 0: sys.exit("a user namespace is refused")
os.write(made[1], b"x")
os.waitpid(mapper, 0)
with open("/proc/sys/user/" + sys.argv[1], "w") as file: file.write(sys.argv[2])
os.execvp(sys.argv[3], sys.argv[3:])
`;
const limited = (name: string, value: number): readonly string[] => [
  "python3",
  "-c",
  LIMITED,
  name,
  `${value}`,
];

const NO_INSTANCE = limited("max_inotify_instances", 0);
/** The root, the temporary folder's neighbours and a few more. */
const FEW_WATCHES = limited("max_inotify_watches", 24);
const REQUIRED = 'require = ["secrets-late"]\n';

/** Folders of the workspace, made by the user of the way. */
async function folders(place: Place, count: number): Promise<void> {
  expect((await place.sh(`mkdir -p d{1..${count}}`)).result?.verdict).toBe("allow");
}

const LATE = 'echo before; echo K=late > "$f"; cat "$f"';

eachWay("a watch that meets a limit", (_, makePlace) => {
  describe.each([
    ["no instance is left", NO_INSTANCE, 0, /EMFILE: fs\.inotify\.max_user_instances is used up/],
    ["too few watches are left", FEW_WATCHES, 40, /ENOSPC: fs\.inotify\.max_user_watches is used up/],
  ] as const)("%s:", (_name, prefix, count, why) => {
    test("said, in the receipt too, and the scan stands", async () => {
      const place = makePlace();
      await folders(place, count);
      const { result } = await place.sh(`f=.env; ${LATE}`, { prefix });
      expect(result?.verdict).toBe("deny");
      expect(result?.warnings.join()).toMatch(why);
      expect(result?.protections?.["secrets-late"]).toMatchObject({
        enforced: false,
        by: expect.any(String),
      });
    });

    test("required, nothing runs", async () => {
      const place = makePlace();
      await folders(place, count);
      const { result, stdout } = await place.sh(": > ran; echo ran", { prefix, policy: REQUIRED });
      expect(result).toMatchObject({ verdict: "broken" });
      expect(stdout.toString()).toBe("");
      expect(existsSync(`${place.workspace}/ran`)).toBe(false);
    });
  });

  describe("watches are used up by what the run makes:", () => {
    const many = "mkdir -p n{1..60}; sleep 0.2; f=n60/.env";

    test("a secret there is withheld", async () => {
      const { result, stdout } = await makePlace().sh(`${many}; ${LATE}`, { prefix: FEW_WATCHES });
      expect(result).toMatchObject({ verdict: "deny" });
      expect(stdout.toString()).not.toContain("K=late");
    });

    test("what is none is shown in the end", async () => {
      const { result, stdout } = await makePlace().sh(`${many}; ${LATE}; rm "$f"`, { prefix: FEW_WATCHES });
      expect(result).toMatchObject({ verdict: "allow", withheld: { stdout: 0, stderr: 0 } });
      expect(stdout.toString()).toBe("before\nK=late\n");
    });
  });

  describe("more happens than the kernel remembers:", () => {
    // The supervisor sleeps while the command makes more files than fs.inotify.max_queued_events (16384).
    const flood = [
      ": > ready; until [ -e go ]; do sleep 0.02; done",
      'python3 -c \'import os\nfor i in range(40000): os.close(os.open("t", os.O_CREAT)); os.unlink("t")\'',
      `f=.env; ${LATE}`,
    ].join("\n");
    const asleep = (place: Place): ((driver: number) => boolean) => {
      let stopped = 0;
      return (driver) => {
        if (stopped === 0 && existsSync(`${place.workspace}/ready`)) {
          stopped = children(driver)[0] ?? 0;
          process.kill(stopped, "SIGSTOP");
          place.put("go", "");
        }
        if (stopped === 0 || !existsSync(`${place.workspace}/done`)) return false;
        return process.kill(stopped, "SIGCONT");
      };
    };

    test("a secret is withheld", async () => {
      const place = makePlace();
      const { result, stdout } = await place.sh(`${flood}; : > done`, { meanwhile: asleep(place) });
      expect(result).toMatchObject({ verdict: "deny", produced: [{ path: ".env" }] });
      expect(stdout.toString()).not.toContain("K=late");
    });

    test("what is none is shown in the end", async () => {
      const place = makePlace();
      const script = `${flood}; rm .env; : > done`;
      const { result, stdout } = await place.sh(script, { meanwhile: asleep(place) });
      expect(result).toMatchObject({ verdict: "allow", withheld: { stdout: 0, stderr: 0 } });
      expect(stdout.toString()).toBe("before\nK=late\n");
    });
  });

  describe("a tree of many folders:", () => {
    const furnished = async (): Promise<Place> => {
      const place = makePlace();
      await folders(place, 3000);
      return place;
    };

    test.each([
      ["a secret in the last one is withheld", ""],
      ["required too", REQUIRED],
    ])("%s", async (_name, policy) => {
      const place = await furnished();
      const { result, stdout } = await place.sh(`f=d3000/.env; ${LATE}`, { policy });
      expect(result).toMatchObject({ verdict: "deny", protections: { "secrets-late": { enforced: true } } });
      expect(stdout.toString()).not.toContain("K=late");
    });

    test("what is none is shown", async () => {
      const place = await furnished();
      const { result, stdout } = await place.sh("echo K=late > d3000/plain; cat d3000/plain");
      expect(result).toMatchObject({ verdict: "allow", withheld: { stdout: 0, stderr: 0 } });
      expect(stdout.toString()).toBe("K=late\n");
    });
  });
});
