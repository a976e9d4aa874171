import { describe, expect, test } from "vitest";
import { parseGitConfig } from "../../../src/later/git-config.ts";
import { commandDrivers, driverLines, isHarmlessEntry, newHarmfulKeys } from "../../../src/later/git-keys.ts";

const INSIDE = { worktreeInside: (value: string) => value === "../../../sub" };

describe("a git configuration", () => {
  test("is read as git reads it", () => {
    const text = `\ufeff# comment
[core]
\tbare = false ; comment
\tfilemode
[remote "a\\"b c"] url = "https://x/#1" # not this
\tfetch = a \\
  b
[Alias.Old]
  X = "!sh -c \\"echo\\t\\\\1\\""  trailing\r
`;
    expect(parseGitConfig(text)).toEqual([
      { key: "core.bare", value: "false" },
      { key: "core.filemode", value: undefined },
      { key: 'remote.a"b c.url', value: "https://x/#1" },
      { key: 'remote.a"b c.fetch', value: "a   b" },
      { key: "alias.old.x", value: '!sh -c "echo\t\\1"  trailing' },
    ]);
    expect(parseGitConfig("")).toEqual([]);
  });

  test.each([
    "x = 1",
    "[core",
    "[core]\n = 1",
    '[core]\nx = "1',
    "[core]\nx = \\q",
    "[core]\nx y",
    '[a "b\n"]',
  ])("%j is none", (text) => expect(parseGitConfig(text)).toBeUndefined());
});

const HARMLESS = [
  "user.name=x",
  "core.filemode=false",
  "core.fsmonitor=true",
  "core.worktree=../../../sub",
  "remote.origin.url=https://example.invalid/x.git",
  "remote.origin.url=git@example.invalid:x/y.git",
  "remote.o.r.url=../other",
  "remote.origin.fetch=+refs/heads/*:refs/remotes/origin/*",
  "branch.main.merge=refs/heads/main",
  "branch.a.b.vscode-merge-base=origin/main",
  "submodule.lib.url=ssh://example.invalid/lib",
  "submodule.lib.update=checkout",
  "filter.lfs.clean=git-lfs clean -- %f",
  "extensions.worktreeconfig=true",
  "color.diff.old=red",
];

const HARMFUL = [
  "core.fsmonitor=touch x",
  "core.hookspath=.githooks",
  "core.sshcommand=x",
  "core.editor=x",
  "core.pager=x",
  "core.askpass=x",
  "core.gitproxy=x",
  "core.attributesfile=x",
  "core.alternaterefscommand=x",
  "core.worktree=/etc",
  "include.path=../x",
  "includeif.gitdir:/.path=x",
  "alias.st=!touch x",
  "filter.f.clean=x",
  "filter.lfs.clean=./git-lfs clean -- %f",
  "diff.external=x",
  "diff.d.textconv=x",
  "merge.m.driver=x",
  "mergetool.m.cmd=x",
  "remote.origin.url=ext::sh -c x",
  "remote.origin.url=ssh://-oProxyCommand=x/y",
  "remote.origin.url=-x",
  "remote.origin.url=hg://x",
  "remote.origin.vcs=x",
  "remote.origin.uploadpack=x",
  "remote.origin.receivepack=x",
  "branch.main.remote=ext::x",
  "submodule.lib.update=!x",
  "url.ext::x.insteadof=https://",
  "credential.helper=!x",
  "gpg.program=x",
  "gpg.ssh.program=x",
  "gc.recentobjectshook=x",
  "uploadpack.packobjectshook=x",
  "sequence.editor=x",
  "pager.log=x",
  "browser.b.cmd=x",
  "trailer.t.command=x",
  "sendemail.smtpserver=x",
  "interactive.difffilter=x",
  "lfs.customtransfer.x.path=x",
  "init.templatedir=x",
  "difftool.x.cmd=x",
  "man.x.cmd=x",
  "http.proxy=x",
  "safe.directory=*",
  "unheard.of=x",
];

function entry(line: string) {
  const at = line.indexOf("=");
  return { key: line.slice(0, at), value: line.slice(at + 1) };
}

describe("the keys of a configuration", () => {
  test.each(HARMLESS)("%s is harmless", (line) => expect(isHarmlessEntry(entry(line), INSIDE)).toBe(true));
  test.each(HARMFUL)("%s is not", (line) => expect(isHarmlessEntry(entry(line), INSIDE)).toBe(false));

  test("what was there may stay and go, in its order", () => {
    const lines = ["core.pager=a", "user.name=x", "alias.x=!b", "core.pager=c"].map(entry);
    const keys = (after: readonly string[]) => newHarmfulKeys(lines, after.map(entry), INSIDE);
    expect(keys(["alias.x=!b", "user.name=y", "core.pager=c"])).toEqual([]);
    expect(keys([])).toEqual([]);
    expect(keys(["core.pager=c", "core.pager=a"])).toEqual(["core.pager"]);
    expect(keys(["core.pager=a", "core.pager=a"])).toEqual(["core.pager"]);
    expect(keys(["core.pager=d", "alias.x=!b"])).toEqual(["core.pager"]);
  });
});

test("attributes count where they put a driver to use that runs something", () => {
  const drivers = new Set(
    commandDrivers(
      [
        "filter.f.clean=x",
        "filter.g.required=true",
        "diff.d.textconv=x",
        "merge.m.name=x",
        "filter.lfs.clean=git-lfs clean -- %f",
      ].map(entry),
    ),
  );
  expect([...drivers]).toEqual(["filter.f", "diff.d"]);
  const text = "# * filter=f\n*.a text filter=f\n*.b filter=lfs diff=python\n[attr]m diff=d\r\n*.c -filter\n";
  expect(driverLines(text, drivers)).toEqual(["*.a text filter=f", "[attr]m diff=d"]);
});
