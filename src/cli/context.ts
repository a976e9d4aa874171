/** What a command gets from the process it runs in; nothing in `cli/` but `main.ts` touches the process itself. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes to standard output; throws when the output is lost. */
  readonly out: (text: string) => void;
  /** One line on standard error, `paldron: ` put before it, made safe to show. */
  readonly say: (message: string) => void;
}

/** One command: options and operands in, exit code out. */
export type Command = (args: readonly string[], context: Context) => Promise<number> | number;
