import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Place, Ran } from "./place.ts";
import { eachWay } from "./suite.ts";

/** Every file below the kept caches, relative to their stores. */
function keptFiles(place: Place): readonly string[] {
  const base = join(place.home, ".cache/paldron/workspaces");
  if (!existsSync(base)) return [];
  const found = execFileSync("find", [base, "-type", "f", "-path", "*/caches/*", "-printf", "%P\n"]);
  return found
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replace(/^[^/]*\/caches\//, ""));
}

const said = (ran: Ran): string => ran.stdout.toString() + ran.stderr;

eachWay("kept caches", (way, makePlace) => {
  test("outlast a run, and nothing else of its home does", async () => {
    const place = makePlace();
    const first = await place.sh(`
      for f in ~/.npm/_cacache ~/.cache/pip/wheels ~/.cargo/registry "$GOCACHE" "$GOMODCACHE"; do
        echo kept > $f/entry || exit 1
      done
      echo x > ~/.cargo/.package-cache
      for f in .npmrc .gitconfig .bashrc .cargo/config.toml .config/pip/pip.conf .npm/_npx/x .cache/other; do
        mkdir -p "$(dirname ~/$f)" && echo poison > ~/$f || exit 1
      done`);
    expect([said(first), first.result?.verdict]).toEqual(["", "allow"]);
    expect(keptFiles(place)).toHaveLength(6);
    const second = await place.sh(
      `cat ~/.npm/_cacache/entry ~/.cache/pip/wheels/entry ~/.cargo/registry/entry "$GOCACHE/entry" "$GOMODCACHE/entry"
       grep -rl poison ~ "$GOCACHE/.." 2>/dev/null; echo end`,
    );
    expect(said(second)).toBe(`${"kept\n".repeat(5)}end\n`);
    const online = await place.sh('ls ~/.npm/_cacache "$GOCACHE"', { policy: "allow_network = true\n" });
    expect(said(online)).not.toContain("entry");
    for (const folder of ["", "/workspaces"])
      expect(statSync(join(place.home, `.cache/paldron${folder}`)).mode & 0o777).toBe(0o700);
  });

  test("only the named folders are written; those of other workspaces are out of sight", async () => {
    const [place, other] = [makePlace(), makePlace()];
    await other.sh('echo other > "$GOCACHE/entry"');
    const store = join(other.home, ".cache/paldron/workspaces");
    const [name = ""] = readdirSync(store);
    const ran = await place.sh(`
      touch "$GOCACHE/../new" 2>/dev/null || echo closed
      mv "$GOCACHE" "$GOCACHE-2" 2>/dev/null || echo stays
      rmdir "$GOCACHE" 2>/dev/null || echo stays
      cat ${store}/${name}/caches/go-build/entry 2>/dev/null || echo absent`);
    expect(said(ran)).toBe("closed\nstays\nstays\nabsent\n");
  });

  test("a secret that is put there is a hit, and does not stay", async () => {
    const place = makePlace();
    const { result } = await place.sh(
      'echo K=1 > ~/.npm/_cacache/.env; mkdir "$GOCACHE/d" && echo x > "$GOCACHE/d/id_rsa" && chmod 0 "$GOCACHE/d"; echo ok > "$GOCACHE/entry"',
    );
    expect([result?.verdict, result?.produced.map(({ path }) => path.replace(/.*\/caches\//, ""))]).toEqual([
      "deny",
      // Root reads a folder of mode 000.
      process.getuid?.() === 0 && way.uid === undefined
        ? ["go-build/d/id_rsa", "npm/.env"]
        : ["go-build/d", "npm/.env"],
    ]);
    const again = await place.sh('ls -A ~/.npm/_cacache; ls "$GOCACHE/d" "$GOCACHE" 2>&1');
    expect([again.result?.verdict, said(again)]).toEqual(["allow", expect.not.stringMatching(/env|id_rsa/)]);
    expect(said(again)).toContain("entry");
  });

  test("unpacked packages may hold what they like", async () => {
    const place = makePlace();
    const { result } = await place.sh(
      'mkdir -p ~/.cargo/registry/src/i/p "$GOMODCACHE/m@v1/secrets" && touch ~/.cargo/registry/src/i/p/.env "$GOMODCACHE/m@v1/secrets/x"',
    );
    expect([result?.verdict, keptFiles(place).length]).toEqual(["allow", 2]);
  });

  test("what git would obey is gone before the next run", async () => {
    const place = makePlace();
    const plant =
      'd="$GOMODCACHE/cache/vcs/abc"; mkdir -p $d && echo "[core]" > $d/config && chmod 500 "$GOMODCACHE/cache/vcs"; mkdir -p ~/.cargo/registry/index/i/.git && echo x > ~/.cargo/registry/index/i/.git/config; echo ok > ~/.cargo/registry/index/i/entry';
    const first = await place.sh(plant);
    expect([said(first), first.result?.verdict]).toEqual(["", "allow"]);
    const second = await place.sh(
      'ls -A "$GOMODCACHE/cache" ~/.cargo/registry/index/i; touch "$GOMODCACHE/entry"',
    );
    expect(said(second)).not.toMatch(/vcs|\.git/);
    expect(said(second)).toContain("entry");
  });

  test("a link in their place opens nothing outside", async () => {
    const place = makePlace();
    place.put(`${place.outside}/vcs/config`, "mine\n");
    await place.sh(`ln -s ${place.outside} "$GOMODCACHE/cache"`);
    const { result } = await place.sh('echo x > "$GOMODCACHE/entry"; cat "$GOMODCACHE/cache/vcs/config"');
    expect(result?.child?.exit_code).not.toBe(0);
    expect(readFileSync(join(place.outside, "vcs/config"), "utf8")).toBe("mine\n");
  });

  test("two runs at once share them, but for what git would obey", async () => {
    const place = makePlace();
    const waiting =
      'mkdir -p "$GOMODCACHE/cache/vcs/a"; echo 1 > "$GOCACHE/first"; for i in $(seq 100); do [ -e "$GOCACHE/second" ] && break; sleep 0.1; done; ls "$GOCACHE"';
    place.put("one.sh", waiting);
    const one = place.run(["bash", "./one.sh"], { policy: "timeout_sec = 60\n" });
    while (!keptFiles(place).includes("go-build/first")) await new Promise((done) => setTimeout(done, 50));
    const two = await place.run(["bash", "-c", "ls $GOMODCACHE/cache 2>/dev/null; echo 2 > $GOCACHE/second"]);
    expect([said(two), two.result?.verdict]).toEqual(["", "allow"]);
    expect(said(await one)).toBe("first\nsecond\n");
  });

  test("npm finds a package again without its archive", async () => {
    const place = makePlace();
    place.put("dep/package.json", '{"name":"dep","version":"1.0.0"}');
    place.put("package.json", '{"name":"app","version":"1.0.0","dependencies":{"dep":"file:dep-1.0.0.tgz"}}');
    const policy = "timeout_sec = 120\n";
    const first = await place.sh("npm pack --silent ./dep && npm install --silent && ls node_modules", {
      policy,
    });
    expect([said(first), first.result?.verdict]).toEqual(["dep-1.0.0.tgz\ndep\n", "allow"]);
    const second = await place.sh("rm -r dep-1.0.0.tgz node_modules && npm ci --silent && ls node_modules", {
      policy,
    });
    expect([said(second), second.result?.verdict]).toEqual(["dep\n", "allow"]);
  });
});

eachWay("the real home", (_way, makePlace) => {
  function home(): Place {
    const place = makePlace();
    const put = (name: string, text = "real\n"): string => place.put(join(place.home, name), text);
    for (const name of [
      ".cargo/registry/cache/i/a.crate",
      "go/pkg/mod/cache/download/m/@v/list",
      ".m2/repository/g/a.jar",
      ".gradle/caches/modules-2/files",
      ".local/share/pnpm/store/v3/x",
      ".bun/install/cache/x",
      ".cache/deno/deps/x",
    ])
      put(name);
    for (const name of [
      ".cargo/credentials.toml",
      ".cargo/config.toml",
      ".m2/settings.xml",
      ".gradle/gradle.properties",
      ".npmrc",
      ".git-credentials",
      ".netrc",
      ".pypirc",
      ".local/share/keyrings/x",
    ])
      put(name, "private\n");
    put(
      ".gitconfig",
      "[user]\n name = A\n[include]\n path = ~/.gitconfig.d/more\n path = .git-credentials\n",
    );
    put(
      ".gitconfig.d/more",
      "[user]\n email = a@b\n[core]\n excludesFile = ~/.ignored\n[include]\n path = secret\n",
    );
    put(".gitconfig.d/secret", '[http]\n extraHeader = "Authorization: private"\n');
    put(".ignored", "*.tmp\n");
    put(".config/git/attributes", "*.c diff=cpp\n");
    return place;
  }

  test("dependency caches are read, credentials beside them are not, and nothing is written", async () => {
    const place = home();
    const ran = await place.sh(`
      cd ${place.home}
      cat .cargo/registry/cache/i/a.crate go/pkg/mod/cache/download/m/@v/list .m2/repository/g/a.jar \\
        .gradle/caches/modules-2/files .local/share/pnpm/store/v3/x .bun/install/cache/x .cache/deno/deps/x
      cat .cargo/c* .cargo/credentials.toml .m2/settings.xml .gradle/gradle.properties .npmrc .git-credentials \\
        .netrc .pypirc .local/share/keyrings/x .gitconfig.d/secret 2>/dev/null
      for f in .cargo/registry/x .cargo/registry/cache/i/a.crate go/pkg/mod/x .m2/repository/g/a.jar .gitconfig; do
        (echo mine > $f) 2>/dev/null && echo wrote $f
      done
      touch .new 2>/dev/null
      cat ~/.cargo/registry/cache/i/a.crate ~/.m2/repository/g/a.jar; echo "$GOPROXY"`);
    expect(said(ran)).toBe(`${"real\n".repeat(9)}file://${place.home}/go/pkg/mod/cache/download,off\n`);
    expect(ran.result?.verdict).toBe("allow");
    expect(existsSync(join(place.home, ".new"))).toBe(false);
  });

  test("git finds its configuration with what it includes", async () => {
    const place = home();
    const ran = await place.sh(
      "git init -q . && touch a.tmp b && git config user.name && git config user.email && git status --short --untracked-files=all | grep -v probe; git config http.extraHeader; git check-attr diff x.c",
    );
    expect(said(ran)).toBe("A\na@b\n?? b\nx.c: diff: cpp\n");
  });
});
