import { systemPaths, toolchainPaths } from "../host/cached-paths.ts";
import { type ConfinedPrograms, confinedPrograms } from "../host/confined-programs.ts";
import { exists, ownHooks } from "../host/program-signs.ts";
import type { Policy } from "../policy/types.ts";
import type { RunExecOptions } from "./exec-types.ts";

/** Something that ordinary tools do and that `confine_binaries` refuses under a policy. */
export interface ProgramGap {
  /** The listed program, or the place, that it is about. */
  readonly what: string;
  readonly why: string;
  /** What to put into the policy, if it is wanted. */
  readonly remedy: string;
}

export interface ProgramGapsInput {
  readonly policy: Policy;
  readonly env: RunExecOptions["env"];
  /** Undefined: only the programs are looked at. */
  readonly workspace: RunExecOptions["workspace"] | undefined;
}

/** What listed programs commonly start, beside their own helpers. */
const NEEDS: readonly (readonly [program: string, needs: readonly string[], when: string])[] = [
  ["git", ["sh"], "for aliases, editors, pagers and hooks"],
  ["git", ["ssh"], "for remotes by ssh"],
  ["git", ["gpg"], "for signatures"],
  ["make", ["cp", "mkdir", "mv", "rm", "sed", "install"], "in ordinary rules"],
  ["npm", ["git"], "for dependencies from repositories"],
  ["npm", ["python3", "make", "g++"], "to build native addons"],
  ["node", ["sh"], "for child_process.exec"],
  ["python3", ["sh"], "for os.system and shell=True"],
  ["sh", ["cat", "cp", "grep", "ls", "mkdir", "mv", "rm", "sed"], "in ordinary scripts"],
  ["bash", ["cat", "cp", "grep", "ls", "mkdir", "mv", "rm", "sed"], "in ordinary scripts"],
  ["mvn", ["sh", "java", "uname", "dirname"], "to start"],
  ["gradle", ["sh", "java", "uname", "dirname", "xargs", "sed"], "to start"],
];

/** Places of a workspace from which tools load or run what was built or installed there. */
const NATIVE: readonly (readonly [program: string, sign: string, place: string, why: string])[] = [
  ["npm", "node_modules", "node_modules", "programs of packages (`node_modules/.bin`) and native addons"],
  ["node", "node_modules", "node_modules", "native addons"],
  ["python3", ".venv", ".venv", "native modules and scripts of the virtual environment"],
  ["python3", "venv", "venv", "native modules and scripts of the virtual environment"],
  ["cargo", "Cargo.toml", "target", "build scripts, tests and `cargo run`"],
  ["go", "go.mod", "/tmp", "`go test` and `go run`"],
];

/**
 * What `confine_binaries` breaks under a policy whose list is what it is: entries that are not found, programs that
 * listed ones commonly start, places of the workspace from which nothing can be started.
 */
export function programGaps(input: ProgramGapsInput): readonly ProgramGap[] {
  const programs = find(input);
  const { policy, workspace } = input;
  const listed = (name: string): boolean =>
    policy.allowBinaries.some((entry) => entry.slice(entry.lastIndexOf("/") + 1) === name);
  return [
    ...programs.missing.map((entry) => ({
      what: entry,
      why: "is listed and not found on PATH outside of the workspace",
      remedy: "name its path in allow_binaries",
    })),
    ...NEEDS.filter(([name]) => listed(name)).flatMap(([name, needs, when]) => {
      const absent = needs.filter((need) => !programs.has(need));
      if (absent.length === 0) return [];
      return [
        { what: name, why: `starts ${absent.join(", ")} ${when}`, remedy: setting("allow_helpers", absent) },
      ];
    }),
    ...(workspace === undefined ? [] : inWorkspace(workspace.root, policy, listed)),
  ];
}

function find({ policy, env, workspace }: ProgramGapsInput): ConfinedPrograms {
  const runtime = systemPaths();
  const root = workspace?.root ?? "/nowhere";
  const { PATH: path, HOME: home } = env;
  const toolchains = toolchainPaths({ path, home, workspace: root, program: undefined, runtime });
  return confinedPrograms({
    policy,
    path,
    workspace: { root, names: workspace?.names ?? [] },
    program: undefined,
    runtime: [...runtime, ...toolchains.grants].filter(({ kind }) => kind === "read-exec"),
  });
}

function setting(key: string, entries: readonly string[]): string {
  return `${key} = [${entries.map((entry) => `"${entry}"`).join(", ")}]`;
}

function inWorkspace(root: string, policy: Policy, listed: (name: string) => boolean): readonly ProgramGap[] {
  const native = NATIVE.filter(
    ([name, sign, place]) => listed(name) && exists(`${root}/${sign}`) && !policy.allowNative.includes(place),
  );
  const hooks = ownHooks(root).filter((hook) => !policy.allowBinaries.includes(hook));
  return [
    ...native.map(([name, , place, why]) => ({
      what: name,
      why: `cannot start or load what lies in ${place}: ${why}`,
      remedy: setting("allow_native", [place]),
    })),
    ...hooks.map((hook) => ({
      what: hook,
      why: "is not run by git, as it may not be executed",
      remedy: setting("allow_binaries", [hook]),
    })),
  ];
}
