import type { PathRecord } from "./types.ts";

/** Calls that neither Landlock nor seccomp can judge, handed to a process beside the command. */
export interface BrokerPlan {
  readonly classes: readonly BrokerClass[];
  /** Beneath them metadata may be changed, and sockets that the run made be reached. The scratch folder is one too. */
  readonly places: readonly PathRecord[];
  /** Sockets of others that may be reached. */
  readonly sockets: readonly PathRecord[];
}

/**
 * `metadata`: modes, owners, times, extended attributes. `sockets`: connecting unix sockets. `processes`: signals to other
 * processes, and their scheduling.
 */
export type BrokerClass = "metadata" | "sockets" | "processes";
