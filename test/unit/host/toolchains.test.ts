import { statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findToolchains, type Toolchains } from "../../../src/host/toolchains.ts";
import { TempTree } from "./temp-tree.ts";

let tree: TempTree;
beforeEach(() => {
  tree = new TempTree();
  tree.add("home/", "w/ws/");
});
afterEach(() => tree.remove());

interface Asked {
  readonly path?: readonly string[];
  readonly home?: string | undefined;
  readonly workspace?: string;
  readonly program?: string;
}

function find({ path = [], home = "home", workspace = "w/ws", program }: Asked): Toolchains {
  const absolute = (name: string): string => (name.startsWith("/") ? name : tree.at(name));
  return findToolchains({
    path: path.map(absolute).join(":"),
    home: absolute(home),
    workspace: absolute(workspace),
    program: program === undefined ? undefined : absolute(program),
    runtime: [],
  });
}

/** What is granted, relative to the tree. */
function granted(asked: Asked): readonly string[] {
  return find(asked).grants.map((grant) => grant.path.replace(`${tree.root}/`, ""));
}

describe("version managers", () => {
  test.each<[string, readonly string[], string, readonly string[]]>([
    [
      "pyenv",
      [
        ".pyenv/shims/",
        ".pyenv/bin/",
        ".pyenv/libexec/",
        ".pyenv/versions/3.11/bin/",
        ".pyenv/version",
        ".pyenv/.git/config",
        ".pyenv/cache/",
      ],
      ".pyenv/shims",
      [".pyenv/bin", ".pyenv/libexec", ".pyenv/shims", ".pyenv/version", ".pyenv/versions"],
    ],
    [
      "a plugin of pyenv",
      [".pyenv/plugins/pyenv-virtualenv/shims/", ".pyenv/versions/", ".pyenv/x"],
      ".pyenv/plugins/pyenv-virtualenv/shims",
      [".pyenv/plugins", ".pyenv/versions"],
    ],
    [
      "cargo and rustup",
      [
        ".cargo/bin/rustc",
        ".cargo/credentials.toml",
        ".cargo/credentials",
        ".cargo/config.toml",
        ".cargo/registry/",
        ".rustup/toolchains/stable/",
        ".rustup/settings.toml",
        ".rustup/tmp/",
      ],
      ".cargo/bin",
      [".cargo/bin", ".rustup/settings.toml", ".rustup/toolchains"],
    ],
    [
      "nvm",
      [".nvm/versions/node/v20/bin/node", ".nvm/.cache/", ".npmrc"],
      ".nvm/versions/node/v20/bin",
      [".nvm/versions"],
    ],
    [
      "volta",
      [".volta/bin/node", ".volta/tools/", ".volta/log/"],
      ".volta/bin",
      [".volta/bin", ".volta/tools"],
    ],
    [
      "asdf",
      [".asdf/shims/", ".asdf/installs/", ".asdf/tmp/"],
      ".asdf/shims",
      [".asdf/installs", ".asdf/shims"],
    ],
    [
      "mise",
      [".local/share/mise/shims/", ".local/share/mise/installs/", ".local/share/keyrings/k"],
      ".local/share/mise/shims",
      [".local/share/mise/installs", ".local/share/mise/shims"],
    ],
    [
      "sdkman",
      [".sdkman/candidates/java/current/bin/java", ".sdkman/etc/config"],
      ".sdkman/candidates/java/current/bin",
      [".sdkman/candidates"],
    ],
    ["deno", [".deno/bin/deno", ".deno/x"], ".deno/bin", [".deno/bin"]],
    [
      "bun",
      [".bun/bin/bun", ".bun/install/global/", ".bun/install/cache/"],
      ".bun/bin",
      [".bun/bin", ".bun/install/global"],
    ],
    [
      "pipx",
      [".local/bin/x", ".local/share/pipx/venvs/", ".local/share/keyrings/k"],
      ".local/bin",
      [".local/bin", ".local/share/pipx/venvs"],
    ],
    ["go's own programs", ["go/bin/gopls", "go/pkg/mod/"], "go/bin", ["go/bin"]],
    ["bin", ["bin/x", "lib/y", "share/z"], "bin", ["bin"]],
  ])("%s", (_name, files, entry, expected) => {
    tree.add(...files.map((file) => `home/${file}`));
    expect(granted({ path: [`home/${entry}`] })).toEqual(expected.map((path) => `home/${path}`));
    // The twin: with another entry on PATH nothing is found.
    expect(granted({ path: ["home/none"] })).toEqual([]);
  });

  test("are found from PATH when HOME is another folder", () => {
    tree.add("real/.cargo/bin/", "real/.rustup/toolchains/", "real/.pyenv/shims/");
    const { env } = find({ path: ["real/.cargo/bin", "real/.pyenv/shims"], home: "home" });
    expect(env).toEqual({ RUSTUP_HOME: tree.at("real/.rustup"), PYENV_ROOT: tree.at("real/.pyenv") });
    expect(granted({ path: ["real/.cargo/bin"] })).toEqual(["real/.cargo/bin", "real/.rustup/toolchains"]);
  });

  test("are not looked for where a variable points, and no PATH grants nothing", () => {
    tree.add("home/.cargo/bin/", "home/.rustup/toolchains/");
    expect(find({ path: [] })).toEqual({ grants: [], env: {} });
  });

  test("carry the identity of what was found", () => {
    tree.add("home/.deno/bin/");
    const { dev, ino } = statSync(tree.at("home/.deno/bin"), { bigint: true });
    expect(find({ path: ["home/.deno/bin"] }).grants).toEqual([
      { path: tree.at("home/.deno/bin"), dev, ino, type: 0o040000, kind: "read-exec" },
    ]);
  });

  test("may be moved by links: what they resolve to is granted", () => {
    tree.add("disk/pyenv/versions/", "home/.pyenv/shims/");
    tree.link("home/.pyenv/versions", tree.at("disk/pyenv/versions"));
    expect(granted({ path: ["home/.pyenv/shims"] })).toEqual(["disk/pyenv/versions", "home/.pyenv/shims"]);
  });
});

