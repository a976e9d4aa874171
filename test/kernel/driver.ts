/**
 * One confined run in a process of its own, so that it can be started as another user: what the command line does,
 * and the result as JSON. The tests bundle it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { runExec } from "../../src/app/exec.ts";
import type { RunExecOptions } from "../../src/app/exec-types.ts";
import { DEFAULT_POLICY, parsePolicy } from "../../src/policy/parse.ts";

/** What the driver is told, in the file that its one argument names. */
export interface Job {
  readonly argv: readonly string[];
  readonly policy: string;
  readonly workspace: string;
  readonly output: RunExecOptions["output"];
  /** The kernel is taken for one with this Landlock ABI, if it has a higher one. */
  readonly landlockAbi: number | undefined;
  /** Runs one after the other in the one process. */
  readonly repeat: number;
  /** Where the result of the last one goes. */
  readonly result: string;
}

const job = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Job;
const cancel = new AbortController();
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => cancel.abort());

const options: RunExecOptions = {
  argv: job.argv,
  policy: job.policy === "" ? DEFAULT_POLICY : parsePolicy(job.policy, { path: "policy.toml" }),
  source: { path: undefined, sha256: undefined },
  workspace: { root: job.workspace, names: [], cwd: job.workspace },
  env: process.env,
  output: job.output,
  stdin: "inherit",
  jobControl: true,
  facts: (found) => ({
    ...found,
    landlockAbi: Math.min(found.landlockAbi, job.landlockAbi ?? found.landlockAbi),
  }),
  signal: cancel.signal,
};
for (let run = 1; run < job.repeat; run++) await runExec(options);
const result = await runExec(options);
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const plain = { ...result, stdout: text(result.stdout), stderr: text(result.stderr) };
writeFileSync(job.result, JSON.stringify(plain));
