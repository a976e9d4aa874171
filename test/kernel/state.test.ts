import { closeSync, existsSync, openSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { eachWay } from "./suite.ts";
import { isRoot } from "./ways.ts";

const STATUS = "grep -E '^(NoNewPrivs|Seccomp|CapInh|CapPrm|CapEff|CapBnd|CapAmb):' /proc/self/status";
/** Of each way; of all together at least two hundred. */
const RUNS = isRoot ? 50 : 100;
const NONE = "0000000000000000";

/** Lines of /proc/self/status by their names. */
function status(text: string): Record<string, string> {
  return Object.fromEntries(text.split("\n").flatMap((line) => [line.split(/:\s+/) as [string, string]]));
}

eachWay("the state of a command", (way, makePlace) => {
  test("no new privileges, a filter, no capabilities", async () => {
    const { stdout } = await makePlace().sh(STATUS);
    const lines = status(stdout.toString());
    expect(lines).toMatchObject({ NoNewPrivs: "1", Seccomp: "2", CapEff: NONE, CapPrm: NONE, CapInh: NONE });
    expect(lines).toMatchObject({ CapAmb: NONE });
    // Only who has them can drop them from the bounding set; without them no_new_privs makes it mean nothing.
    if (isRoot && way.uid === undefined) expect(lines).toMatchObject({ CapBnd: NONE });
  });

  test("only what the allow-list names is in the environment", async () => {
    const env = {
      GITHUB_TOKEN: "t1",
      AWS_SECRET_ACCESS_KEY: "t2",
      SSH_AUTH_SOCK: "/tmp/agent",
      NODE_OPTIONS: "--no-warnings",
      PYTHONPATH: "/tmp",
      BASH_ENV: "/tmp/x",
      GIT_DIR: "/tmp",
      JEV_API_KEY: "t3",
      PALDRON_POLICY: "",
      TERM: "dumb",
    };
    const { stdout } = await makePlace().run(["env"], { env });
    const names = stdout
      .toString()
      .split("\n")
      .map((line) => line.split("=")[0]);
    expect(names.filter((name) => name !== "TERM" && name !== undefined && name in env)).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(["TERM", "PATH", "HOME", "TMPDIR", "LANG"]));
  });

  test("home and temporary folder are fresh, writable and gone afterwards", async () => {
    const script = 'echo x > "$HOME/a" && echo x > "$TMPDIR/b" && ls -A "$HOME" "$TMPDIR" && echo "$HOME"';
    const { stdout, result } = await makePlace().sh(script);
    const home = stdout.toString().trim().split("\n").at(-1) ?? "";
    expect(result?.verdict).toBe("allow");
    // In a new root it never was on a disk.
    const scratch = (way.namespaces ? /^\/run\/home$/ : /paldron-[^/]+/).exec(home)?.[0];
    expect(scratch).toBeDefined();
    expect(readdirSync("/tmp")).not.toContain(scratch);
    expect(existsSync(home)).toBe(false);
  });

  test("inherited descriptors are closed", async () => {
    const place = makePlace();
    const secret = openSync(place.put(`${place.outside}/secret`), "r");
    const rest = [3, 4, 5, 6, 7, 8, 9].map(() => secret);
    const script = "for fd in /proc/self/fd/*; do readlink $fd; done; echo done";
    const { stdout } = await place.sh(script, { stdio: ["pipe", "pipe", "pipe", ...rest] });
    closeSync(secret);
    expect(stdout.toString()).toMatch(/done\n$/);
    expect(stdout.toString()).not.toContain("secret");
    const { stdout: open } = await place.sh("for i in {0..300}; do [ -e /proc/$$/fd/$i ] && echo $i; done");
    // 255 is bash's own, for the script it reads.
    expect(open.toString()).toBe("0\n1\n2\n255\n");
  });

  test("no session, group or terminal is shared with who started it", async () => {
    const script = "cut -d' ' -f1,5,6,7 /proc/$$/stat; (: < /dev/tty) 2>&1; :";
    const { stdout } = await makePlace().sh(script);
    const [pid, group, session, terminal] = stdout.toString().split("\n")[0]?.split(" ") ?? [];
    expect([group, session, terminal]).toEqual([pid, pid, "0"]);
  });

  test("each of many runs on one processor is confined", { timeout: 240_000 }, async () => {
    const place = makePlace();
    place.put(`${place.top}/outside.txt`, "outside-secret\n");
    place.put(
      "probe.sh",
      `grep -E '^(NoNewPrivs|Seccomp):' /proc/self/status; cat ../outside.txt; echo ran\n`,
    );
    const runs = { prefix: ["taskset", "-c", "0"], repeat: RUNS };
    const { stdout, result } = await place.run(["sh", "./probe.sh"], runs);
    expect(result?.verdict).toBe("allow");
    expect(stdout.toString()).toBe("NoNewPrivs:\t1\nSeccomp:\t2\nran\n".repeat(RUNS));
  });
});
