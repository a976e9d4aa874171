import { decodeBytes } from "../core/bytes.ts";
import { PaldronError } from "../core/errors.ts";
import { type CompatPlace, makeCompatPlace } from "../host/compat-place.ts";
import { fileView } from "../host/file-view.ts";
import { runChild } from "../host/run-child.ts";
import type { Policy } from "../policy/types.ts";
import { COMPAT_CHECKS, COMPAT_FILES, type CompatCheck } from "./compat-checks.ts";
import type { CompatRow } from "./doctor-types.ts";
import { runExec } from "./exec.ts";
import type { RunExecOptions } from "./exec-types.ts";

export interface CompatOptions {
  readonly policy: Policy;
  readonly env: RunExecOptions["env"];
  readonly signal?: AbortSignal | undefined;
}

const STEP_MS = 60_000;
/** Letters of what a failed step said last. */
const SAID = 160;

/** How one step ended; undefined: well. */
type Failure = Omit<CompatRow, "name" | "needs"> | undefined;
type Step = (argv: readonly string[]) => Promise<Failure>;

/**
 * Does what ordinary tools do, under the caller's policy in a scratch workspace, and in another one without Paldron
 * where it failed, to tell what is Paldron's doing.
 */
export async function runCompat(options: CompatOptions): Promise<readonly CompatRow[]> {
  const confined = makeCompatPlace(COMPAT_FILES);
  const bare = makeCompatPlace(COMPAT_FILES);
  try {
    for (const place of [confined, bare]) await makeRepository(place, options);
    const rows: CompatRow[] = [];
    for (const check of COMPAT_CHECKS) {
      if (options.signal?.aborted === true) throw new PaldronError("start", "doctor was interrupted");
      rows.push(await runCheck(check, { options, confined, bare }));
    }
    return rows;
  } finally {
    confined.remove();
    bare.remove();
  }
}

interface Places {
  readonly options: CompatOptions;
  readonly confined: CompatPlace;
  readonly bare: CompatPlace;
}

async function runCheck(check: CompatCheck, { options, confined, bare }: Places): Promise<CompatRow> {
  const { name, needs, steps } = check;
  if (find(needs, bare, options) === undefined) return { name, needs, result: "absent", detail: undefined };
  const outside = await firstFailure(steps, (argv) => bareStep(argv, bare, options));
  if (outside !== undefined) return { name, needs, result: "fails-anyway", detail: outside.detail };
  const inside = await firstFailure(steps, (argv) => confinedStep(argv, confined, options));
  return { name, needs, result: "works", detail: undefined, ...inside };
}

async function firstFailure(steps: CompatCheck["steps"], step: Step): Promise<Failure> {
  for (const argv of steps) {
    const failure = await step(argv);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** Paths of the policy mean nothing in another workspace; everything else of it holds. */
function compatPolicy(policy: Policy): Policy {
  return { ...policy, allowPaths: [], alsoAllowPaths: [], writePaths: undefined, jevVerdict: false };
}

async function confinedStep(
  argv: readonly string[],
  place: CompatPlace,
  { policy, env, signal }: CompatOptions,
): Promise<Failure> {
  const { verdict, child, reason, stderr, stdout } = await runExec({
    argv,
    policy: compatPolicy(policy),
    source: { path: undefined, sha256: undefined },
    workspace: { root: place.workspace, names: [], cwd: place.workspace },
    env: { ...env, XDG_CACHE_HOME: place.caches },
    output: "capture",
    stdin: "ignore",
    signal,
  });
  if (verdict === "deny") return { result: "denied", detail: reason.text };
  if (verdict === "broken") return { result: "broken", detail: reason.text };
  if (child?.exit_code === 0) return undefined;
  return { result: "fails", detail: lastLine(stderr) ?? lastLine(stdout) ?? reason.text };
}

async function bareStep(
  argv: readonly string[],
  place: CompatPlace,
  options: CompatOptions,
): Promise<Failure> {
  const program = find(argv[0] ?? "", place, options);
  if (program === undefined) return { result: "absent", detail: argv[0] };
  const { kind, value, stderr, stdout } = await runChild({
    program,
    argv,
    env: bareEnvironment(place, options.env),
    cwd: place.workspace,
    timeoutMs: STEP_MS,
    graceMs: 1000,
    stdin: "ignore",
    stdout: undefined,
    stderr: undefined,
    signal: options.signal,
  });
  if (kind === "exited" && value === 0) return undefined;
  return { result: "fails", detail: lastLine(stderr) ?? lastLine(stdout) ?? `${kind} ${value}` };
}

/** With an empty home, so that nothing is written into the real one; toolchains that lie in it are named. */
function bareEnvironment(place: CompatPlace, env: CompatOptions["env"]): readonly string[] {
  const home = env["HOME"] ?? "";
  const own = { ...env, HOME: place.home, CARGO_HOME: `${place.home}/.cargo`, GOFLAGS: "" };
  const toolchains = {
    RUSTUP_HOME: `${home}/.rustup`,
    PYENV_ROOT: `${home}/.pyenv`,
    VOLTA_HOME: `${home}/.volta`,
  };
  return Object.entries({ ...toolchains, ...own }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
}

function find(name: string, place: CompatPlace, { env }: CompatOptions): string | undefined {
  const workspace = { root: place.workspace, names: [], cwd: place.workspace };
  return fileView({ env, workspace }).findProgram(name, place.workspace);
}

function lastLine(bytes: Uint8Array): string | undefined {
  const lines = decodeBytes(bytes)
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.at(-1)?.slice(0, SAID);
}

/** Outside of any run: what a person has before an agent starts. */
async function makeRepository(place: CompatPlace, options: CompatOptions): Promise<void> {
  if (find("git", place, options) === undefined) return;
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  for (const rest of [
    ["init", "-q", "."],
    ["add", "-A"],
    [...author, "commit", "-q", "-m", "one"],
  ]) {
    await bareStep(["git", ...rest], place, options);
  }
}
