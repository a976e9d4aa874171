interface Interpreter {
  /** Operands that leave it interactive all the same: a database, a program to debug. */
  readonly operands: number;
}

const NONE: Interpreter = { operands: 0 };
const ONE: Interpreter = { operands: 1 };

/** Programs that read commands from whoever types, unless they are given some. Shells are known by the analysis. */
const INTERPRETERS: readonly (readonly [RegExp, Interpreter])[] = [
  [/^(?:python|pypy)[\d.]*$/, NONE],
  [/^redis-cli$/, NONE],
  [
    /^(?:i?node|nodejs|ipython3?|irb|pry|ghci|iex|erl|lua[\d.]*|luajit|R|julia|jshell|scala|sbt|amm|bpython)$/,
    NONE,
  ],
  [/^(?:sqlite3?|psql|mysql|mariadb|mongo|mongosh|duckdb)$/, ONE],
  [/^(?:gdb|lldb|pdb|ftp|sftp|telnet)$/, ONE],
];

/** Options that hand the program what it should do, or only ask for its version. */
const GIVEN =
  /^(?:-[a-zA-Z]*[cefmpxVvh]|--(?:version|help|eval|print|command|execute|file|batch|test|check|run).*)$/;

/**
 * Whether a program started like this waits for commands. An argument that is not known counts as an operand.
 * `heredoc`: the words may hold the mark of a heredoc, which is no operand and feeds the program.
 */
export function isInteractive(
  program: string,
  args: readonly (string | undefined)[],
  heredoc: boolean,
): boolean {
  const found = INTERPRETERS.find(([name]) => name.test(program))?.[1];
  if (found === undefined) return false;
  if (args.some((arg) => arg === "-i" || arg === "--interactive")) return true;
  if (args.some((arg) => arg !== undefined && GIVEN.test(arg))) return false;
  const operands = args.filter((arg) => arg === undefined || !arg.startsWith("-") || arg === "-").length;
  return heredoc && found.operands > 0 ? false : operands <= found.operands;
}
