import { PaldronError } from "../core/errors.ts";
import type { CacheStore } from "../host/cache-store.ts";
import { systemPaths, toolchainPaths } from "../host/cached-paths.ts";
import { type ConfinedPrograms, confinedPrograms } from "../host/confined-programs.ts";
import { dependencyCaches } from "../host/dependency-caches.ts";
import { diskState } from "../host/disk.ts";
import { fileView } from "../host/file-view.ts";
import { type GitDirs, gitDirs } from "../host/git-dirs.ts";
import { gitFiles } from "../host/git-files.ts";
import { linksOf } from "../host/links.ts";
import { type Grant, type GrantKind, isWithin, pathRecord } from "../host/path-record.ts";
import { machineMemory } from "../host/platform.ts";
import { runtimeNames } from "../host/runtime-paths.ts";
import { whyNoProgram } from "../host/start-problem.ts";
import { temporaryLink } from "../host/temporary-link.ts";
import type { BuildInput, GrantedPaths, HomeContent } from "../plan/build.ts";
import { buildEnvironment } from "../plan/environment.ts";
import { cacheVariables, homeLinks, type KeptCaches } from "../plan/home-caches.ts";
import { PRIVATE } from "../plan/mounts.ts";
import { traits } from "../plan/settings.ts";
import type { PathRecord, Setting } from "../plan/types.ts";
import { relativeWritePaths } from "../policy/paths.ts";
import type { RunExecOptions } from "./exec-types.ts";
import { inHome, namedPrograms, readPaths, unixSockets } from "./policy-places.ts";

/** Short, so that sockets in TMPDIR fit into the 108 bytes of sun_path (unix(7)). */
const SCRATCH_PARENT = "/tmp";
const SCRATCH_FOLDERS = { home: "home", tmp: "tmp" } as const;

/** What of a plan does not depend on the setting. */
type CommonInput = Omit<
  BuildInput,
  "facts" | "setting" | "strongerFailed" | "secrets" | "output" | "env" | "scratch" | "home" | "git"
>;

export interface PlanSource extends CommonInput {
  readonly git: GitDirs;
  /** What the setting decides: where home and temporary files are. */
  forSetting(setting: Setting): Pick<BuildInput, "setting" | "env" | "scratch" | "home">;
}

/** Where a setting has the home, temporary files and the kept caches. */
interface HomePlaces {
  readonly home: string;
  readonly tmp: string;
  readonly kept: KeptCaches | undefined;
}

interface PlanTools {
  /** The kept caches; undefined where there are none. */
  readonly store: CacheStore | undefined;
  readonly warn: (warning: string) => void;
}

/** Everything about this host that a plan needs, looked up now. What the policy names and is not there is said. */
export function planSource(options: RunExecOptions, { store, warn }: PlanTools): PlanSource {
  const { policy, workspace, env, argv } = options;
  const execPath = locate(options);
  const runtime = systemPaths();
  const toolchains = toolchainPaths({
    path: env["PATH"],
    home: env["HOME"],
    workspace: workspace.root,
    program: execPath,
    runtime,
  });
  const git = gitFiles(env["HOME"]);
  const dependencies = dependencyCaches(env["HOME"]);
  const network = policy.allowNetwork;
  const environment = (places: HomePlaces): readonly string[] =>
    buildEnvironment({
      env,
      variables: options.server?.variables ?? [],
      scratchHome: places.home,
      scratchTmp: places.tmp,
      cwd: workspace.cwd,
      network,
      toolchains: toolchains.env,
      sockets: policy.unixSockets.map((entry) => inHome(entry, env["HOME"])),
      caches: cacheVariables({ kept: places.kept, real: dependencies.real, network }),
      gitConfig: undefined,
    });
  const programs = policy.confineBinaries
    ? findPrograms(options, execPath, [...runtime, ...toolchains.grants, ...dependencies.grants])
    : undefined;
  const home = (kept: KeptCaches | undefined): HomeContent => ({
    links: [...homeLinks({ kept, real: dependencies.real, network }), ...git.links],
    caches: store && { around: store.around, folders: [...store.folders.values()] },
  });
  const links = [
    ...linksOf([...grantedNames(options, execPath), ...(programs?.names ?? [])]),
    ...(programs?.links ?? []),
  ];
  return {
    policy,
    machineMemory: machineMemory(),
    disk: diskState(workspace.root),
    execPath,
    program: must(programs?.links.find(({ path }) => path === execPath)?.text ?? execPath),
    argv,
    cwd: must(workspace.cwd),
    workspace: must(workspace.root),
    paths: {
      ...byKind([...runtime, ...toolchains.grants, ...dependencies.grants, ...git.grants]),
      readPaths: [...readPaths(options), ...namedPrograms(options)],
      writePaths: writePaths(options, warn),
      unixSockets: unixSockets(options, warn),
    },
    programs,
    links: [...links, ...temporaryLink({ folder: env["TMPDIR"], workspace: workspace.root, links })],
    git: gitDirs(workspace.root),
    forSetting: (setting) => {
      if (traits(setting).newRoot) {
        const kept = store && { at: PRIVATE.caches, folders: store.folders };
        const env = environment({ home: PRIVATE.home, tmp: PRIVATE.tmp, kept });
        return { setting, env, scratch: undefined, home: home(kept) };
      }
      const scratch = { parent: must(SCRATCH_PARENT), name: unusedName() };
      const folder = `${scratch.parent.path}/${scratch.name}`;
      const kept = store && { at: store.around.path, folders: store.folders };
      return {
        setting,
        env: environment({
          home: `${folder}/${SCRATCH_FOLDERS.home}`,
          tmp: `${folder}/${SCRATCH_FOLDERS.tmp}`,
          kept,
        }),
        scratch: { ...scratch, folders: Object.values(SCRATCH_FOLDERS), home: SCRATCH_FOLDERS.home },
        home: home(kept),
      };
    },
  };
}

