import type { Places } from "../agents/install/places.ts";
import { clientVersion } from "../host/client-version.ts";
import { type CodexHook, listCodexHooks } from "../host/codex-server.ts";
import { clientProgram } from "../host/find-program.ts";
import { makeScratchFolder } from "../host/scratch-folder.ts";
import { isTrusted } from "./codex-trust.ts";
import { agentFiles } from "./doctor-agents-files.ts";
import {
  disabledBy,
  environmentFaults,
  gateEvents,
  initLine,
  kindOf,
  laxRemark,
  staticFaults,
  tooOld,
} from "./doctor-agents-judge.ts";
import { tryHook } from "./doctor-agents-try.ts";
import type { AgentFault, AgentHook, AgentReport, AgentResult, AgentsReport } from "./doctor-agents-types.ts";

/** The programs of each agent that has one. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  claude: ["claude"],
  codex: ["codex"],
  gemini: ["gemini"],
  qwen: ["qwen"],
  copilot: ["copilot"],
  cursor: ["cursor-agent", "cursor"],
  opencode: ["opencode"],
};

/** Names in which clients tell the folder they were opened for: here it is another one. */
const ROOTS = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR", "CURSOR_PROJECT_DIR"];

/** Finds the agents and their hooks, and starts each hook of Paldron's as the agent would. */
export async function runDoctorAgents(places: Places): Promise<AgentsReport> {
  const scratch = makeScratchFolder();
  try {
    const agents: AgentReport[] = [];
    for (const agent of Object.keys(PROGRAMS)) {
      const report = await examine(agent, places, scratch.home);
      if (report !== undefined) agents.push(report);
    }
    const found = agents.filter(({ client }) => client !== undefined);
    return { agents, ok: found.length > 0 && found.every(({ result }) => result === "working") };
  } finally {
    scratch.remove();
  }
}

interface Tried {
  readonly hook: AgentHook;
  readonly faults: readonly AgentFault[];
  readonly remark: string | undefined;
}

async function examine(agent: string, places: Places, folder: string): Promise<AgentReport | undefined> {
  const client = findClient(agent, places);
  const { files, hooks, faults: unread } = agentFiles(agent, places);
  const gates = gateEvents(agent);
  const kinds = hooks.map((hook) => ({ hook, kind: kindOf(agent, hook) }));
  const own = kinds.flatMap(({ hook, kind }) =>
    kind.kind === "own" && gates.includes(hook.event) ? [{ hook, call: kind.call }] : [],
  );
  const odd = kinds.flatMap(({ hook, kind }) => oddFault(agent, hook, kind.kind));
  if (client === undefined && own.length === 0 && odd.length === 0) return undefined;
  const trust =
    agent === "codex" && client !== undefined && own.length > 0
      ? await listCodexHooks(client.path, places.project, places.env)
      : undefined;
  const env = { ...places.env, ...Object.fromEntries(ROOTS.map((name) => [name, undefined])) };
  const tried: Tried[] = [];
  for (const { hook, call } of own) {
    const before = [...staticFaults(agent, hook, call), ...disabledBy(agent, hook, files)];
    const untrusted = agent === "codex" && client !== undefined ? trustFault(hook, trust) : [];
    const fired = before.some(({ code }) => code === "relative")
      ? undefined
      : await tryHook({ agent, hook, call, folder, env });
    const faults = [...before, ...untrusted, ...(fired === undefined ? [] : [fired])];
    tried.push({ hook, faults, remark: laxRemark(agent, hook, call) });
  }
  const also = kinds.filter(
    ({ hook, kind }) =>
      kind.kind === "other-agent" && isClaudeFile(agent, hook) && hook.event === "PreToolUse",
  );
  return conclude({
    agent,
    client,
    gates,
    tried,
    also: also.length,
    general: [...unread, ...odd, ...environmentFaults(files), ...oldFault(agent, client)],
    foreign: kinds.filter(({ kind }) => kind.kind === "foreign").length,
  });
}

function findClient(agent: string, places: Places): AgentReport["client"] {
  for (const name of PROGRAMS[agent] ?? []) {
    const path = clientProgram(name, places);
    if (path !== undefined) return { path, version: clientVersion(path, agent === "claude", places.env) };
  }
  return undefined;
}

/** Copilot and Cursor also run the hooks of a project's settings for Claude Code. */
function isClaudeFile(agent: string, { file }: AgentHook): boolean {
  return agent !== "claude" && /\/\.claude\/settings(?:\.local)?\.json$/.test(file.path);
}

