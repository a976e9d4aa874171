import type { ArgumentKind } from "./judge-argument.ts";

/** Programs whose every operand is a file, whatever it looks like. */
const FILE_PROGRAMS = new Set(
  (
    "cat head tail less more tac rev nl od xxd hexdump strings wc file stat touch rm rmdir mkdir mktemp cp mv ln ls " +
    "dir tree du readlink realpath tee sort uniq cut paste shred truncate unlink install diff cmp comm ed vi vim nano " +
    "emacs source ."
  ).split(" "),
);

/** Programs whose operands are mostly refs, packages, targets or addresses. */
const NAME_PROGRAMS = new Set(
  "git hg svn gh npm npx pnpm yarn bun pip pip3 pipx uv cargo go docker podman make curl wget ssh scp".split(
    " ",
  ),
);

/** Programs that show or store their operands and open none. */
const MENTION_PROGRAMS = new Set(["echo", "printf"]);

/** Programs whose first operand is a pattern or a script, unless an option gives it. */
const GREP_OPTIONS = ["-e", "--regexp", "-f", "--file"];
const SCRIPT_FIRST: Readonly<Record<string, readonly string[]>> = {
  grep: GREP_OPTIONS,
  egrep: GREP_OPTIONS,
  fgrep: GREP_OPTIONS,
  rg: GREP_OPTIONS,
  sed: ["-e", "--expression", "-f", "--file"],
  awk: ["-f", "--file"],
  gawk: ["-f", "--file"],
  mawk: ["-f", "--file"],
  jq: ["-f", "--from-file"],
};

/** Options whose value is data: code, a message, a pattern. */
const DATA_OPTIONS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:grep|egrep|fgrep|rg|sed)$/, /^(?:-e|--regexp|--expression)$/],
  [/^python[\d.]*$|^pypy[\d.]*$/, /^-\w*c$/],
  [/^(?:node|deno|bun|tsx)$/, /^(?:-e|--eval|-p|--print|-pe|-ep)$/],
  [/^(?:perl|ruby)[\d.]*$/, /^-\w*[eE]$/],
  [/^(?:php)[\d.]*$/, /^-r$/],
  [/^(?:lua[\d.]*|Rscript)$/, /^-e$/],
  [
    /^(?:git|hg|svn|gh)$/,
    /^(?:-\w*m|--message|--grep|-S|-G|--format|--pretty|--author|-t|--title|-b|--body)$/,
  ],
  [/^find$/, /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|printf|perm|size|mtime|mmin|type|user|group)$/],
  [/^(?:cut|paste|xargs)$/, /^(?:-d|--delimiters?)$/],
  [/^sort$/, /^(?:-t|--field-separator|-k|--key)$/],
  [/^curl$/, /^(?:-H|--header|-A|--user-agent|-X|--request|-w|--write-out)$/],
];

/** Sub-commands of git whose operands name other repositories or keys of its configuration. */
const GIT_MENTIONS = new Set(["remote", "config"]);

/** What the arguments after argv[0] are; undefined: data that is not judged. */
export function argumentKinds(program: string, args: readonly string[]): (ArgumentKind | undefined)[] {
  const dataOptions = DATA_OPTIONS.filter(([name]) => name.test(program)).map(([, option]) => option);
  const scriptOptions = Object.hasOwn(SCRIPT_FIRST, program) ? SCRIPT_FIRST[program] : undefined;
  let scriptDue =
    scriptOptions !== undefined && !args.some((arg) => scriptOptions.includes(arg.replace(/=.*$/s, "")));
  const operand = operandKind(program, args);
  let dataNext = false;
  let optionsEnded = false;
  return args.map((arg) => {
    if (dataNext) {
      dataNext = false;
      return undefined;
    }
    if (!optionsEnded && arg === "--") {
      optionsEnded = true;
      return undefined;
    }
    if (!optionsEnded && arg.startsWith("-") && arg !== "-") {
      dataNext = dataOptions.some((option) => option.test(arg));
      return dataOptions.some((option) => option.test(arg.replace(/=.*$/s, ""))) ? undefined : "plain";
    }
    if (scriptDue) {
      scriptDue = false;
      return undefined;
    }
    return operand;
  });
}

function operandKind(program: string, args: readonly string[]): ArgumentKind {
  if (FILE_PROGRAMS.has(program)) return "path";
  if (MENTION_PROGRAMS.has(program)) return "mention";
  if (program === "git") {
    const command = args.find((arg, index) => !arg.startsWith("-") && !/^-[cC]$/.test(args[index - 1] ?? ""));
    return GIT_MENTIONS.has(command ?? "") ? "mention" : "name";
  }
  return NAME_PROGRAMS.has(program) ? "name" : "plain";
}
