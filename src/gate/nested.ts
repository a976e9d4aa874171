/** A command that another one starts, or text that it hands to a shell. */
type Nested =
  | { readonly kind: "argv"; readonly argv: readonly string[] }
  | { readonly kind: "shell"; readonly text: string };

interface Runner {
  /** Options that take the next argument. */
  readonly valued?: readonly string[];
  /** Operands before the command. */
  readonly skip?: number;
}

/** Programs that run the command in their own arguments. */
const RUNNERS: Readonly<Record<string, Runner>> = {
  env: { valued: ["-u", "--unset", "-C", "--chdir", "-S", "--split-string"] },
  timeout: { valued: ["-k", "--kill-after", "-s", "--signal"], skip: 1 },
  nice: { valued: ["-n", "--adjustment"] },
  ionice: { valued: ["-c", "-n", "-p"] },
  taskset: { skip: 1 },
  nohup: {},
  setsid: {},
  time: { valued: ["-f", "-o"] },
  stdbuf: { valued: ["-i", "-o", "-e"] },
  sudo: { valued: ["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T"] },
  doas: { valued: ["-u", "-C"] },
  xargs: { valued: ["-I", "-n", "-P", "-d", "-L", "-s", "-a", "-E"] },
  strace: { valued: ["-o", "-e", "-p", "-s", "-u"] },
  busybox: {},
  command: {},
  exec: { valued: ["-a"] },
  builtin: {},
};

const SHELLS = /^(?:ba|da|z|k|a|mk|r)?sh$/;
const FIND_EXEC = /^-(?:exec|execdir|ok|okdir)$/;

/** Whether a program runs a command that its arguments hold. */
export function runsArguments(program: string, args: readonly string[]): boolean {
  return nestedCommands(program, args).length > 0;
}

/** What `argv` would start beside its own program. */
function nestedCommands(program: string, args: readonly string[]): Nested[] {
  if (SHELLS.test(program)) return shellText(args);
  if (program === "eval") return [{ kind: "shell", text: args.join(" ") }];
  if (program === "find") return findCommands(args);
  const runner = Object.hasOwn(RUNNERS, program) ? RUNNERS[program] : undefined;
  if (runner === undefined) return [];
  const start = commandStart(args, runner);
  const split = program === "env" ? envSplit(args, start) : undefined;
  if (split !== undefined) return [split];
  return start < args.length ? [{ kind: "argv", argv: args.slice(start) }] : [];
}

function commandStart(args: readonly string[], runner: Runner): number {
  let skip = runner.skip ?? 0;
  let i = 0;
  while (i < args.length) {
    const arg = args[i] ?? "";
    if (arg === "--") return i + 1 + skip;
    if (arg.startsWith("-") && arg !== "-") i += runner.valued?.includes(arg) === true ? 2 : 1;
    else if (/^[A-Za-z_]\w*=/.test(arg)) i += 1;
    else if (skip > 0) {
      skip -= 1;
      i += 1;
    } else break;
  }
  return i;
}

/** `env -S 'text'`: what stands behind the text is appended to it, word by word. */
function envSplit(args: readonly string[], end: number): Nested | undefined {
  const at = args.slice(0, end).findIndex((arg) => /^(?:-\w*S|--split-string)/.test(arg));
  if (at < 0) return undefined;
  const glued = (args[at] ?? "").replace(/^(?:-\w*?S|--split-string)=?/, "");
  const [text = "", ...words] = glued === "" ? args.slice(at + 1) : [glued, ...args.slice(at + 1)];
  return { kind: "shell", text: [text, ...words.map(quoted)].join(" ") };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** `sh -c text`, also `-lc`, `-e -c`; a script file is an ordinary operand. */
function shellText(args: readonly string[]): Nested[] {
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? "";
    if (/^[-+]o$/i.test(arg)) i += 1;
    else if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(arg)) {
      const text = args.slice(i + 1).find((next) => !next.startsWith("-"));
      return text === undefined ? [] : [{ kind: "shell", text }];
    } else if (!arg.startsWith("-") && !arg.startsWith("+")) return [];
  }
  return [];
}

function findCommands(args: readonly string[]): Nested[] {
  const found: Nested[] = [];
  for (let i = 0; i < args.length; i += 1) {
    if (!FIND_EXEC.test(args[i] ?? "")) continue;
    const rest = args.slice(i + 1);
    const end = rest.findIndex((arg) => arg === ";" || arg === "+");
    found.push({ kind: "argv", argv: end < 0 ? rest : rest.slice(0, end) });
  }
  return found;
}

/** How many arguments of `argv` are the program's own; the rest is judged as the nested command. */
export function ownArguments(program: string, args: readonly string[]): readonly string[] {
  const nested = nestedCommands(program, args);
  if (nested.length === 0) return args;
  if (program === "eval") return [];
  if (program === "find")
    return args.slice(
      0,
      args.findIndex((arg) => FIND_EXEC.test(arg)),
    );
  const [first] = nested;
  if (first?.kind === "shell" && SHELLS.test(program)) return args.filter((arg) => arg !== first.text);
  const last = nested.at(-1);
  return last?.kind === "argv" ? args.slice(0, args.length - last.argv.length) : [];
}
