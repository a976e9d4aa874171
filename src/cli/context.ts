/** What a command gets from the process it runs in; nothing in `cli/` but `main.ts` touches the process itself. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes to standard output; throws when the output is lost. */
  readonly out: (text: string) => void;
  /** As `out`, for output of a command, byte for byte. */
  readonly outBytes: (bytes: Uint8Array) => void;
  /** Writes to a standard stream as it stands; false when it is lost, also to a reader that is gone. */
  readonly put: (fd: 1 | 2, text: string) => boolean;
  /** One line on standard error, `paldron: ` put before it, made safe to show. */
  readonly say: (message: string) => void;
  /** Says what was thrown, in one line. */
  readonly complain: (error: unknown) => void;
}

/** One command: options and operands in, exit code out. */
export type Command = (args: readonly string[], context: Context) => Promise<number> | number;
