import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Place } from "./place.ts";
import { eachWay } from "./suite.ts";
import { alive, children, marker, survivors } from "./survivors.ts";
import { refusedWays } from "./ways.ts";

/** Random moments for each way; the time of a whole run is covered evenly. Each role and policy has its turn. */
const ROUNDS = Number(process.env["PALDRON_KILL_ROUNDS"] ?? 6);
/** Nothing may be left this long after the kill. */
const LEFT_MS = 2000;

const ROLES = ["node", "supervisor", "guardian"] as const;
type Role = (typeof ROLES)[number];
/** The second is watched before its command starts. */
const POLICIES = ["", 'require = ["secrets-late"]\n'];

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

const CONFIG = "[core]\n\trepositoryformatversion = 0\n";

/** What a run changes: what runs later, a kept cache, its home and temporary folder; and it starts what stays. */
function script(mark: string): string {
  return [
    'mkdir -p "$HOME/a/b" "$HOME/.npm/_cacache"; echo x > "$TMPDIR/x"; echo x > "$HOME/.npm/_cacache/x"',
    `setsid sh -c 'trap "" TERM HUP; sleep ${mark}' &`,
    "echo evil > .envrc; printf '[core]\\n\\tfsmonitor = x\\n' >> .git/config",
    // A hook that may not be executed yet is none.
    "mkdir -p .git/hooks; printf '#!/bin/sh\\n' > .env.0; chmod +x .env.0; mv .env.0 .git/hooks/pre-commit",
    "for i in 1 2 3 4 5 6; do echo x > .env.$i; rm .env.$i; sleep 0.1; done",
  ].join("\n");
}

function furnish(place: Place): void {
  place.put("kept", "as it was\n");
  place.put(".env", "K=1\n");
  place.put(".git/HEAD", "ref: refs/heads/main\n");
  place.put(".git/config", CONFIG);
  place.put(".git/objects/keep", "");
  place.put(".git/refs/keep", "");
  place.put("probe.sh", "");
}

/** Everything below a folder with its content; what the script makes between its moments aside. */
function contents(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const plain = names.filter((name) => statSync(`${folder}/${name}`).isFile() && !/^\.env\.\d$/.test(name));
  return new Map(plain.map((name) => [name, readFileSync(`${folder}/${name}`, "utf8")]));
}

/** Journals of runs; finished or not. */
function journals(place: Place): readonly string[] {
  const folder = `${place.home}/.local/state/paldron/runs`;
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
        statSync(`${folder}/${name}`).isFile(),
      )
    : [];
}

eachWay("killed at a random moment", (_, makePlace, installed) => {
  test(`${ROUNDS} times, nothing is left`, { timeout: 120_000 + ROUNDS * 30_000 }, async () => {
    const [foldersBefore, mountsBefore] = [scratchFolders(), mounts()];
    const made = new Set<string>();
    const whole = makePlace();
    furnish(whole);
    const begun = Date.now();
    expect((await whole.sh(script(marker()))).result?.verdict).toBe("deny");
    const runMs = Date.now() - begun;
    for (let round = 0; round < ROUNDS; round++) {
      const role = ROLES[round % ROLES.length] ?? "node";
      const place = makePlace();
      furnish(place);
      const mark = marker();
      const text = script(mark);
      place.put("probe.sh", `${text}\n`);
      const before = contents(place.workspace);
      const at = Date.now() + Math.random() * runMs;
      await place.sh(text, {
        policy: POLICIES[Math.floor(round / ROLES.length) % POLICIES.length] ?? "",
        meanwhile: (driver) => Date.now() >= at && kill(driver, role),
      });
      for (const name of scratchFolders()) if (!foldersBefore.has(name)) made.add(name);
      const when = `${role}, round ${round}`;
      expect([when, await survivors(mark, LEFT_MS)]).toEqual([when, []]);
      expect([when, await survivors(installed().folder, LEFT_MS)]).toEqual([when, []]);
      // What the dead one could not undo, the next one does.
      const { result } = await place.run(["true"]);
      expect([when, result?.verdict]).toEqual([when, "allow"]);
      expect([when, contents(place.workspace)]).toEqual([when, before]);
      expect([when, journals(place)]).toEqual([when, []]);
    }
    expect(mounts()).toBe(mountsBefore);
    // Other runs of this machine come and go; what a killed one left would stay.
    await clean(made);
    expect(alive(installed().folder)).toEqual([]);
  });

  describe("in the middle of its command,", () => {
    test.each(ROLES)("the %s: what runs later is undone", { timeout: 60_000 }, async (role) => {
      const place = makePlace();
      furnish(place);
      const mark = marker();
      const text = `${script(mark)}\n: > go; sleep ${mark}`;
      place.put("probe.sh", `${text}\n`);
      const before = contents(place.workspace);
      await place.sh(text, {
        meanwhile: (driver) => existsSync(`${place.workspace}/go`) && kill(driver, role),
      });
      expect(await survivors(mark, LEFT_MS)).toEqual([]);
      const { result } = await place.run(["true"]);
      // Node alone could not do it at once.
      const undone = /an interrupted run in .* had changed .*\.envrc/;
      if (role === "node") expect(result?.warnings.join()).toMatch(undone);
      expect(result?.verdict).toBe("allow");
      expect(contents(place.workspace)).toEqual(new Map([...before, ["go", ""]]));
      expect(journals(place)).toEqual([]);
    });
  });
});

const MANY = 40_000;

/** Whether the run is where nobody but the supervisor knows of the scratch folder. Asked again and again. */
type Alone = (driver: number, folder: boolean) => boolean;

/** The folder is there, and the guardian not yet. */
const before: Alone = (_, folder) => folder;

/** The guardian has gone, and what the folder holds is being removed. */
function after(): Alone {
  let begun = false;
  return (driver, folder) => {
    const [supervisor] = children(driver);
    const guarded = supervisor !== undefined && children(supervisor).length > 0;
    begun ||= guarded;
    return begun && folder && supervisor !== undefined && !guarded;
  };
}

eachWay(
  "the supervisor killed while it is alone",
  (_, makePlace) => {
    test.each([
      ["before there is a guardian", () => before],
      ["after the guardian's end", after],
    ] as const)("%s: no scratch folder is left", { timeout: 60_000 }, async (_when, moment) => {
      const place = makePlace();
      const known = scratchFolders();
      const isMoment = moment();
      let folder: string | undefined;
      const look = (driver: number): boolean => {
        folder = [...scratchFolders()].find((name) => !known.has(name));
        return isMoment(driver, folder !== undefined) && kill(driver, "supervisor");
      };
      const { result } = await place.sh(`cd "$TMPDIR" && seq ${MANY} | xargs touch`, {
        meanwhile: (driver) => {
          const until = Date.now() + 15;
          while (Date.now() < until) if (look(driver)) return true;
          return false;
        },
      });
      expect(result?.verdict).toBe("broken");
      expect(folder).toMatch(/^paldron-/);
      await clean(new Set([folder ?? ""]));
      expect((await place.run(["true"])).result?.verdict).toBe("allow");
    });
  },
  { which: refusedWays },
);

async function clean(made: ReadonlySet<string>): Promise<void> {
  for (let wait = 0; wait < 300 && left(made).length > 0; wait++) await sleep(50);
  expect(left(made)).toEqual([]);
}

/** A folder that a command has for its home belongs to another run, which goes on. */
function left(names: ReadonlySet<string>): readonly string[] {
  return [...names].filter(
    (name) =>
      statSync(`/tmp/${name}`, { throwIfNoEntry: false }) !== undefined &&
      alive(name, "environ").length === 0,
  );
}