describe("installations", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["node", ["bin/node", "lib/node_modules/npm/", "README"], ["bin", "lib"]],
    ["go", ["bin/go", "VERSION", "pkg/tool/", "src/", "secret"], ["VERSION", "bin", "pkg", "src"]],
    ["a JDK", ["bin/java", "release", "lib/modules", "conf/security/"], ["bin", "conf", "lib", "release"]],
    ["conda", ["bin/python", "conda-meta/", "lib/", ".condarc", "pkgs/"], ["bin", "conda-meta", "lib"]],
    ["a virtual environment", ["bin/python", "pyvenv.cfg", "lib/"], ["bin", "lib", "pyvenv.cfg"]],
  ])("%s in a home is known by its contents", (_name, files, expected) => {
    tree.add(...files.map((file) => `home/x/${file}`));
    expect(granted({ path: ["home/x/bin"] })).toEqual(expected.map((path) => `home/x/${path}`));
  });

  test("outside of homes the folder's libraries come along, nothing else", () => {
    tree.add("srv/x/bin/", "srv/x/lib/", "srv/x/share/", "srv/x/conf/", "srv/x/src/", "srv/x/.env");
    expect(granted({ path: ["srv/x/bin"] })).toEqual(["srv/x/bin", "srv/x/lib", "srv/x/share"]);
  });

  test("folders of other names grant nothing", () => {
    tree.add("home/Documents/x", "srv/data/x");
    expect(granted({ path: ["home/Documents", "srv/data"] })).toEqual([]);
  });

  test("the python behind a virtual environment is found, if the table knows it", () => {
    tree.add("home/.pyenv/versions/3.11/bin/", "home/private/bin/", "home/private/lib/");
    tree.write("w/ws/.venv/pyvenv.cfg", `home = ${tree.at("home/.pyenv/versions/3.11/bin")}\n`);
    tree.write("w/ws/.evil/pyvenv.cfg", `home = ${tree.at("home/private/bin")}\n`);
    tree.add("w/ws/.venv/bin/", "w/ws/.evil/bin/");
    expect(granted({ path: ["w/ws/.venv/bin"] })).toEqual(["home/.pyenv/versions"]);
    expect(granted({ path: ["w/ws/.evil/bin"] })).toEqual([]);
  });

  test("a pipe in place of pyvenv.cfg is not waited for", async () => {
    const { execFileSync } = await import("node:child_process");
    tree.add("w/ws/.venv/bin/");
    execFileSync("mkfifo", [tree.at("w/ws/.venv/pyvenv.cfg")]);
    expect(granted({ path: ["w/ws/.venv/bin"] })).toEqual([]);
  });
});

