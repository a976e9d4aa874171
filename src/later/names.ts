/**
 * Files that programs outside of the sandbox run or obey later, by name. What git obeys depends on more than names
 * and is found by itself (`git-keys.ts`, `host/later-git.ts`).
 */

/** What becomes of a change: `deny` restores it and denies the run, `report` puts it into the receipt. */
type LaterLevel = "deny" | "report";

interface LaterName {
  readonly names: readonly string[];
  /** In the workspace itself. */
  readonly top: LaterLevel;
  /** In folders below; undefined: nothing there reads it. */
  readonly below: LaterLevel | undefined;
  /** Everything in a folder of this name. */
  readonly folder?: boolean;
}

const words = (text: string): readonly string[] => text.split(/\s+/);

const LATER_NAMES: readonly LaterName[] = [
  // Coding agents: hooks, servers, permissions, commands.
  {
    names: words(
      `.claude .codex .cursor .gemini .qwen .opencode .copilot .windsurf .continue .kiro .roo .amazonq .junie
      .kilocode .trae .amp .cline .devin .factory .augment .goose .crush .annalist .paldron`,
    ),
    top: "deny",
    below: "deny",
    folder: true,
  },
  {
    names: words(
      ".mcp.json .claude.json opencode.json opencode.jsonc .aider.conf.yml .crush.json crush.json .roomodes",
    ),
    top: "deny",
    below: "deny",
  },
  // Editors: tasks, debuggers, interpreters.
  {
    names: words(".vscode .idea .run .zed .fleet .vs .nova .helix .lapce .theia"),
    top: "deny",
    below: "deny",
    folder: true,
  },
  {
    names: words(".exrc .vimrc .nvimrc .nvim.lua .lvimrc .dir-locals.el .dir-locals-2.el .gdbinit .lldbinit"),
    top: "deny",
    below: "deny",
  },
  // Interpreters and debuggers that run a file of the folder they are started in.
  {
    names: words(".pdbrc .pdbrc.py .ghci .irbrc .pryrc .iex.exs .ocamlinit .octaverc"),
    top: "deny",
    below: "report",
  },
  { names: ["*.code-workspace"], top: "deny", below: "report" },
  // Shells.
  { names: words(".envrc .direnvrc .autoenv.zsh"), top: "deny", below: "deny" },
  {
    names: words(
      `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout
      .kshrc .cshrc .tcshrc .login .inputrc .xprofile .xinitrc .gitconfig`,
    ),
    top: "deny",
    below: "report",
  },
  // What a person runs next by a name of the project: ordinary work to change, good to know of.
  {
    names: words(
      ".husky .githooks .devcontainer .circleci .buildkite .mise .agents .clinerules .woodpecker .semaphore .lefthook .devbox",
    ),
    top: "report",
    below: "report",
    folder: true,
  },
  {
    names: words(
      `.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs pnpm-workspace.yaml package.json deno.json deno.jsonc
      bunfig.toml .pre-commit-config.yaml .pre-commit-hooks.yaml .lintstagedrc .lintstagedrc.json
      .simple-git-hooks.json lefthook.yml .lefthook.yml .overcommit.yml .gitmodules Makefile GNUmakefile makefile
      justfile .justfile Taskfile.yml Rakefile Gemfile Vagrantfile Procfile Tiltfile Dockerfile Containerfile
      docker-compose.yml docker-compose.yaml compose.yml compose.yaml tox.ini noxfile.py setup.py setup.cfg
      pyproject.toml pytest.ini conftest.py sitecustomize.py usercustomize.py .pylintrc pylintrc Cargo.toml build.rs
      CMakeLists.txt CMakePresets.json meson.build SConstruct configure gradlew mvnw build.gradle build.gradle.kts
      settings.gradle settings.gradle.kts pom.xml build.xml composer.json flake.nix shell.nix default.nix devbox.json
      devenv.nix .bazelrc MODULE.bazel WORKSPACE .gitlab-ci.yml Jenkinsfile .travis.yml azure-pipelines.yml
      .mise.toml mise.toml .mise.local.toml mise.local.toml .rtx.toml .tool-versions .python-version .node-version
      .nvmrc .ruby-version rust-toolchain rust-toolchain.toml paldron.toml .Rprofile .Renviron .devcontainer.json
      .eslintrc .eslintrc.json .eslintrc.yml .eslintrc.yaml .prettierrc .prettierrc.json .prettierrc.yml
      .prettierrc.yaml .stylelintrc .stylelintrc.json .stylelintrc.yml .babelrc .babelrc.json babel.config.json
      .mocharc.json .mocharc.jsonc .mocharc.yml .mocharc.yaml .nycrc .nycrc.json jest.config.json nodemon.json
      .nodemonrc lerna.json nx.json turbo.json angular.json .swcrc .lintstagedrc.yml .lintstagedrc.yaml .huskyrc
      .huskyrc.json .releaserc .releaserc.json .yarnrc.cjs .pnp.cjs .pnp.loader.mjs lefthook.yaml lefthook.toml
      lefthook-local.yml Taskfile.yaml Taskfile.dist.yml Taskfile.dist.yaml taskfile.yml tasks.py fabfile.py dodo.py
      gunicorn.conf.py manage.py mypy.ini .mypy.ini .coveragerc .flake8 Pipfile requirements.txt environment.yml
      magefile.go .golangci.yml .golangci.yaml .air.toml go.work build.zig mix.exs rebar.config build.sbt build.sc
      Guardfile Capfile Podfile Brewfile Package.swift Directory.Build.props Directory.Build.targets nuget.config
      Earthfile skaffold.yaml dagger.json main.tf .terraformrc serverless.yml netlify.toml vercel.json .gitpod.yml
      .drone.yml .woodpecker.yml .cirrus.yml appveyor.yml bitbucket-pipelines.yml cloudbuild.yaml autogen.sh
      configure.ac Makefile.am meson_options.txt SConscript wscript WORKSPACE.bazel BUILD.bazel .bazeliskrc
      pants.toml BUCK .buckconfig .watchmanconfig .lfsconfig`,
    ),
    top: "report",
    below: undefined,
  },
  // What agents are told at their next start.
  {
    names: words(
      `AGENTS.md AGENTS.override.md CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md .cursorrules .windsurfrules .goosehints`,
    ),
    top: "report",
    below: undefined,
  },
];

