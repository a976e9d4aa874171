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
      .kilocode .trae .factory .augment .goose .crush .annalist .paldron`,
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
  { names: words(".vscode .idea .run .zed .fleet .vs .nova"), top: "deny", below: "deny", folder: true },
  {
    names: words(".exrc .vimrc .nvimrc .nvim.lua .lvimrc .dir-locals.el .dir-locals-2.el .gdbinit .lldbinit"),
    top: "deny",
    below: "deny",
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
  { names: words(".husky .devcontainer .circleci"), top: "report", below: "report", folder: true },
  {
    names: words(
      `.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pre-commit-config.yaml .gitmodules package.json Makefile GNUmakefile
      makefile justfile .justfile Taskfile.yml tox.ini noxfile.py setup.py conftest.py sitecustomize.py .gitlab-ci.yml
      Jenkinsfile lefthook.yml .lefthook.yml .mise.toml mise.toml`,
    ),
    top: "report",
    below: undefined,
  },
];

/** What of `.github/` is run, by whom: an agent on this machine, or the service with the repository's secrets. */
const GITHUB: Readonly<Record<string, LaterLevel>> = {
  copilot: "deny",
  hooks: "deny",
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
  return { deep: [...names(true), ".github"], alone: [...names(false), "HEAD", ".git", ".gitattributes"] };
}

/** Names that count in the workspace itself only, and are looked up there. */
export function laterTopNames(): readonly string[] {
  return LATER_NAMES.filter((entry) => entry.below === undefined).flatMap((entry) => entry.names);
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
  const entry = BY_NAME.get(name.endsWith(WORKSPACE_FILE.slice(1)) ? WORKSPACE_FILE : name);
  const last = i === parts.length - 1;
  if (entry === undefined || (!last && entry.folder !== true)) return undefined;
  if (NOT_SETTINGS.test(parts.slice(i).join("/")) || laterData(name).includes(parts[i + 1] ?? "")) {
    return undefined;
  }
  return i === 0 ? entry.top : entry.below;
}
