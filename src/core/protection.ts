/** The promises Paldron can make about a run. The plan and the receipt answer for each one. */
export const PROTECTIONS = [
  "fs-write",
  "fs-read",
  "secrets-read",
  "secrets-late",
  "net-tcp",
  "net-udp",
  "net-unix",
  "net-other",
  "signals",
  "ptrace",
  "proc-others",
  "tty-others",
  "metadata",
  "programs",
  "later-exec",
  "limits",
  "tree-kill",
  "output",
  "net-loopback",
] as const;

export type Protection = (typeof PROTECTIONS)[number];

/** Whether a protection holds in this run, by what, and if not, why not. */
export interface ProtectionState {
  readonly enforced: boolean;
  readonly by?: string;
  readonly why_not?: string;
}

export type ProtectionTable = Readonly<Record<Protection, ProtectionState>>;