describe("the program", () => {
  test("brings its installation when it is not on PATH", () => {
    tree.add("home/.pyenv/versions/3.11/bin/python3", "home/x/bin/node", "home/x/lib/node_modules/");
    expect(granted({ program: "home/.pyenv/versions/3.11/bin/python3" })).toEqual(["home/.pyenv/versions"]);
    expect(granted({ program: "home/x/bin/node" })).toEqual(["home/x/bin", "home/x/lib"]);
  });

  test("brings nothing when it lies anywhere", () => {
    tree.add("evil.sh", "home/x/bin/tool", "home/x/lib/", "srv/x/bin/tool", "srv/x/lib/");
    for (const program of ["evil.sh", "home/x/bin/tool", "srv/x/bin/tool"])
      expect(granted({ program })).toEqual([]);
  });

  test("in the workspace leads to the table only", () => {
    tree.add("home/.pyenv/versions/3.11/bin/python3", "home/x/bin/node", "home/x/lib/node_modules/");
    tree.link("w/ws/good", tree.at("home/.pyenv/versions/3.11/bin/python3"));
    tree.link("w/ws/bad", tree.at("home/x/bin/node"));
    expect(granted({ program: "w/ws/good" })).toEqual(["home/.pyenv/versions"]);
    expect(granted({ program: "w/ws/bad" })).toEqual([]);
  });
});

describe("never", () => {
  beforeEach(() => tree.add("home/.deno/bin/"));

  test.each([
    ["the home itself", "home"],
    ["a folder above the home", "."],
    ["the root", "/"],
    ["a top-level folder", "/tmp"],
    ["a folder above the workspace", "w"],
    ["the workspace", "w/ws"],
    ["a folder in the workspace", "w/ws/bin"],
    ["a relative entry", "../bin"],
    ["what does not exist", "home/none/bin"],
  ])("%s", (_name, entry) => {
    tree.add("w/ws/bin/", "w/lib/", "lib/");
    const path = entry.startsWith("..") ? entry : undefined;
    if (path !== undefined) {
      const input = {
        path,
        home: tree.at("home"),
        workspace: tree.at("w/ws"),
        program: undefined,
        runtime: [],
      };
      expect(findToolchains(input).grants).toEqual([]);
    } else expect(granted({ path: [entry] })).toEqual([]);
    // The twin: beside it an entry that is granted.
    expect(granted({ path: [entry, "home/.deno/bin"] })).toEqual(["home/.deno/bin"]);
  });

  test.each([".ssh/bin", ".aws/bin", ".gnupg/bin", ".docker/bin", ".config/gcloud/bin", ".claude/bin"])(
    "credentials: %s",
    (entry) => {
      tree.add(`home/${entry}/`);
      expect(granted({ path: [`home/${entry}`] })).toEqual([]);
    },
  );

  test.each([
    ["the home", "home"],
    ["a credential folder", "home/.ssh"],
    ["a folder around the home", "."],
    ["the workspace", "w/ws"],
    ["a top-level folder", "/tmp"],
  ])("a link from a known place to %s", (_name, target) => {
    tree.add("home/.ssh/id_rsa", "home/.pyenv/shims/");
    tree.link("home/.pyenv/versions", target.startsWith("/") ? target : tree.at(target));
    expect(granted({ path: ["home/.pyenv/shims"] })).toEqual(["home/.pyenv/shims"]);
  });

  test("a link on PATH that leads to the home", () => {
    tree.link("srv/bin", tree.at("home"));
    expect(granted({ path: ["srv/bin"] })).toEqual([]);
  });

  test("an installation whose folder is the home", () => {
    tree.add("home/pyvenv.cfg", "home/bin/", "home/lib/", "home/share/");
    expect(granted({ path: ["home/bin"] })).toEqual(["home/bin"]);
  });

  test("anything more when the home is the workspace", () => {
    expect(granted({ path: ["home/.deno/bin"], workspace: "home" })).toEqual([]);
  });

  test("what the system's list holds already", () => {
    const [runtime] = find({ path: ["home/.deno/bin"] }).grants;
    if (runtime === undefined) throw new Error("not found");
    const input = {
      path: tree.at("home/.deno/bin"),
      home: tree.at("home"),
      workspace: tree.at("w/ws"),
      program: undefined,
    };
    expect(findToolchains({ ...input, runtime: [runtime] }).grants).toEqual([]);
  });
});
