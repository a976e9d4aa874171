import { strictest } from "../../core/decision.ts";
import { printable } from "../../core/printable.ts";
import type { JsonObject } from "../../core/strict-json.ts";
import { commandWords } from "../../tools/command-words.ts";
import { runCheckCommand } from "../check.ts";
import { runExec } from "../exec.ts";
import type { ExecResult } from "../exec-types.ts";
import {
  type Answer,
  type Desk,
  failed,
  failure,
  judgeBuiltin,
  type Prepared,
  redactorOf,
  refused,
  viewOf,
} from "./desk.ts";
import { Progress } from "./progress.ts";

/** What a call is carried out with beside its arguments. */
export interface RunContext {
  /** Ends the run with everything that it started. */
  readonly signal: AbortSignal;
  /** Undefined where the client does not want to hear of progress. */
  readonly onProgress: ((text: string, count: number) => Promise<void>) | undefined;
  readonly onWarning: (warning: string) => void;
}

/** Judges a call of `execute_code`: as a tool call, then as the command that would be started. */
export async function prepareCodeCall(desk: Desk, args: JsonObject, context: RunContext): Promise<Prepared> {
  const command = String(args["command"] ?? "");
  const written = await judgeBuiltin(desk, "execute_code", args);
  if (written.decision === "deny") return { kind: "answer", answer: refused(written, desk, command) };
  const split = commandWords(command);
  if (split.kind === "problem") {
    const hint = `the command needs a shell: ${split.why}; write bash -c '…'`;
    return { kind: "answer", answer: failed(hint) };
  }
  try {
    const workspace = { ...desk.workspace, cwd: viewOf(desk).resolve(String(args["dir"] ?? "")) };
    const there: Desk = { ...desk, workspace };
    const started = await runCheckCommand({ ...there, argv: split.words });
    // What Paldron asks by itself of a tool's command is answered by the sandbox, as for `exec`; a rule is not.
    const isAnswered = written.decision === "ask" && written.code !== "rule";
    const decision = isAnswered ? started : strictest(written, started);
    if (decision.decision === "deny") return { kind: "answer", answer: refused(decision, desk, command) };
    return {
      kind: "ready",
      decision,
      about: `${printable(command, 1000)} in ${printable(workspace.cwd)}`,
      carryOut: () => run(there, split.words, { ...context, approved: decision.decision === "ask" }),
      release: () => undefined,
    };
  } catch (error) {
    return { kind: "answer", answer: failure(error) };
  }
}

/** Runs what was judged, and approved where that was asked for. */
async function run(
  desk: Desk,
  argv: readonly string[],
  { signal, onProgress, onWarning, approved }: RunContext & { readonly approved: boolean },
): Promise<Answer> {
  const redactor = redactorOf(desk);
  // What a verdict is asked about is shown to nobody before there is one.
  const progress =
    onProgress === undefined || desk.policy.jevVerdict
      ? undefined
      : new Progress({ redactor, send: onProgress });
  const result = await runExec({
    ...desk,
    argv,
    stdin: "ignore",
    output: "capture",
    signal,
    onWarning,
    onOutput: progress && ((stream, bytes) => progress.add(stream, bytes)),
    confirm: async () => approved,
  });
  await progress?.end();
  return { text: redactor.clean(report(result)), isError: !succeeded(result) };
}

function succeeded({ verdict, child }: ExecResult): boolean {
  return verdict === "allow" && child?.exit_code === 0;
}

/** The verdict in a line or more, then what was printed, where it may be shown. */
function report(result: ExecResult): string {
  const { verdict, lines, outputShown, stdout, stderr, stdoutBytes, stderrBytes } = result;
  const prefix = verdict === "deny" ? "denied by paldron: " : "";
  const said =
    lines.length === 0 ? ["command exited 0"] : lines.map((line) => `${prefix}${printable(line, 400)}`);
  const output = outputShown
    ? [...section("stdout", stdout, stdoutBytes), ...section("stderr", stderr, stderrBytes)]
    : ["the output is withheld"];
  return [...said, ...output].join("\n");
}

function section(title: string, bytes: Uint8Array, total: number): readonly string[] {
  if (total === 0) return [];
  const cut = total > bytes.length ? `\n[cut: the first ${bytes.length} of ${total} bytes]` : "";
  return [`[${title}]`, `${new TextDecoder().decode(bytes)}${cut}`];
}
