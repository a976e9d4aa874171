/** Where the agents keep their settings. */

export type Scope = "user" | "project" | "managed";

export interface Places {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isMac: boolean;
  /** Put before the paths of the machine-wide files; "" but in tests. */
  readonly systemRoot: string;
}

/** A settings file, and the folder that it must lie in whatever links say. */
export interface SettingsPlace {
  readonly root: string;
  /** It holds for everybody on the machine. */
  readonly shared: boolean;
  readonly path: string;
}

interface AgentPlaces {
  /** A variable that names the user's folder, and the folder in the home without it. */
  readonly user: readonly [variable: string | undefined, folder: string, file: string];
  readonly project: string;
  readonly managed: readonly [linux: string, mac: string] | undefined;
}

const MAC = "/Library/Application Support";

const AGENTS: Readonly<Record<string, AgentPlaces>> = {
  claude: {
    user: ["CLAUDE_CONFIG_DIR", ".claude", "settings.json"],
    project: ".claude/settings.json",
    managed: ["/etc/claude-code/managed-settings.json", `${MAC}/ClaudeCode/managed-settings.json`],
  },
  codex: {
    user: ["CODEX_HOME", ".codex", "hooks.json"],
    project: ".codex/hooks.json",
    managed: ["/etc/codex/requirements.toml", "/etc/codex/requirements.toml"],
  },
  gemini: {
    user: [undefined, ".gemini", "settings.json"],
    project: ".gemini/settings.json",
    managed: ["/etc/gemini-cli/settings.json", `${MAC}/GeminiCli/settings.json`],
  },
  qwen: {
    user: [undefined, ".qwen", "settings.json"],
    project: ".qwen/settings.json",
    managed: ["/etc/qwen-code/settings.json", `${MAC}/QwenCode/settings.json`],
  },
  copilot: {
    user: ["COPILOT_HOME", ".copilot", "hooks/paldron.json"],
    project: ".github/hooks/paldron.json",
    managed: ["/etc/github-copilot/policy.d/paldron.json", "/etc/github-copilot/policy.d/paldron.json"],
  },
  cursor: {
    user: [undefined, ".cursor", "hooks.json"],
    project: ".cursor/hooks.json",
    managed: ["/etc/cursor/hooks.json", `${MAC}/Cursor/hooks.json`],
  },
  opencode: {
    user: ["OPENCODE_CONFIG_DIR", ".config/opencode", "plugins/paldron.js"],
    project: ".opencode/plugins/paldron.js",
    managed: undefined,
  },
};

/** Undefined: the agent has no such file. */
export function settingsPlace(agent: string, scope: Scope, places: Places): SettingsPlace | undefined {
  const known = AGENTS[agent];
  if (known === undefined) return undefined;
  const { home, project, isMac, systemRoot } = places;
  if (scope === "project") return { root: project, shared: false, path: `${project}/${known.project}` };
  if (scope === "managed") {
    const path = known.managed?.[isMac ? 1 : 0];
    if (path === undefined) return undefined;
    const root = path.startsWith(MAC) ? MAC : "/etc";
    return { root: `${systemRoot}${root}`, shared: true, path: `${systemRoot}${path}` };
  }
  const [, , file] = known.user;
  const folder = userFolder(agent, places);
  return { root: folder.startsWith(`${home}/`) ? home : folder, shared: false, path: `${folder}/${file}` };
}

/** The folder of the user's settings of an agent. */
export function userFolder(agent: string, { home, env }: Places): string {
  const [variable, folder] = AGENTS[agent]?.user ?? [undefined, ""];
  const named = variable === undefined ? undefined : env[variable];
  if (named?.startsWith("/")) return named.replace(/(?<=.)\/+$/, "");
  const config = env["XDG_CONFIG_HOME"];
  if (agent === "opencode" && config?.startsWith("/")) return `${config}/opencode`;
  return `${home}/${folder}`;
}
