import { PaldronError } from "../core/errors.ts";
import { systemPaths, toolchainPaths } from "../host/cached-paths.ts";
import { fileView } from "../host/file-view.ts";
import { gitConfig } from "../host/git-config.ts";
import { type Grant, type GrantKind, isWithin, pathRecord } from "../host/path-record.ts";
import type { BuildInput, GrantedPaths } from "../plan/build.ts";
import { buildEnvironment } from "../plan/environment.ts";
import type { PathRecord } from "../plan/types.ts";
import { relativeWritePaths } from "../policy/paths.ts";
import type { RunExecOptions } from "./exec-types.ts";

/** Short, so that sockets in TMPDIR fit into the 108 bytes of sun_path (unix(7)). */
const SCRATCH_PARENT = "/tmp";
const SCRATCH_FOLDERS = { home: "home", tmp: "tmp" } as const;

/** Everything about this host that a plan needs, looked up now. What the policy names and is not there is said. */
export function planInput(
  options: RunExecOptions,
  warn: (warning: string) => void,
): Omit<BuildInput, "facts" | "secretsFound" | "output"> {
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
  const git = gitConfig(env["HOME"]);
  // Only has to be unused: the launcher refuses a name that exists. The kernel-seeded generator would cost 5 ms.
  const scratch = { parent: must(SCRATCH_PARENT), name: `paldron-${Math.random().toString(36).slice(2)}` };
  const folder = `${scratch.parent.path}/${scratch.name}`;
  const lines = buildEnvironment({
    env,
    scratchHome: `${folder}/${SCRATCH_FOLDERS.home}`,
    scratchTmp: `${folder}/${SCRATCH_FOLDERS.tmp}`,
    cwd: workspace.cwd,
    network: policy.allowNetwork,
    toolchains: toolchains.env,
    gitConfig: git?.path,
  });
  return {
    policy,
    execPath,
    program: must(execPath),
    argv,
    env: lines,
    cwd: must(workspace.cwd),
    workspace: must(workspace.root),
    paths: {
      ...byKind([...runtime, ...toolchains.grants, ...(git === undefined ? [] : [git])]),
      readPaths: [...readPaths(options), ...namedPrograms(options)],
      writePaths: writePaths(options, warn),
    },
    scratch: { ...scratch, folders: Object.values(SCRATCH_FOLDERS) },
  };
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
  if (found === undefined)
    throw new PaldronError("start", `the command cannot be started: ${name} is not found`);
  return found;
}

function byKind(grants: readonly Grant[]): Omit<GrantedPaths, "readPaths" | "writePaths"> {
  const of = (kind: GrantKind): readonly PathRecord[] => grants.filter((grant) => grant.kind === kind);
  return {
    runtime: of("read-exec"),
    readable: of("read"),
    devices: of("device"),
    sharedMemory: of("shared-rw")[0],
    proc: of("proc")[0],
  };
}

function readPaths({ policy, env }: RunExecOptions): readonly PathRecord[] {
  const home = env["HOME"] ?? "";
  return policy.readPaths.flatMap((entry) => {
    const record = pathRecord(entry.startsWith("~/") ? `${home}${entry.slice(1)}` : entry);
    return record === undefined ? [] : [record];
  });
}

/** Programs that `allow_binaries` names by their whole path may be executed wherever they lie. */
function namedPrograms({ policy }: RunExecOptions): readonly PathRecord[] {
  return policy.allowBinaries.flatMap((entry) => {
    const record = entry.startsWith("/") ? pathRecord(entry) : undefined;
    return record === undefined ? [] : [record];
  });
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
