/** Process exit codes of the command line. The one table; nothing else names a number. */
export const EXIT = {
  allow: 0,
  /** Broken: bad policy, no isolation, timeout, usage, a command that failed or never started. */
  broken: 1,
  deny: 2,
} as const;

/** Exit codes of `exec --exit=child`, where the command's own status passes through (128 + n for signal n). */
export const CHILD_EXIT = { broken: 125, deny: 126, signalBase: 128 } as const;
