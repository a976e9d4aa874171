import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dependencyCaches } from "../../../src/host/dependency-caches.ts";
import { gitFiles } from "../../../src/host/git-files.ts";
import { TempTree } from "./temp-tree.ts";

let tree: TempTree;
beforeEach(() => {
  tree = new TempTree();
});
afterEach(() => tree.remove());

const names = (paths: readonly { readonly path: string }[]): readonly string[] =>
  paths.map(({ path }) => path.slice(tree.root.length + 1)).sort();

describe("git's files of a home", () => {
  const git = () => gitFiles(tree.at("home"));

  test("both configurations, what they include, and the files they name", () => {
    tree.write(
      "home/.gitconfig",
      '[include]\n\tpath = ~/one ; comment\n[includeIf "gitdir:~/w/"]\n path = "sub/two"\n[core] excludesFile = ~/.ignore\n',
    );
    tree.write("home/one", `[Include]\n path = ${tree.at("home/three")}\n[commit]\n template=~/t\n`);
    tree.write("home/.config/git/config", "[core]\n attributesfile = attrs\n hooksPath = ~/hooks\n");
    tree.add(
      "home/sub/two",
      "home/three",
      "home/.ignore",
      "home/t",
      "home/hooks",
      "home/.config/git/attrs",
      "home/.config/git/ignore",
    );
    expect(names(git().grants)).toEqual(
      [
        ".config/git/attrs",
        ".config/git/config",
        ".config/git/ignore",
        ".gitconfig",
        ".ignore",
        "one",
        "sub/two",
        "t",
        "three",
      ].map((name) => `home/${name}`),
    );
    expect(
      git()
        .links.map(({ path }) => path)
        .sort(),
    ).toEqual([".config/git/config", ".config/git/ignore", ".gitconfig", ".ignore", "one", "t"]);
  });

  test("no credential, nothing outside the home, nothing that is no plain file", () => {
    tree.write(
      "home/.gitconfig",
      "[include]\n path = ~/.git-credentials\n path = ~/.ssh/config\n path = ~/../out\n path = /etc/hostname\n path = ~/token\n path = ~/url\n path = ~/folder\n path = ~/link\n path = ~/.gitconfig\n",
    );
    tree.add("home/.git-credentials", "home/.ssh/config", "out", "home/folder/");
    tree.write("home/token", "[http]\n extraHeader = x\n");
    tree.write("home/url", '[url "https://me:secret@host/"]\n insteadOf = h:\n');
    tree.link("home/link", "../out");
    expect(names(git().grants)).toEqual(["home/.gitconfig"]);
  });

  test("a dotfile folder behind a link is fine; without a home there is nothing", () => {
    tree.write("home/dotfiles/gitconfig", "[include]\n path = more\n");
    tree.add("home/dotfiles/more", "home/more");
    tree.link("home/.gitconfig", "dotfiles/gitconfig");
    // git looks beside the name by which it found the file.
    expect(names(git().grants)).toEqual(["home/dotfiles/gitconfig", "home/more"]);
    for (const home of [undefined, "", "home", tree.at("none")])
      expect(gitFiles(home)).toEqual({ grants: [], links: [] });
  });
});

describe("dependency caches of a home", () => {
  test("the folders of the table, and nothing beside them", () => {
    tree.add(
      "home/.cargo/registry/x",
      "home/.cargo/credentials.toml",
      "home/go/pkg/mod/x",
      "home/go/src/x",
      "home/.m2/repository/x",
      "home/.m2/settings.xml",
      "home/.gradle/caches/modules-2/x",
      "home/.gradle/gradle.properties",
    );
    const { grants, real } = dependencyCaches(tree.at("home"));
    expect(names(grants)).toEqual([
      "home/.cargo/registry",
      "home/.gradle/caches/modules-2",
      "home/.m2/repository",
      "home/go/pkg/mod",
    ]);
    expect(real).toEqual({
      cargoRegistry: tree.at("home/.cargo/registry"),
      goModules: tree.at("home/go/pkg/mod"),
      maven: tree.at("home/.m2/repository"),
      gradle: tree.at("home/.gradle/caches"),
    });
    expect(dependencyCaches(undefined).grants).toEqual([]);
  });

  test("a link leads to a folder of the same name only, and never around the home", () => {
    tree.add("disk/registry/x", "secrets/x", "home/.cargo/", "home/.m2/");
    tree.link("home/.cargo/registry", tree.at("disk/registry"));
    tree.link("home/.m2/repository", tree.at("secrets"));
    expect(names(dependencyCaches(tree.at("home")).grants)).toEqual(["disk/registry"]);
  });
});
