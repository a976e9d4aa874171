import { readdirSync, readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { eachWay } from "./suite.ts";
import { alive, children, marker, survivors } from "./survivors.ts";

/** Random moments for each way; the time of a whole run is covered evenly. */
const ROUNDS = Number(process.env["PALDRON_KILL_ROUNDS"] ?? 6);
/** A run of the script below takes about this long. */
const RUN_MS = 1500;
/** Nothing may be left this long after the kill. */
const LEFT_MS = 2000;

const ROLES = ["node", "supervisor", "guardian"] as const;
type Role = (typeof ROLES)[number];

/** Kills the one that has the role; false where it does not exist yet. */
function kill(driver: number, role: Role): boolean {
  const supervisor = role === "node" ? undefined : children(driver)[0];
  const guardian = role === "guardian" && supervisor !== undefined ? children(supervisor)[0] : undefined;
  const pid = { node: driver, supervisor, guardian }[role];
  return pid !== undefined && process.kill(pid, "SIGKILL");
}

/** Scratch folders of all runs on this machine. */
function scratchFolders(): ReadonlySet<string> {
  return new Set(readdirSync("/tmp").filter((name) => /^paldron-(?!place-|kernel-|.*-)/.test(name)));
}

function mounts(): string {
  return readFileSync("/proc/self/mounts", "utf8");
}

eachWay("killed at a random moment", (_, makePlace, installed) => {
  test(`${ROUNDS} times, nothing is left`, { timeout: 60_000 + ROUNDS * 10_000 }, async () => {
    const [foldersBefore, mountsBefore] = [scratchFolders(), mounts()];
    const made = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const role = ROLES[round % ROLES.length] ?? "node";
      const place = makePlace();
      place.put("kept", "as it was\n");
      place.put(".env", "K=1\n");
      const mark = marker();
      const at = Date.now() + Math.random() * RUN_MS;
      await place.sh(
        `mkdir -p "$HOME/a/b"; echo x > "$TMPDIR/x"; setsid sh -c 'trap "" TERM HUP; sleep ${mark}' & sleep 0.6`,
        { meanwhile: (driver) => Date.now() >= at && kill(driver, role) },
      );
      for (const name of scratchFolders()) if (!foldersBefore.has(name)) made.add(name);
      const when = `${role}, round ${round}`;
      expect([when, await survivors(mark, LEFT_MS)]).toEqual([when, []]);
      expect([when, await survivors(installed().folder, LEFT_MS)]).toEqual([when, []]);
      expect(readFileSync(`${place.workspace}/kept`, "utf8")).toBe("as it was\n");
      expect(readdirSync(place.workspace).sort()).toEqual([".env", "kept", "probe.sh"]);
    }
    expect(mounts()).toBe(mountsBefore);
    // Other runs of this machine come and go; what a killed one left would stay.
    for (let wait = 0; wait < 300 && left(made).length > 0; wait++) await sleep(50);
    expect(left(made)).toEqual([]);
    expect(alive(installed().folder)).toEqual([]);
  });
});

function left(names: ReadonlySet<string>): readonly string[] {
  return [...names].filter((name) => statSync(`/tmp/${name}`, { throwIfNoEntry: false }) !== undefined);
}
