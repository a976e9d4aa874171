/** What the command line understands. Parsing, help and shell completion are all made from this table. */

export interface OptionSpec {
  /** With the dashes: `--policy`. */
  readonly name: string;
  /** What follows it, for help: `FILE`. Absent: a switch. */
  readonly value?: string;
  /** In `--policy needs a file`. */
  readonly needs?: string;
  readonly choices?: readonly string[];
  /** The value may be left out; it is then "". */
  readonly optional?: true;
  readonly help: string;
}

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** The lines after `usage:`, without `paldron`. */
  readonly usage: readonly string[];
  readonly options: readonly OptionSpec[];
  /** Shown after the options by `--help`. */
  readonly notes: readonly string[];
}

export const EXIT_MODES = ["verdict", "child"] as const;
export const EXEC_FORMATS = ["stream", "report", "json"] as const;
export const AGENTS = [
  "claude",
  "codex",
  "gemini",
  "qwen",
  "copilot",
  "cursor",
  "opencode",
  "generic",
] as const;
const INIT_SCOPES = ["user", "project"] as const;
const REQUEST_FORMS = ["tool", "command"] as const;
export const SHELLS = ["bash", "zsh", "fish"] as const;

export const HELP_OPTION: OptionSpec = { name: "--help", help: "show this help" };

const POLICY: OptionSpec = {
  name: "--policy",
  value: "FILE",
  needs: "a file",
  help: "the policy (else $PALDRON_POLICY, else the built-in defaults)",
};

const WORKSPACE: OptionSpec = {
  name: "--workspace",
  value: "DIR",
  needs: "a folder",
  help: "the workspace (else the current folder)",
};

