import { VERSION } from "../core/version.ts";
import type { PolicySource } from "../policy/types.ts";
import type { ExecResult, RunExecOptions } from "./exec-types.ts";

/** Version of the receipt's form; docs/receipt.md describes it. */
const RECEIPT_VERSION = 1;

/**
 * The record of a run: what was asked, what was decided and why, what was really enforced, what it left.
 * It never holds the content of a file or of the output.
 */
export function makeReceipt(options: RunExecOptions, result: ExecResult): Record<string, unknown> {
  return {
    receipt: RECEIPT_VERSION,
    version: VERSION,
    policy: { ...file(options.source), also: (options.source.also ?? []).map(file) },
    argv: options.argv,
    cwd: options.workspace.cwd,
    workspace: options.workspace.root,
    start: result.startedAt.toISOString(),
    duration_ms: Math.round(result.durationMs * 1000) / 1000,
    verdict: result.verdict,
    reason: { code: result.reason.code, rule: result.reason.rule ?? null, text: result.reason.text },
    child: result.child ?? null,
    setting: result.setting ?? null,
    protections: result.protections ?? null,
    produced: result.produced,
    findings: result.findings,
    warnings: result.warnings,
    leftovers: result.leftovers,
    output: {
      stdout_bytes: result.stdoutBytes,
      stderr_bytes: result.stderrBytes,
      shown: result.outputShown,
      withheld_bytes: result.withheld.stdout + result.withheld.stderr,
    },
    denials: result.verdict === "deny" ? result.lines : [],
  };
}

function file({ path, sha256 }: PolicySource): {
  readonly path: string | null;
  readonly sha256: string | null;
} {
  return { path: path ?? null, sha256: sha256 ?? null };
}