function findPrograms(
  { policy, env, workspace }: RunExecOptions,
  program: string,
  runtime: readonly Grant[],
): ConfinedPrograms {
  return confinedPrograms({
    policy,
    path: env["PATH"],
    workspace,
    program,
    runtime: runtime.filter(({ kind }) => kind === "read-exec"),
  });
}

/** Only has to be unused: the launcher refuses a name that exists. The kernel-seeded generator would cost 5 ms. */
function unusedName(): string {
  return `paldron-${Math.random().toString(36).slice(2)}`;
}

/** Names under which a command may look for what is granted. */
function grantedNames({ policy, env, workspace }: RunExecOptions, execPath: string): readonly string[] {
  const home = env["HOME"];
  return [
    ...runtimeNames(),
    ...(env["PATH"] ?? "").split(":"),
    execPath,
    ...workspace.names,
    ...policy.allowBinaries,
    ...[...policy.readPaths, ...policy.unixSockets].map((entry) => inHome(entry, home)),
    ...(home === undefined ? [] : [`${home}/.gitconfig`]),
  ].filter((name) => name.startsWith("/"));
}

/** The record of a path that must be there. */
function must(path: string): PathRecord {
  const record = pathRecord(path);
  if (record === undefined) throw new PaldronError("io", `${path} does not exist or may not be seen`);
  return record;
}

/** The file that argv[0] names, found as the caller's PATH leads to it. */
export function locate({ argv, workspace, env }: RunExecOptions): string {
  const name = argv[0] ?? "";
  const found = fileView({ env, workspace }).findProgram(name, workspace.cwd);
  if (found === undefined) {
    const file = name.startsWith("/") ? name : `${workspace.cwd}/${name}`;
    const path = name.includes("/") ? file : undefined;
    throw new PaldronError("start", `the command cannot be started: ${whyNoProgram(name, path)}`);
  }
  return found;
}

function byKind(grants: readonly Grant[]): Omit<GrantedPaths, "readPaths" | "writePaths" | "unixSockets"> {
  const of = (kind: GrantKind): readonly PathRecord[] => grants.filter((grant) => grant.kind === kind);
  return {
    runtime: of("read-exec"),
    readable: of("read"),
    devices: of("device"),
    sharedMemory: of("shared-rw")[0],
    proc: of("proc")[0],
  };
}

/** `write_paths` as they lie on the disk; one that a link leads out of the workspace is a mistake in the policy. */
export function writePaths(
  { policy, workspace }: RunExecOptions,
  warn: (warning: string) => void,
): readonly PathRecord[] | undefined {
  const entries = relativeWritePaths(policy, [workspace.root, ...workspace.names]);
  return entries?.flatMap((entry) => {
    const record = pathRecord(`${workspace.root}/${entry}`);
    if (record === undefined) {
      warn(`write_paths entry ${entry} does not exist, so the command cannot make it`);
      return [];
    }
    if (!isWithin(record.path, workspace.root)) {
      throw new PaldronError(
        "policy",
        `write_paths entry ${entry} leads out of the workspace (${record.path})`,
      );
    }
    return [record];
  });
}