function oddFault(agent: string, hook: AgentHook, kind: string): readonly AgentFault[] {
  if (isClaudeFile(agent, hook)) return [];
  const { file, event } = hook;
  const remedy = `run \`${initLine(agent, file.scope)}\`, and remove this one if it stays`;
  const where = file.path;
  if (kind === "unclear") {
    const what = `${event}: names paldron in a form that is not recognized, and was not tried`;
    return [{ code: "not-recognized", where, what, remedy }];
  }
  if (kind !== "other-agent") return [];
  return [
    { code: "wrong-answer", where, what: `${event}: answers in the protocol of another agent`, remedy },
  ];
}

function oldFault(agent: string, client: AgentReport["client"]): readonly AgentFault[] {
  const what = tooOld(agent, client?.version);
  if (what === undefined) return [];
  return [{ code: "client-too-old", where: client?.path ?? "", what, remedy: `update ${agent}` }];
}

function trustFault(hook: AgentHook, listed: readonly CodexHook[] | undefined): readonly AgentFault[] {
  if (hook.file.scope === "managed") return [];
  const { command } = hook.handler;
  const known = listed?.find(
    ({ key, command: line }) => key.startsWith(`${hook.file.real}:`) && line === command,
  );
  if (known !== undefined && isTrusted(known.trust)) return [];
  const what =
    listed === undefined
      ? "codex did not tell whether it trusts it"
      : known === undefined
        ? "codex does not see it: the project may not be trusted"
        : "codex does not trust it, and skips it without a word";
  const remedy = `run \`${initLine("codex", hook.file.scope)}\`, or trust it by /hooks in Codex`;
  return [{ code: "untrusted", where: hook.file.path, what: `${hook.event}: ${what}`, remedy }];
}

interface Conclusion {
  readonly agent: string;
  readonly client: AgentReport["client"];
  readonly gates: readonly string[];
  readonly tried: readonly Tried[];
  /** Hooks of Claude Code's that this agent runs, too. */
  readonly also: number;
  readonly general: readonly AgentFault[];
  readonly foreign: number;
}

function conclude({ agent, client, gates, tried, also, general, foreign }: Conclusion): AgentReport {
  const works = (event: string): readonly Tried[] =>
    tried.filter(({ hook, faults }) => hook.event === event && faults.length === 0);
  const managed = gates.every((event) => works(event).some(({ hook }) => hook.file.scope === "managed"));
  // What a project switches off does not matter where the machine's own hooks do the work.
  const counts = ({ code }: AgentFault): boolean => !(managed && code === "disabled");
  const missing =
    tried.length === 0 ? [] : gates.filter((event) => !tried.some(({ hook }) => hook.event === event));
  const faults = [
    ...general,
    ...tried.flatMap((one) => one.faults.filter(counts)),
    ...missing.map((event) => ({
      code: "event-missing" as const,
      where: tried[0]?.hook.file.path ?? "",
      what: `${event} is not registered`,
      remedy: `run \`${initLine(agent, tried[0]?.hook.file.scope ?? "user")}\``,
    })),
  ];
  const isDoubled = gates.some((event, index) => works(event).length + (index === 0 ? also : 0) > 1);
  return {
    agent,
    client,
    result: resultOf({ isRegistered: tried.length > 0, faults, isDoubled }),
    hooks: tried.map((one) => ({
      event: one.hook.event,
      file: one.hook.file.path,
      works: one.faults.length === 0,
    })),
    faults: unique(faults),
    remarks: [
      ...new Set(tried.flatMap(({ remark }) => (remark === undefined ? [] : [remark]))),
      ...tried.flatMap((one) =>
        one.faults.filter((fault) => !counts(fault)).map(({ where, what }) => `${where}: ${what}`),
      ),
      ...(isDoubled ? [`every call is judged twice: ${doubledAt(agent, tried, also)}`] : []),
      ...(foreign > 0 ? [`${foreign} ${foreign === 1 ? "hook" : "hooks"} of others, not tried`] : []),
    ],
  };
}

function resultOf(given: {
  isRegistered: boolean;
  faults: readonly AgentFault[];
  isDoubled: boolean;
}): AgentResult {
  if (
    !given.isRegistered &&
    !given.faults.some(({ code }) => code === "not-recognized" || code === "wrong-answer")
  ) {
    return "not registered";
  }
  if (given.faults.length > 0) return "not firing";
  return given.isDoubled ? "doubled" : "working";
}

function doubledAt(agent: string, tried: readonly Tried[], also: number): string {
  const scopes = [...new Set(tried.map(({ hook }) => hook.file.scope))];
  if (also > 0) return "the project's hooks for Claude Code run here, too";
  return scopes.length > 1
    ? `take one out, e.g. with \`${initLine(agent, scopes[1] ?? "user", true)}\``
    : `run \`${initLine(agent, scopes[0] ?? "user")}\``;
}

function unique(faults: readonly AgentFault[]): readonly AgentFault[] {
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}
