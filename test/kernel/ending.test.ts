import { readdirSync, readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Ran } from "./place.ts";
import { eachWay } from "./suite.ts";
import { alive, children, marker, survivors } from "./survivors.ts";
import type { Way } from "./ways.ts";

const TIMEOUT = { policy: "timeout_sec = 1\n" };

function expectTimeout({ result }: Ran): void {
  expect(result).toMatchObject({ verdict: "broken", reason: { text: "command timed out" } });
  expect(result?.child?.timed_out).toBe(true);
}

/** Scripts whose processes try to outlive the run; `$MARK` is put in for the time they sleep. */
const TENACIOUS: readonly (readonly [string, string])[] = [
  ["an ignored TERM", "trap '' TERM; sleep $MARK & while :; do sleep $MARK; done"],
  ["a new session", "setsid sleep $MARK & sleep $MARK"],
  ["a double fork", "(setsid sh -c 'trap \"\" TERM HUP; sleep $MARK & sleep $MARK' &) ; sleep $MARK"],
  ["a pipe held open", "sleep $MARK | cat"],
  ["stopped processes", "sleep $MARK & kill -STOP $!; kill -STOP $$"],
  ["chains of forks", "f() { sleep $MARK & (sleep 0.02; f) & }; f; sleep $MARK"],
];

eachWay(
  "the end of a run",
  (way, makePlace) => {
    test("TERM first: what handles it may end its own way", async () => {
      const script = "trap 'echo cleaned; exit 0' TERM; sleep 60 & wait";
      const ran = await makePlace().sh(script, TIMEOUT);
      expectTimeout(ran);
      expect(ran.stdout.toString()).toBe("cleaned\n");
      expect(ran.result?.durationMs).toBeLessThan(3500);
    });

    describe("at the timeout nothing is left of", () => {
      test.each(TENACIOUS)("%s", async (_, script) => {
        const mark = marker();
        const ran = await makePlace().sh(script.replaceAll("$MARK", mark), TIMEOUT);
        expect(alive(mark)).toEqual([]);
        expectTimeout(ran);
      });
    });

    describe("when the command ends nothing is left of", () => {
      const background: readonly (readonly [string, string])[] = [
        ["a background child", "sleep $MARK & echo done"],
        ["a child that holds the pipe", "sleep $MARK & echo done"],
        [
          "a new session",
          "setsid sh -c 'trap \"\" TERM; sleep $MARK' >/dev/null 2>&1 & sleep 0.1; echo done",
        ],
      ];
      test.each(background)("%s", async (_, script) => {
        const mark = marker();
        const { result, stdout } = await makePlace().sh(script.replaceAll("$MARK", mark));
        expect(alive(mark)).toEqual([]);
        expect([result?.verdict, stdout.toString()]).toEqual(["allow", "done\n"]);
        expect(result?.leftovers).toBeGreaterThan(0);
        expect(result?.durationMs).toBeLessThan(2500);
      });
    });

    test("what a leftover writes after the end is not there, and is not a hit", async () => {
      const place = makePlace();
      const { result } = await place.sh("(sleep 0.5; echo late > late.pem) >/dev/null 2>&1 &");
      await sleep(800);
      expect([result?.verdict, readdirSync(place.workspace)]).toEqual(["allow", ["probe.sh"]]);
    });

    test("a signal to the caller stops the command", async () => {
      const mark = marker();
      const { result } = await makePlace().sh(`sleep ${mark}`, {
        meanwhile: (driver) => alive(`sleep\0${mark}`).length > 0 && process.kill(driver, "SIGTERM"),
      });
      expect(result).toMatchObject({ verdict: "broken", reason: { code: "cancelled" } });
      expect(alive(mark)).toEqual([]);
    });

    test("a command that lets its parent trace it goes on", async () => {
      // PTRACE_TRACEME: every signal stops it, that of its child's end first.
      const traced = [
        "import ctypes, os, signal, subprocess",
        "assert ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0",
        "subprocess.run(['true'])",
        "print('on', flush=True)",
        "os.kill(os.getpid(), signal.SIGTERM)",
      ];
      const place = makePlace();
      place.put("traced.py", `${traced.join("\n")}\n`);
      const { result, stdout } = await place.sh("exec python3 traced.py");
      expect(stdout.toString()).toBe("on\n");
      expect(result).toMatchObject({ verdict: "allow", child: { signal: "SIGTERM" } });
    });

    describe("one SIGKILL leaves nothing alive and no scratch folder:", () => {
      const roles = ["node", "supervisor", "guardian"] as const;
      test.each(roles)("%s", async (role) => {
        const mark = marker();
        const place = makePlace();
        const script = `echo "$HOME" > home; setsid sh -c 'trap "" TERM HUP; sleep ${mark}' & sleep ${mark}`;
        const { result, signal } = await place.sh(script, {
          meanwhile: (driver) => alive(`sleep\0${mark}`).length > 1 && kill(driver, role),
        });
        expect(await survivors(mark)).toEqual([]);
        if (role === "node") expect([result, signal]).toEqual([undefined, "SIGKILL"]);
        else expect(result?.verdict).toBe("broken");
        await gone(place.workspace, way);
      });
    });

    function kill(driver: number, role: "node" | "supervisor" | "guardian"): boolean {
      // taskset, setpriv and the refusing program all become the driver by execve.
      const supervisor = children(driver)[0] ?? -1;
      const guardian = children(supervisor)[0] ?? -1;
      const pid = { node: driver, supervisor, guardian }[role];
      if (pid <= 1) throw new Error(`there is no ${role} (${way.name})`);
      return process.kill(pid, "SIGKILL");
    }
  },
  { concurrent: true },
);

/** The scratch folder that the run wrote down is removed, if need be a moment later. */
async function gone(workspace: string, way: Way): Promise<void> {
  const home = readFileSync(`${workspace}/home`, "utf8").trim();
  if (way.namespaces) {
    // In a new root it is on a file system that ended with its last process.
    expect([home, statSync(home, { throwIfNoEntry: false })]).toEqual(["/run/home", undefined]);
    return;
  }
  expect(home).toMatch(/^\/tmp\/paldron-.*\/home$/);
  const scratch = home.replace(/\/home$/, "");
  for (let i = 0; i < 100 && statSync(scratch, { throwIfNoEntry: false }) !== undefined; i++) await sleep(20);
  expect(statSync(scratch, { throwIfNoEntry: false })).toBeUndefined();
}