export const COMMANDS = {
  check: {
    name: "check",
    summary: "judge a tool call, run nothing",
    usage: ["check [options] -- TOOL ['{json arguments}']", "check --stdin [options]"],
    options: [
      POLICY,
      { name: "--json", help: "print the decision as one JSON object" },
      { name: "--stdin", help: "read an agent's tool call as one JSON document from standard input" },
      WORKSPACE,
    ],
    notes: ["exit codes: 0 allow, 2 deny (or needs approval), 1 broken (bad policy, bad JSON, usage)"],
  },
  exec: {
    name: "exec",
    summary: "judge a command, run it confined, judge what came out",
    usage: ["exec [options] -- PROGRAM [ARGUMENT...]"],
    options: [
      POLICY,
      {
        name: "--exit",
        value: "MODE",
        needs: "a mode",
        choices: EXIT_MODES,
        help: "what the exit code tells: the verdict (default) or the command's own status",
      },
      {
        name: "--format",
        value: "FORMAT",
        needs: "a format",
        choices: EXEC_FORMATS,
        help: "output as it comes (stream, default), in sections at the end (report), or one JSON object (json)",
      },
      {
        name: "--approved",
        help: "a person has said yes where the policy asks (written by agents' hooks)",
      },
      { name: "--receipt", value: "FILE", needs: "a file", help: "write the receipt of the run to FILE" },
      WORKSPACE,
    ],
    notes: [
      "exit codes: 0 allow, 2 deny (or needs approval), 1 broken, timed out, or the command failed",
      "with --exit=child: the command's status (128+n for signal n), 126 deny, 125 broken",
    ],
  },
  hook: {
    name: "hook",
    summary: "answer a coding agent's hook (docs/agents)",
    usage: [`hook --agent=NAME [options]`],
    options: [
      {
        name: "--agent",
        value: "NAME",
        needs: "a name",
        choices: AGENTS,
        help: "whose protocol is spoken",
      },
      POLICY,
      WORKSPACE,
    ],
    notes: [
      "reads the hook's payload from standard input and answers as that agent wants it",
      "what cannot be judged is blocked; only a mistake on this command line is exit 1",
    ],
  },
  init: {
    name: "init",
    summary: "make a coding agent ask paldron: write its hooks into its settings (docs/agents)",
    usage: ["init AGENT [options]", "init AGENT --undo [options]"],
    options: [
      {
        name: "--policy",
        value: "FILE",
        needs: "a file",
        help: "the policy that the hooks name (else the one that is registered already, else none)",
      },
      {
        name: "--scope",
        value: "SCOPE",
        needs: "a scope",
        choices: INIT_SCOPES,
        help: "whose settings: the user's (default), or those of the project in the current folder",
      },
      { name: "--managed", help: "the settings of the whole machine, which no project switches off (root)" },
      { name: "--yes", help: "write without asking" },
      { name: "--dry-run", help: "show what would change and write nothing" },
      { name: "--undo", help: "take out again what init wrote, and nothing else" },
    ],
    notes: [
      `AGENT is one of ${AGENTS.join(", ")}`,
      "exit codes: 0 done, or nothing to do; 2 nobody said yes; 1 broken (settings that cannot be read, usage)",
    ],
  },
  mcp: {
    name: "mcp",
    summary:
      "serve the built-in tools to an MCP client, or judge the calls of another server (docs/agents/mcp.md)",
    usage: ["mcp [options]", "mcp --proxy [options] -- SERVER [ARGUMENT...]"],
    options: [
      POLICY,
      WORKSPACE,
      { name: "--proxy", help: "start SERVER confined and stand between it and the client" },
      {
        name: "--name",
        value: "NAME",
        needs: "a name",
        help: "what rules call SERVER: its tools are mcp__NAME__TOOL (else the name of its program)",
      },
      {
        name: "--env",
        value: "NAMES",
        needs: "names",
        help: "variables that SERVER gets too, separated by commas",
      },
      { name: "--unconfined", help: "start SERVER with nothing around it and all variables" },
    ],
    notes: [
      "speaks the Model Context Protocol on standard input and output until the client closes it",
      "exit codes: 0 the client has left, 2 SERVER may not be started, 1 broken, or SERVER has ended",
    ],
  },
  schema: {
    name: "schema",
    summary: "print the JSON Schema of a tool or of the policy file",
    usage: ["schema --tool NAME", "schema --policy"],
    options: [
      { name: "--tool", value: "NAME", needs: "a name", help: "the arguments of a built-in tool" },
      { name: "--policy", help: "the policy file, for editors" },
    ],
    notes: [],
  },
  explain: {
    name: "explain",
    summary: "judge a request and say why, run nothing",
    usage: [
      "explain [options] -- TOOL ['{json arguments}']",
      "explain [options] -- PROGRAM [ARGUMENT...]",
      "explain --stdin [options]",
    ],
    options: [
      POLICY,
      {
        name: "--as",
        value: "FORM",
        needs: "a form",
        choices: REQUEST_FORMS,
        help: "what stands behind `--`: a tool call, as for check, or a command, as for exec",
      },
      { name: "--stdin", help: "the call of an agent's tool, as for check --stdin" },
      { name: "--json", help: "print the trace as one JSON object" },
      WORKSPACE,
    ],
    notes: [
      "without --as: a name and one JSON object, or a known tool alone, is a tool call; else a command",
      "exit codes: as for check",
    ],
  },
  test: {
    name: "test",
    summary: "try a policy against requests and the decisions they must get",
    usage: ["test [options] FILE..."],
    options: [POLICY, { name: "--json", help: "print the results as one JSON object" }, WORKSPACE],
    notes: [
      "a FILE is TOML ([[case]] tables) or JSON Lines; docs/rules.md tells their keys",
      "exit codes: 0 every case is as it must be, 1 otherwise, or no case",
    ],
  },
  policy: {
    name: "policy",
    summary: "print the policy that holds with the origin of each value, or look for mistakes in it",
    usage: ["policy show [options]", "policy lint [options]"],
    options: [POLICY, { name: "--json", help: "print one JSON object" }, WORKSPACE],
    notes: ["exit codes of lint: 0 nothing but notes, 1 a warning"],
  },
  doctor: {
    name: "doctor",
    summary: "try every protection on this machine and say what holds",
    usage: ["doctor [options]"],
    options: [
      POLICY,
      {
        name: "--workspace",
        value: "DIR",
        needs: "a folder",
        optional: true,
        help: "also what the policy does in a workspace (else the current folder) and to ordinary tools",
      },
      {
        name: "--agents",
        help: "instead: find the coding agents here and try the hooks that are registered in them",
      },
      { name: "--json", help: "print the report as one JSON object" },
    ],
    notes: [
      "exit codes: 0 everything that the policy requires is enforced, 1 otherwise",
      "with --agents: 0 agents were found and every one asks paldron, 1 otherwise",
    ],
  },
  version: { name: "version", summary: "print the version", usage: ["version"], options: [], notes: [] },
  completion: {
    name: "completion",
    summary: "print a completion script for a shell",
    usage: [`completion ${SHELLS.join("|")}`],
    options: [],
    notes: ['to use it now: eval "$(paldron completion bash)"'],
  },
} as const satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof COMMANDS;

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
