import { compileGlob, type Glob, type PreparedPath, preparePath } from "./glob.ts";
import { indexRules } from "./glob-index.ts";

/** Files that something outside the sandbox runs or obeys later: what becomes of a tool call that writes one. */
interface ProtectedRule {
  readonly glob: string;
  readonly decision: "deny" | "ask";
  readonly why: string;
  /** Commands write there as a matter of course; only a tool that writes one file is asked about. */
  readonly ordinary?: true;
}

const SWITCH = "settings of an agent";

/** The order is the rule's number: add at the end. */
const PROTECTED_RULES: readonly ProtectedRule[] = [
  { glob: ".git/", decision: "deny", why: "inside of a git repository" },
  { glob: ".claude/settings{,.local}.json", decision: "deny", why: SWITCH },
  { glob: ".{codex,cursor,gemini,qwen,opencode,copilot,windsurf,devin}/", decision: "deny", why: SWITCH },
  { glob: ".{kiro,amp,factory,cline}/", decision: "deny", why: SWITCH },
  { glob: ".github/{copilot,hooks}/", decision: "deny", why: SWITCH },
  { glob: ".clinerules/hooks/", decision: "deny", why: SWITCH },
  { glob: "{.mcp,opencode}.json{,c}", decision: "deny", why: SWITCH },
  { glob: "paldron*.{toml,json}", decision: "deny", why: "a policy" },
  { glob: ".{paldron,annalist}/", decision: "deny", why: "records of what was decided" },
  { glob: ".claude/", decision: "ask", why: SWITCH },
  { glob: ".{vscode,idea,devcontainer}/", decision: "ask", why: "settings of an editor" },
  { glob: ".devcontainer.json", decision: "ask", why: "settings of an editor" },
  { glob: ".{venv,husky,githooks}/", decision: "ask", why: "run later by other programs" },
  { glob: "venv/{bin,Scripts}/", decision: "ask", why: "run later by other programs" },
  { glob: "node_modules/.bin/", decision: "ask", why: "run later by other programs", ordinary: true },
  { glob: ".pre-commit-config.{yaml,yml}", decision: "ask", why: "run later by other programs" },
  { glob: ".git{modules,attributes}", decision: "ask", why: "run later by git" },
  { glob: ".github/workflows/", decision: "ask", why: "run later by a server" },
  { glob: ".gitlab-ci.yml", decision: "ask", why: "run later by a server" },
  { glob: ".{zed,fleet,nova}/", decision: "ask", why: "settings of an editor" },
  { glob: ".{continue,roo,amazonq,trae,augment,crush}/", decision: "ask", why: SWITCH },
  { glob: "{.aider.conf.yml,.aider.conf.yaml,.crush.json,crush.json}", decision: "ask", why: SWITCH },
  {
    glob: ".{exrc,vimrc,nvimrc,nvim.lua,lvimrc,dir-locals.el}",
    decision: "ask",
    why: "run later by an editor",
  },
  { glob: ".{gdbinit,lldbinit}", decision: "ask", why: "run later by a debugger" },
  { glob: "{,.}lefthook{,-local}.{yml,yaml,toml}", decision: "ask", why: "run later by other programs" },
  { glob: ".overcommit.yml", decision: "ask", why: "run later by other programs" },
  {
    glob: "{.npmrc,.yarnrc,.yarnrc.yml,.pnpmfile.cjs,.pnp.cjs,pyvenv.cfg,{.,}mise{,.local}.toml}",
    decision: "ask",
    why: "run later by other programs",
    ordinary: true,
  },
  {
    glob: "site-packages/{*.pth,{site,user}customize.py}",
    decision: "ask",
    why: "run later by other programs",
    ordinary: true,
  },
  { glob: ".{circleci,buildkite,woodpecker,forgejo,gitea}/", decision: "ask", why: "run later by a server" },
  { glob: ".github/actions/", decision: "ask", why: "run later by a server" },
  {
    glob: "{{azure,bitbucket}-pipelines,.travis,.drone,{.,}appveyor,.woodpecker,.cirrus}.{yml,yaml}",
    decision: "ask",
    why: "run later by a server",
  },
  { glob: "Jenkinsfile", decision: "ask", why: "run later by a server" },
];

export interface ProtectedMatch {
  readonly rule: string;
  readonly decision: "deny" | "ask";
  readonly why: string;
  /** Commands write there as a matter of course. */
  readonly ordinary: boolean;
}

interface CompiledRule {
  readonly glob: Glob;
  readonly match: ProtectedMatch;
}

let candidates: ((path: PreparedPath) => readonly CompiledRule[]) | undefined;

/** The strictest rule on writing a path relative to the workspace, or undefined. */
export function protectedWrite(relPath: string): ProtectedMatch | undefined {
  candidates ??= indexRules(compileRules());
  const path = preparePath(relPath);
  // Denials come first in the table.
  return candidates(path).find((rule) => rule.glob.matches(path))?.match;
}

function compileRules(): readonly CompiledRule[] {
  return PROTECTED_RULES.map(({ glob, decision, why, ordinary = false }, index) => ({
    glob: compileGlob(glob),
    match: { rule: `builtin:later[${index}]`, decision, why, ordinary },
  }));
}
