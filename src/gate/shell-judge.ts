import type { Decision } from "../core/decision.ts";
import type { GateContext } from "./context.ts";

/**
 * The part of the gate that reads shell (`./shell.ts`). It is large, so whoever asks the gate gives it only with a
 * request that `needsShell`.
 */
export interface ShellJudge {
  /** Shell text. */
  readonly text: (text: string, context: GateContext) => Decision | undefined;
  /** An argument vector and whatever its programs start. The first program itself is the caller's to judge. */
  readonly argv: (argv: readonly string[], context: GateContext) => Decision | undefined;
  /** What is asked of a command that an agent sends, beyond what it reads, writes and starts. */
  readonly agent: (text: string, context: GateContext) => Decision | undefined;
}
