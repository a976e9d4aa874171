import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, lstatSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Place } from "./place.ts";
import { eachWay } from "./suite.ts";
import { startedAs, type Way } from "./ways.ts";

/** Runs git outside of the sandbox as the user of the way. */
function git(way: Way, place: Place, folder: string, ...args: readonly string[]): string {
  const drop =
    way.uid === undefined
      ? []
      : ["setpriv", "--reuid", `${way.uid}`, "--regid", `${way.uid}`, "--clear-groups"];
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"];
  const line = [...drop, "git", "-C", folder, ...identity, ...args];
  return execFileSync(line[0] ?? "", line.slice(1), {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", HOME: place.home, GIT_CONFIG_NOSYSTEM: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** A repository with what people have in one. */
function furnish(way: Way, place: Place): void {
  const { workspace } = place;
  git(way, place, workspace, "init", "-q", "-b", "main", ".");
  place.put("README.md");
  place.put("tools/text.sh", "#!/bin/sh\ncat\n", 0o755);
  place.put("build/inc", "[user]\n\tname = inc\n");
  place.put(".claude/settings.json", "{}\n");
  place.put(".vscode/tasks.json", "{}\n");
  place.put("packages/a/index.js");
  place.put(".hooks/commit-msg", "#!/bin/sh\n", 0o755);
  place.put(".git/hooks/pre-push", "#!/bin/sh\n", 0o755);
  git(way, place, workspace, "config", "core.hooksPath", ".git/hooks");
  git(way, place, workspace, "config", "diff.shown.textconv", "tools/text.sh");
  git(way, place, workspace, "config", "include.path", "../build/inc");
  git(way, place, workspace, "add", "README.md", "packages", "tools", "build");
  git(way, place, workspace, "commit", "-qm", "one");
}

interface Attack {
  readonly name: string;
  /** Runs by itself: it moves what others change. */
  readonly alone?: true;
  readonly script: string;
  /** What would run later; it must be after the run what it was before. */
  readonly target: string;
}

const HOOK = "printf '#!/bin/sh\\n' >";

const ATTACKS: readonly Attack[] = [
  {
    name: "a hook",
    script: `${HOOK} .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
    target: ".git/hooks/pre-commit",
  },
  {
    name: "a hook by rename",
    script: `${HOOK} .git/x; chmod +x .git/x; mv .git/x .git/hooks/post-merge`,
    target: ".git/hooks/post-merge",
  },
  {
    name: "a hook that is a link",
    script: "ln -s ../../tools/text.sh .git/hooks/pre-commit",
    target: ".git/hooks/pre-commit",
  },
  { name: "an existing hook", script: "echo x >> .git/hooks/pre-push", target: ".git/hooks/pre-push" },
  {
    name: "an existing hook by a hard link",
    alone: true,
    script: "ln .git/hooks/pre-push y; echo x >> y",
    target: ".git/hooks/pre-push",
  },
  { name: "a hook taken away", alone: true, script: "rm .git/hooks/pre-push", target: ".git/hooks/pre-push" },
  {
    name: "all hooks moved",
    alone: true,
    script: `mv .git/hooks .git/h; mkdir .git/hooks; ${HOOK} .git/hooks/pre-push`,
    target: ".git/hooks/pre-push",
  },
  {
    name: "hooks that are a link",
    alone: true,
    script: "mv .git/hooks .git/h; ln -s ../.hooks .git/hooks",
    target: ".git/hooks",
  },
  {
    name: "the whole .git replaced",
    alone: true,
    script: `mv .git .g; cp -r .g .git; ${HOOK} .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout`,
    target: ".git/hooks/post-checkout",
  },
  { name: "core.fsmonitor", script: "git config core.fsmonitor 'touch PWNED'", target: ".git/config" },
  { name: "core.hooksPath", script: "git config core.hooksPath .hooks", target: ".git/config" },
  { name: "an alias", script: "git config alias.st '!touch PWNED'", target: ".git/config" },
  {
    name: "core.sshCommand by hand",
    script: "printf '[core]sshcommand=x' >> .git/config",
    target: ".git/config",
  },
  { name: "an include", script: "git config --add include.path ../README.md", target: ".git/config" },
  { name: "an included file", script: "echo '[core] pager = x' >> build/inc", target: "build/inc" },
  {
    name: "a script that a configuration names",
    script: "echo 'touch PWNED' >> tools/text.sh",
    target: "tools/text.sh",
  },
  {
    name: "an existing driver put to use",
    script: "echo '*.md diff=shown' > .gitattributes",
    target: ".gitattributes",
  },
  {
    name: "an existing driver put to use in .git/info",
    alone: true,
    script: "mkdir -p .git/info; echo '*.md diff=shown' > .git/info/attributes",
    target: ".git/info/attributes",
  },
  { name: "commondir", script: "echo ../build > .git/commondir", target: ".git/commondir" },
  {
    name: "config.worktree",
    script: "git config extensions.worktreeConfig true; git config --worktree core.editor x",
    target: ".git/config.worktree",
  },
  {
    name: "a bare repository",
    script: "git init -q --bare docs/arch; git -C docs/arch config core.fsmonitor x",
    target: "docs/arch/config",
  },
  {
    name: "a bare repository without HEAD",
    script:
      "mkdir -p r/objects r/refs r/worktrees/w; printf '[core]fsmonitor=x' > r/config; echo 'ref: refs/heads/m' > r/worktrees/w/HEAD; echo ../.. > r/worktrees/w/commondir",
    target: "r/config",
  },
  {
    name: "a hook in a new repository",
    script: `git init -q n; mkdir -p n/.git/hooks; ${HOOK} n/.git/hooks/post-checkout; chmod +x n/.git/hooks/post-checkout`,
    target: "n/.git/hooks/post-checkout",
  },
  { name: "a .git file that leads out", script: 'mkdir s; echo "gitdir: $HOME" > s/.git', target: "s/.git" },
  { name: "a .git link that leads out", script: "mkdir s; ln -s /usr s/.git", target: "s/.git" },
  {
    name: "a submodule's configuration",
    script:
      "mkdir -p .git/modules/m/refs .git/modules/m/objects; echo 'ref: refs/heads/m' > .git/modules/m/HEAD; printf '[core]worktree=../../../m\\n[filter \"f\"]clean=x' > .git/modules/m/config",
    target: ".git/modules/m/config",
  },
  {
    name: "agents' settings",
    script: "echo '{\"hooks\":1}' > .claude/settings.json",
    target: ".claude/settings.json",
  },
  {
    name: "agents' settings with their folder moved",
    alone: true,
    script: "mv .claude c; mkdir .claude; echo x > .claude/settings.json",
    target: ".claude/settings.json",
  },
  {
    name: "agents' settings behind a link",
    alone: true,
    script: "mv .claude c; mkdir d; echo x > d/settings.json; ln -s d .claude",
    target: ".claude/settings.json",
  },
  {
    name: "more of agents' settings",
    script: "mkdir -p .claude/hooks; echo x > .claude/hooks/x.sh",
    target: ".claude/hooks/x.sh",
  },
  { name: "absent settings", script: "mkdir -p .codex; echo x > .codex/config.toml", target: ".codex" },
  {
    name: "absent settings that are a link",
    script: "mkdir away; echo x > away/mcp.json; ln -s away .cursor",
    target: ".cursor",
  },
  {
    name: "absent settings of a package",
    script: "mkdir -p packages/a/.gemini; echo x > packages/a/.gemini/settings.json",
    target: "packages/a/.gemini",
  },
  { name: "tools of agents", script: "echo '{}' > .mcp.json", target: ".mcp.json" },
  {
    name: "tasks of an editor",
    script: "echo '{\"tasks\":[]}' > .vscode/tasks.json",
    target: ".vscode/tasks.json",
  },
  { name: "a shell's start", script: "echo x > .bashrc", target: ".bashrc" },
  {
    name: "copilot's hooks",
    script: "mkdir -p .github/hooks; echo x > .github/hooks/a.json",
    target: ".github/hooks",
  },
];

/** Attacks of one run, each in a shell of its own. */
const RUNS = [
  { name: "many at once", attacks: ATTACKS.filter(({ alone }) => alone === undefined) },
  ...ATTACKS.filter(({ alone }) => alone === true).map((attack) => ({
    name: attack.name,
    attacks: [attack],
  })),
];

const ALLOWED = `set -e
export GIT_CONFIG_NOSYSTEM=1
git config user.name T; git config user.email t@example.invalid
echo 1 >> README.md; git commit -qam two
git checkout -q -b topic; git branch other; git checkout -q main; git merge -q topic
git config branch.main.description text; git branch -d other >/dev/null
git remote add origin https://example.invalid/x.git; git remote set-url origin git@example.invalid:x.git
git tag v1; git stash list; git gc -q; git sparse-checkout set packages >/dev/null; git sparse-checkout disable
git worktree add -q wt; (cd wt && echo 2 > new && git add new && git commit -qm three); git worktree remove wt
git init -q sub; git clone -q . copy 2>/dev/null; git init -q --bare mirror.git
mkdir -p packages/b src/hooks; echo 'x' > src/hooks/use.ts; echo '*.bin binary' > .gitattributes
mkdir -p deep/one; mv packages/a deep/one/a; mv deep/one/a packages/a; ln README.md linked; rm -r deep
echo ran`;

/** What a run may do, and what of it stands in the receipt. */
const REPORTED: readonly (readonly [script: string, path: string])[] = [
  ["mkdir -p venv/bin; echo x > venv/bin/activate", "venv/bin/activate"],
  ["echo x >> .venv/bin/pytest; touch -d 2001-01-01 .venv/bin/pytest", ".venv/bin/pytest"],
  [
    "mkdir -p deep/e/lib/python3/site-packages; touch deep/e/pyvenv.cfg; cd deep/e/lib/python3/site-packages; touch a.pth b.py; cd ~-",
    "deep/e/lib/python3/site-packages/a.pth",
  ],
  ["echo x >> node_modules/.bin/eslint", "node_modules/.bin/eslint"],
  ["echo x > bin/git", "bin/git"],
  ["mkdir .cargo; echo x > .cargo/config.toml", ".cargo/config.toml"],
  ["echo 'node 1' > .tool-versions", ".tool-versions"],
  ["echo x > paldron.toml", "paldron.toml"],
  ["echo x > eslint.config.mjs", "eslint.config.mjs"],
  ["echo x > AGENTS.md", "AGENTS.md"],
  ["rm pyproject.toml", "pyproject.toml"],
  [
    "mkdir .git/rebase-merge; echo 'exec x' > .git/rebase-merge/git-rebase-todo",
    ".git/rebase-merge/git-rebase-todo",
  ],
];

function state(place: Place, target: string): string {
  const path = join(place.workspace, target);
  const seen = lstatSync(path, { throwIfNoEntry: false });
  if (seen === undefined) return "absent";
  if (seen.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  return seen.isDirectory() ? "folder" : `${(seen.mode & 0o777).toString(8)} ${readFileSync(path, "utf8")}`;
}

eachWay(
  "what runs later",
  (way, makePlace, installed) => {
    test.each(RUNS)("is not changed: $name", async ({ attacks }) => {
      const place = makePlace();
      furnish(way, place);
      const before = attacks.map(({ target }) => state(place, target));
      const script = attacks.map(
        (attack, i) => `( set -e; ${attack.script} ) 2>/dev/null; [ $? = 0 ] && echo "#${i} done"`,
      );
      const { result, stdout } = await place.sh(script.join("\n"));
      expect(attacks.map(({ target }) => state(place, target))).toEqual(before);
      const named =
        result?.produced.filter(({ code }) => code === "runs_later").map(({ path }) => path) ?? [];
      const unnamed = attacks.filter(({ target }, i) => {
        const done = stdout.toString().includes(`#${i} done\n`);
        return done && !named.some((path) => path === target || path.startsWith(`${target}/`));
      });
      expect(unnamed).toEqual([]);
      if (named.length > 0) expect(result).toMatchObject({ verdict: "deny", reason: { code: "runs_later" } });
      git(way, place, place.workspace, "status", "--short");
      expect(existsSync(join(place.workspace, "PWNED"))).toBe(false);
    });

    test("stands still while the command runs, where there are mounts", async () => {
      const place = makePlace();
      furnish(way, place);
      place.put("paldron.toml", "");
      const lines = [
        "echo x >> .git/hooks/pre-push",
        "mv .git .git2",
        "mv .git/hooks .git/h2",
        "rm .claude/settings.json",
        "mv .claude c2",
        "rm -r .vscode",
        "echo x > .vscode/tasks.json",
        "ln .git/hooks/pre-push y",
      ];
      const script = lines.map((line, i) => `( ${line} ) 2>/dev/null && echo ${i}`);
      const { result, stdout } = await place.sh(
        `${script.join("\n")}\necho x > plain && mv plain plain2 && echo ran`,
      );
      if (way.namespaces) {
        expect([stdout.toString(), result?.verdict]).toEqual(["ran\n", "allow"]);
        expect(result?.protections?.["later-exec"].enforced).toBe(true);
      } else {
        expect(stdout.toString()).toMatch(/^0\n1\n/);
        expect(result?.verdict).toBe("deny");
        expect(result?.protections?.["later-exec"].enforced).toBe(false);
        expect(result?.warnings).toEqual([
          expect.stringMatching(/^the command can change .* while it runs; /),
        ]);
      }
    });

    test("ordinary work with git goes on", async () => {
      const place = makePlace();
      furnish(way, place);
      const { result, stdout, stderr } = await place.sh(ALLOWED);
      expect([result?.lines, stdout.toString(), stderr]).toEqual([[], "ran\n", expect.any(String)]);
      expect(result?.verdict).toBe("allow");
      expect(git(way, place, place.workspace, "config", "--local", "user.name")).toBe("T\n");
    });

    test("a policy can leave some of it to the run", async () => {
      const place = makePlace();
      furnish(way, place);
      const policy = 'later_exceptions = ["/.codex/"]\n';
      const { result } = await place.sh("mkdir .codex .cursor; echo x | tee .codex/a > .cursor/a", {
        policy,
      });
      expect(result).toMatchObject({ verdict: "deny", reason: { code: "runs_later" } });
      expect(result?.lines).toEqual([
        "run created .cursor/a (runs later, undone)",
        "only a policy lets a run change what runs later (builtin:later): later_exceptions",
      ]);
      expect([state(place, ".codex/a"), state(place, ".cursor")]).toEqual(["644 x\n", "absent"]);
    });

    test("ordinary files that somebody runs later are findings", async () => {
      const place = makePlace();
      furnish(way, place);
      for (const name of [".venv/bin/pytest", "node_modules/eslint/bin.js", "bin/kept", "pyproject.toml"])
        place.put(name);
      place.put("node_modules/.bin/kept");
      symlinkSync("../eslint/bin.js", join(place.workspace, "node_modules/.bin/eslint"));
      const { result, stdout } = await place.sh(REPORTED.map(([script]) => script).join("\n"));
      expect([stdout.toString(), result?.verdict, result?.produced]).toEqual(["", "allow", []]);
      expect(result?.findings).toEqual(
        expect.arrayContaining(REPORTED.map(([, path]) => ({ code: "runs-later", path }))),
      );
      expect(result?.findings.length).toBe(REPORTED.length);
      const { result: again } = await place.sh("touch new; cat bin/kept >/dev/null; chmod 600 README.md");
      expect(again?.findings).toEqual([]);
    });

    test("is Paldron itself, where it is installed in the workspace", () => {
      const place = makePlace();
      const own = join(place.workspace, "node_modules/paldron");
      cpSync(installed().folder, own, { recursive: true });
      place.put(
        "probe.sh",
        "cd node_modules/paldron/build; echo x >> paldron-probe; cd ..; mv build b; echo ran",
      );
      if (way.uid !== undefined)
        execFileSync("chown", ["-R", `${way.uid}:${way.uid}`, `${place.workspace}/.`]);
      const cli = installed().cli.replace(installed().folder, own);
      const line = [process.execPath, cli, "exec", "--", "bash", "./probe.sh"];
      const [program = "", ...args] = startedAs(way, installed().refuse, line);
      const before = ["launcher", "probe"].map((name) => readFileSync(join(own, `build/paldron-${name}`)));
      const ended = spawnSync(program, args, {
        cwd: place.workspace,
        env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: place.home },
        encoding: "utf8",
      });
      expect([ended.stdout, ended.status]).toEqual(["ran\n", way.namespaces ? 0 : 2]);
      if (!way.namespaces)
        expect(ended.stderr).toContain(
          "run removed node_modules/paldron/build/paldron-launcher (runs later, undone)",
        );
      expect(["launcher", "probe"].map((name) => readFileSync(join(own, `build/paldron-${name}`)))).toEqual(
        before,
      );
    });

    test("is seen in folders that the run closes", async () => {
      const place = makePlace();
      furnish(way, place);
      const script =
        "mkdir .qwen sub; echo x | tee .qwen/settings.json sub/.mcp.json > .mcp.json; chmod 100 sub .qwen .";
      const { result } = await place.sh(script);
      expect(result?.verdict).toBe("deny");
      const left = [".mcp.json", ".qwen/settings.json", "sub/.mcp.json"].map((path) => state(place, path));
      expect(left).toEqual(["absent", "absent", "absent"]);
    });
  },
  { concurrent: true },
);
