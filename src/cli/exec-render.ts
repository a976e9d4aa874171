import type { ExecResult } from "../app/exec-types.ts";
import { concatBytes, decodeBytes, encodeBytes } from "../core/bytes.ts";
import { CHILD_EXIT, EXIT } from "../core/exit-codes.ts";
import type { EXIT_MODES } from "./commands.ts";

export type ExitMode = (typeof EXIT_MODES)[number];

/** The exit code of a run: what Paldron says of it, or the command's own status (DESIGN: one table). */
export function execExitCode(result: ExecResult, mode: ExitMode): number {
  if (mode === "child") return childExitCode(result);
  if (result.verdict === "deny") return EXIT.deny;
  return result.verdict === "allow" && result.child?.exit_code === 0 ? EXIT.allow : EXIT.broken;
}

function childExitCode(result: ExecResult): number {
  if (result.verdict === "deny") return CHILD_EXIT.deny;
  if (result.verdict === "broken" || result.child === undefined) return CHILD_EXIT.broken;
  if (result.child.exit_code !== null) return result.child.exit_code;
  return result.signalNumber === undefined ? CHILD_EXIT.broken : CHILD_EXIT.signalBase + result.signalNumber;
}

/** What is said on stderr. Under `--exit=child` the command's own failure speaks for itself. */
export function execMessages(result: ExecResult, mode: ExitMode): readonly string[] {
  if (result.verdict === "deny") return result.lines.map((line) => `deny: ${line}`);
  return result.verdict === "allow" && mode === "child" ? [] : result.lines;
}

function truncated(bytes: Uint8Array, total: number): boolean {
  return total > bytes.length;
}

function section(title: string, bytes: Uint8Array, total: number): Uint8Array[] {
  if (total === 0) return [];
  const cut = truncated(bytes, total) ? `\n\n[TRUNCATED: output exceeded ${bytes.length} bytes]` : "";
  return [encodeBytes(`[${title}]\n`), bytes, encodeBytes(`${cut}\n`)];
}

/** `--format=report`: the run in sections, after its end. Empty where the gate refused it. */
export function execReport(result: ExecResult): Uint8Array {
  const { child } = result;
  if (child === undefined) {
    return encodeBytes(result.verdict === "broken" ? `[SANDBOX ERROR] ${result.reason.text}\n` : "");
  }
  const code = child.exit_code === null ? "-1" : child.exit_code === 0 ? "0 (success)" : `${child.exit_code}`;
  return concatBytes([
    ...(child.timed_out ? [encodeBytes("[TIMEOUT] Command killed after exceeding time limit\n")] : []),
    ...(result.outputShown
      ? section("STDOUT", result.stdout, result.stdoutBytes - result.withheld.stdout)
      : []),
    ...(result.outputShown
      ? section("STDERR", result.stderr, result.stderrBytes - result.withheld.stderr)
      : []),
    encodeBytes(`[EXIT CODE] ${code}\n`),
  ]);
}

/** `--format=json`: the receipt with the output in it; bytes that are not UTF-8 are lone surrogates `\udcXX`. */
export function execJson(result: ExecResult, receipt: Record<string, unknown>): Record<string, unknown> {
  if (!result.outputShown) return receipt;
  return {
    ...receipt,
    stdout: decodeBytes(result.stdout),
    stdout_truncated: truncated(result.stdout, result.stdoutBytes - result.withheld.stdout),
    stderr: decodeBytes(result.stderr),
    stderr_truncated: truncated(result.stderr, result.stderrBytes - result.withheld.stderr),
  };
}