/** Settings of linters, bundlers and test runners that are programs; editors run some when a folder is opened. */
const CONFIG_PROGRAM =
  /^(?:[a-z][a-z.-]*\.(?:config|conf)|gruntfile|gulpfile|\.[a-z]+rc)\.(?:js|cjs|mjs|ts|cts|mts)$/;

/** What of `.github/` is run, by whom: an agent on this machine, or the service with the repository's secrets. */
const GITHUB: Readonly<Record<string, LaterLevel>> = {
  copilot: "deny",
  hooks: "deny",
  "copilot-instructions.md": "report",
  instructions: "report",
  prompts: "report",
  chatmodes: "report",
  agents: "report",
  workflows: "report",
  actions: "report",
  "dependabot.yml": "report",
};

/** Folders that others fill: what tools unpack there is opened by nobody as a project of its own. */
const DEPENDENCIES: ReadonlySet<string> = new Set(
  words(
    `node_modules bower_components jspm_packages site-packages dist-packages vendor .venv venv .tox .nox target .cargo
    .rustup .gradle .m2 .pnpm-store .yarn pods`,
  ),
);

/** Folders beside agents' settings that agents write at work: data, and whole checkouts. */
const DATA: Readonly<Record<string, readonly string[]>> = {
  ".claude": words("worktrees todos projects statsig shell-snapshots logs plans"),
};

/** Names in a settings folder that are no settings. */
export function laterData(folder: string): readonly string[] {
  return DATA[folder.toLowerCase()] ?? [];
}

/** What editors show and never run. */
const NOT_SETTINGS =
  /^(?:\.vscode\/(?:extensions\.json|[^/]*\.code-snippets)$|\.idea\/(?:(?:vcs|modules|encodings)\.xml|\.gitignore|[^/]*\.iml)$)/i;

const BY_NAME = new Map<string, LaterName>();
for (const entry of LATER_NAMES) for (const name of entry.names) BY_NAME.set(name.toLowerCase(), entry);
const WORKSPACE_FILE = "*.code-workspace";

/** Patterns for names that are looked for: `deep` with everything below a folder, `alone` only themselves. */
export function laterPatterns(): { readonly deep: readonly string[]; readonly alone: readonly string[] } {
  const names = (folder: boolean): readonly string[] =>
    LATER_NAMES.filter((entry) => entry.below !== undefined && (entry.folder === true) === folder).flatMap(
      (entry) => entry.names,
    );
  return {
    deep: [...names(true), ".github"],
    alone: [...names(false), "HEAD", ".git", ".gitattributes", "pyvenv.cfg", ".bin"],
  };
}

/** Whether a name counts in the workspace itself only, where the walk does not look for it. */
export function isLaterTopName(name: string): boolean {
  const folded = name.toLowerCase();
  const entry = BY_NAME.get(folded);
  return entry === undefined ? CONFIG_PROGRAM.test(folded) : entry.below === undefined;
}

/** What the path of a file or link is, undefined where nothing runs it later. */
export interface LaterFile {
  readonly level: LaterLevel;
  /** The part of the path that decided: a settings folder, or the path itself. */
  readonly top: string;
}

/** Judges a path relative to the workspace. Case is folded: a disk that folds it would read the same file. */
export function laterFile(path: string): LaterFile | undefined {
  const parts = path.split("/");
  for (let i = 0; i < parts.length; i += 1) {
    const name = (parts[i] ?? "").toLowerCase();
    if (name === ".git" || DEPENDENCIES.has(name)) return undefined;
    const level = levelAt(parts, i, name);
    if (level !== undefined) return { level, top: parts.slice(0, i + 1).join("/") };
  }
  return undefined;
}

function levelAt(parts: readonly string[], i: number, name: string): LaterLevel | undefined {
  if (name === ".github") return GITHUB[parts[i + 1]?.toLowerCase() ?? ""];
  if (name === ".clinerules" && parts[i + 1]?.toLowerCase() === "hooks") return "deny";
  const entry = BY_NAME.get(name.endsWith(WORKSPACE_FILE.slice(1)) ? WORKSPACE_FILE : name);
  const last = i === parts.length - 1;
  if (entry === undefined && i === 0 && last && CONFIG_PROGRAM.test(name)) return "report";
  if (entry === undefined || (!last && entry.folder !== true)) return undefined;
  if (NOT_SETTINGS.test(parts.slice(i).join("/")) || laterData(name).includes(parts[i + 1] ?? "")) {
    return undefined;
  }
  return i === 0 ? entry.top : entry.below;
}
