import { statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { gitConfig } from "../../../src/host/git-config.ts";
import { isWithin, pathRecord, withoutCovered } from "../../../src/host/path-record.ts";
import { runtimePaths } from "../../../src/host/runtime-paths.ts";
import { TempTree } from "./temp-tree.ts";

let tree: TempTree;
beforeEach(() => {
  tree = new TempTree();
});
afterEach(() => tree.remove());

function listed(): Record<string, string> {
  return Object.fromEntries(
    runtimePaths(tree.root).map(({ path, kind }) => [path.slice(tree.root.length), kind]),
  );
}

describe("the system's list", () => {
  test("grants by name, and only what exists", () => {
    tree.add(
      "usr/bin/",
      "nix/store/",
      "etc/passwd",
      "etc/ld.so.cache",
      "etc/ssl/certs/",
      "etc/python3.11/",
      "etc/java-17-openjdk/",
    );
    tree.add("etc/os-release", "etc/alpine-release", "proc/", "dev/shm/", "dev/null", "sys/fs/cgroup/");
    expect(listed()).toEqual({
      "/usr": "read-exec",
      "/nix/store": "read-exec",
      "/etc/passwd": "read",
      "/etc/ld.so.cache": "read",
      "/etc/ssl/certs": "read",
      "/etc/python3.11": "read",
      "/etc/java-17-openjdk": "read",
      "/etc/os-release": "read",
      "/etc/alpine-release": "read",
      "/proc": "proc",
      "/dev/shm": "shared-rw",
      "/dev/null": "device",
      "/sys/fs/cgroup": "read",
    });
  });

  test.each([
    "etc/shadow",
    "etc/shadow-",
    "etc/gshadow",
    "etc/sudoers",
    "etc/sudoers.d/x",
    "etc/ssh/ssh_host_ed25519_key",
    "etc/ssl/private/key",
    "etc/pki/tls/private/key",
    "etc/fstab",
    "etc/environment",
    "etc/machine-id",
    "etc/krb5.keytab",
    "etc/NetworkManager/x",
    "etc/docker/x",
    "etc/postgresql/x",
    "etc/passwd-",
    "etc/myjava",
    "home/u/x",
    "root/x",
    "tmp/x",
    "var/lib/x",
    "run/docker.sock",
    "opt/x/.env",
    "dev/sda",
    "dev/mem",
    "dev/kvm",
    "sys/kernel/debug/x",
  ])("%s is not reached by anything in it", (path) => {
    tree.add(path, "etc/hosts");
    const reached = Object.keys(listed()).filter((grant) => isWithin(`/${path}`, grant));
    expect(reached).toEqual([]);
    expect(listed()).toEqual({ "/etc/hosts": "read" });
  });

  test("links are resolved, and one that leads away from the system is left out", () => {
    tree.add(
      "usr/lib/",
      "usr/share/zoneinfo/UTC",
      "run/systemd/resolve/stub-resolv.conf",
      "home/u/x",
      "etc/shadow",
      "etc/real",
    );
    tree.link("lib", "usr/lib");
    tree.link("etc/localtime", "../usr/share/zoneinfo/UTC");
    tree.link("etc/resolv.conf", "../run/systemd/resolve/stub-resolv.conf");
    tree.link("etc/os-release", "real");
    tree.link("etc/hosts", tree.at("home/u/x"));
    tree.link("etc/group", "shadow");
    tree.link("etc/profile", "none");
    tree.link("dev/null", tree.at("home/u/x"));
    expect(listed()).toEqual({
      "/usr": "read-exec",
      "/run/systemd/resolve/stub-resolv.conf": "read",
      "/etc/real": "read",
    });
  });

  test.each([
    ["npmrc", "//registry.example.com/:_authToken=abc"],
    ["npmrc", "_password = abc"],
    ["pip.conf", "[global]\nindex-url = https://u:p@example.com/simple"],
    ["pip.conf", "[global]\n  extra-index-url=https://abc@example.com/simple"],
    ["wgetrc", "http_password=abc"],
  ])("%s is left out when it holds a password (%s)", (name, text) => {
    tree.write(`etc/${name}`, text);
    expect(listed()).toEqual({});
    tree.write(
      `etc/${name}`,
      "# password, token, https://u:p@example.com\nregistry = https://example.com/simple\n",
    );
    expect(listed()).toEqual({ [`/etc/${name}`]: "read" });
  });

  test("this system's own list has what every program needs", (context) => {
    context.skip(process.platform !== "linux", "only Linux has this list");
    const grants = runtimePaths();
    const covering = (path: string): string | undefined =>
      grants.find((grant) => isWithin(pathRecord(path)?.path ?? path, grant.path))?.kind;
    expect(covering("/bin/sh")).toBe("read-exec");
    expect(covering("/etc/passwd")).toBe("read");
    expect(covering("/dev/null")).toBe("device");
    expect(covering("/proc/self/status")).toBe("proc");
    for (const path of ["/etc/shadow", "/root/x", "/home/x", "/tmp/x", "/var/x", "/run/x"]) {
      expect(covering(path)).toBe(undefined);
    }
    for (const { path, dev, ino } of grants) {
      const now = statSync(path, { bigint: true });
      expect([dev, ino]).toEqual([now.dev, now.ino]);
    }
  });
});

describe("paths", () => {
  test("a covered path is dropped only where the other grants as much", () => {
    tree.add("a/b/c/", "ab/");
    const at = (path: string) => {
      const record = pathRecord(tree.at(path));
      if (record === undefined) throw new Error("missing");
      return record;
    };
    const kept = (
      ...kinds: readonly (readonly [string, "read" | "read-exec" | "device"])[]
    ): readonly string[] =>
      withoutCovered(kinds.map(([path, kind]) => ({ ...at(path), kind }))).map(
        ({ path, kind }) => `${path.slice(tree.root.length + 1)} ${kind}`,
      );
    expect(kept(["a", "read-exec"], ["a/b", "read"], ["a/b/c", "read-exec"], ["ab", "read"])).toEqual([
      "a read-exec",
      "ab read",
    ]);
    expect(kept(["a", "read"], ["a/b", "read-exec"], ["a/b/c", "device"])).toEqual([
      "a read",
      "a/b read-exec",
      "a/b/c device",
    ]);
    expect(kept(["a", "read"], ["a", "read-exec"], ["a", "read"])).toEqual(["a read-exec"]);
  });

  test.each([
    ["/a/b", "/a", true],
    ["/a", "/a", true],
    ["/ab", "/a", false],
    ["/a", "/a/b", false],
    ["/a", "/", true],
  ])("%s is within %s: %s", (path, folder, expected) => {
    expect(isWithin(path, folder)).toBe(expected);
  });
});

describe("the git configuration", () => {
  test("is the first of git's two places that exists", () => {
    tree.add("home/.config/git/config");
    expect(gitConfig(tree.at("home"))?.path).toBe(tree.at("home/.config/git/config"));
    tree.add("home/.gitconfig");
    expect(gitConfig(tree.at("home"))).toMatchObject({ path: tree.at("home/.gitconfig"), kind: "read" });
  });

  test("may be a link to a file, and is nothing else", () => {
    tree.add("dotfiles/gitconfig", "home/", "other/.gitconfig/");
    tree.link("home/.gitconfig", tree.at("dotfiles/gitconfig"));
    expect(gitConfig(tree.at("home"))?.path).toBe(tree.at("dotfiles/gitconfig"));
    expect(gitConfig(tree.at("other"))).toBe(undefined);
    for (const home of [undefined, "", "home", tree.at("none")]) expect(gitConfig(home)).toBe(undefined);
  });
});
