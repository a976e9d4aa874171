import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Place } from "./place.ts";
import { eachWay } from "./suite.ts";
import { isRoot, namespaceWays, refusedWays } from "./ways.ts";

/** Covers a part of /proc as container runtimes do, so that a user namespace may not mount a new one. */
const COVERED_PROC = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc/irq && exec "$@"', "sh"];

eachWay(
  "namespaces refused",
  (way, makePlace) => {
    const first = way.uid === undefined && isRoot ? "root-mounts" : "userns";

    test("the run goes on with Landlock, and says what is missing and why", async () => {
      const place = makePlace();
      place.put(".env", "K=1\n");
      const { result, stdout } = await place.sh("cat .env; cat /etc/hostname >/dev/null && echo ran");
      expect(result).toMatchObject({ verdict: "allow", setting: "landlock-broker" });
      expect(stdout.toString()).toBe("K=1\nran\n");
      const why = result?.protections?.["secrets-read"].why_not ?? "";
      expect(why).toContain(`cannot be had (${first}: namespaces (fork: EPERM)`);
      expect(result?.warnings).toEqual([
        `the command can read .env: ${why} (require = ["secrets-read"] refuses instead)`,
      ]);
    });

    test.each(["secrets-read", "net-loopback", "proc-others"])(
      "%s is refused where it is required",
      async (name) => {
        const place = makePlace();
        place.put(".env", "K=1\n");
        const { result } = await place.sh("echo ran > made", { policy: `require = ["${name}"]\n` });
        expect(result).toMatchObject({ verdict: "broken", reason: { code: "isolation" } });
        expect(result?.reason.text).toContain(name);
        expect(existsSync(join(place.workspace, "made"))).toBe(false);
      },
    );
  },
  { which: refusedWays, concurrent: true },
);

eachWay(
  "namespaces allowed",
  (way, makePlace) => {
    test("what a policy can require of them is held", async () => {
      const place = makePlace();
      place.put(".env", "K=1\n");
      const policy =
        'require = ["secrets-read", "net-unix", "metadata", "net-loopback", "proc-others", "tty-others"]\n';
      const { result, stdout } = await place.sh("echo ran", { policy });
      expect([result?.verdict, result?.warnings, stdout.toString()]).toEqual(["allow", [], "ran\n"]);
    });

    // Only root can cover a part of /proc, and only a user namespace minds.
    if (way.uid !== undefined) {
      test("without a /proc of its own all but the pid namespace is held", async () => {
        const place = makePlace();
        place.put(".env", "K=1\n");
        const script =
          "cat .env 2>&1; ps -e -o pid= | wc -l; kill -9 $PPID 2>&1; sleep 5 & kill $! && echo killed; setsid sleep 60 >/dev/null 2>&1 &";
        const { result, stdout } = await place.sh(script, { prefix: COVERED_PROC });
        expect(result).toMatchObject({
          setting: "userns-no-pid",
          verdict: "allow",
          leftovers: 1,
          warnings: [],
        });
        expect(stdout.toString()).toMatch(/Permission denied\n\s*\d+\n.*not permitted\n+killed\n$/s);
        const { protections } = result ?? {};
        expect(protections?.["proc-others"].enforced).toBe(false);
        for (const name of ["secrets-read", "metadata", "net-loopback", "signals", "tree-kill"] as const)
          expect([name, protections?.[name].enforced]).toEqual([name, true]);
      });
    }

    describe("a git worktree, whose repository lies outside", () => {
      function worktree(): Place {
        const place = makePlace();
        const git = (folder: string, ...args: string[]) => {
          const drop =
            way.uid === undefined
              ? []
              : ["setpriv", "--reuid", `${way.uid}`, "--regid", `${way.uid}`, "--clear-groups"];
          const line = [...drop, "git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...args];
          execFileSync(line[0] ?? "", line.slice(1), { env: { ...process.env, HOME: place.home } });
        };
        place.put(`${place.outside}/repo/file`);
        git(`${place.outside}/repo`, "init", "-q", ".");
        git(`${place.outside}/repo`, "config", "user.name", "a");
        git(`${place.outside}/repo`, "config", "user.email", "a@b");
        git(`${place.outside}/repo`, "add", "file");
        git(`${place.outside}/repo`, "commit", "-qm", "one");
        git(`${place.outside}/repo`, "worktree", "add", "-q", "-f", "--no-checkout", place.workspace);
        git(place.workspace, "reset", "-q");
        return place;
      }

      test("commits; what git would run or obey later stays as it is", async () => {
        const place = worktree();
        const git = `${place.outside}/repo/.git`;
        const { result, stdout } = await place.sh(`
          echo two >> new && git add new && git commit -qm two && git log --oneline | wc -l
          git config user.name b && git config core.fsmonitor x && git config --worktree user.name c
          (echo x > ${git}/hooks/pre-commit) 2>&1 || echo hooks closed
          mv ${git}/hooks ${git}/h2 2>&1 || echo hooks stay
          (echo x > ${git}/worktrees/ws/commondir) 2>&1 || echo pointer closed
          mv ${git}/worktrees ${git}/w2 2>&1 || echo worktrees stay
          ls ${place.outside}/repo/file 2>&1 || echo tree absent`);
        const said = stdout.toString();
        expect(said).toMatch(/^2\n/);
        for (const line of ["hooks closed", "hooks stay", "pointer closed", "worktrees stay", "tree absent"])
          expect(said).toContain(`${line}\n`);
        expect(result?.lines).toEqual([
          `run changed ${git}/config: core.fsmonitor (runs later, undone)`,
          "only a policy lets a run change what runs later (builtin:later): git_config_exceptions (key=value)",
        ]);
        expect(readFileSync(`${git}/config`, "utf8")).toContain("name = a\n");
      });

      test("configures itself where nothing runs later", async () => {
        const place = worktree();
        const { result } = await place.sh("git config user.name b && git branch topic && git worktree prune");
        expect(result).toMatchObject({ verdict: "allow", child: { exit_code: 0 } });
        expect(readFileSync(`${place.outside}/repo/.git/config`, "utf8")).toContain("name = b\n");
      });

      test("a .git file that names another repository opens nothing", async () => {
        const place = worktree();
        writeFileSync(join(place.workspace, ".git"), `gitdir: ${place.outside}/repo/.git\n`);
        const { stdout } = await place.sh(`ls ${place.outside} 2>&1; git log 2>&1; echo ran`);
        expect(stdout.toString()).toMatch(/No such file.*not a git repository.*ran\n$/s);
      });
    });
  },
  { which: namespaceWays, concurrent: true },
);
