import { AGENTS, COMMANDS, type CommandSpec, HELP_OPTION, type OptionSpec, type SHELLS } from "./commands.ts";

type Shell = (typeof SHELLS)[number];

const SPECS: readonly CommandSpec[] = Object.values(COMMANDS);

/** Operands that can be completed, by command. */
const OPERANDS: Readonly<Record<string, readonly string[]>> = {
  completion: ["bash", "zsh", "fish"],
  policy: ["show", "lint"],
  init: AGENTS,
};

function optionsOf(spec: CommandSpec): readonly OptionSpec[] {
  return [...spec.options, HELP_OPTION];
}

function isPath(option: OptionSpec): boolean {
  return option.value === "FILE" || option.value === "DIR";
}

/** `--exit=verdict --exit=child` for a choice, `--policy=` for a value, `--json` for a switch. */
function words(option: OptionSpec): string[] {
  if (option.choices !== undefined) return option.choices.map((choice) => `${option.name}=${choice}`);
  return [option.value === undefined ? option.name : `${option.name}=`];
}

function bash(): string {
  const cases = SPECS.map((spec) => {
    const list = [...optionsOf(spec).flatMap(words), ...(OPERANDS[spec.name] ?? [])].join(" ");
    return `    ${spec.name}) words="${list}" ;;`;
  });
  return `# bash completion for paldron
_paldron() {
  local line=\${COMP_LINE:0:COMP_POINT} cur words
  cur=\${line##* }
  COMPREPLY=()
  case " $line " in *" -- "*) compopt -o default; return ;; esac
  if [ "$COMP_CWORD" -le 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "${SPECS.map((spec) => spec.name).join(" ")} --help" -- "$cur")
    return
  fi
  case "$cur" in
    --policy=*|--receipt=*|--workspace=*) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "\${cur#*=}"); return ;;
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words --" -- "$cur")
  # "=" splits words in bash: what stands before it is already on the line.
  case "$cur" in *=*) COMPREPLY=("\${COMPREPLY[@]#"\${cur%%=*}="}") ;; esac
  case "\${COMPREPLY[0]}" in *=) compopt -o nospace ;; esac
}
complete -F _paldron paldron
`;
}

function zshOption(option: OptionSpec): string {
  if (option === HELP_OPTION) return `'(-h --help)'{-h,--help}'[${option.help}]'`;
  const text = option.help.replaceAll("'", "'\\''").replaceAll("[", "\\[").replaceAll("]", "\\]");
  if (option.value === undefined) return `'${option.name}[${text}]'`;
  const action =
    option.choices === undefined ? (isPath(option) ? "_files" : "") : `(${option.choices.join(" ")})`;
  return `'${option.name}=[${text}]:${option.value}:${action}'`;
}

function zsh(): string {
  const cases = SPECS.map((spec) => {
    const operands = OPERANDS[spec.name];
    const args = [
      ...optionsOf(spec).map(zshOption),
      operands === undefined ? "'*::command:_normal'" : `'1:what:(${operands.join(" ")})'`,
    ];
    return `    ${spec.name}) _arguments ${args.join(" ")} ;;`;
  });
  const commands = SPECS.map((spec) => `'${spec.name}:${spec.summary.replaceAll("'", "'\\''")}'`).join(" ");
  return `#compdef paldron
_paldron() {
  local -a commands=(${commands})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT-- ))
  case $name in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = _paldron ]; then _paldron "$@"; else compdef _paldron paldron; fi
`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function fishOption(spec: CommandSpec, option: OptionSpec): string {
  const condition = `-n '__fish_seen_subcommand_from ${spec.name}'`;
  const short = option === HELP_OPTION ? " -s h" : "";
  const value =
    option.value === undefined
      ? ""
      : option.choices === undefined
        ? isPath(option)
          ? " -r -F"
          : " -x"
        : ` -x -a '${option.choices.join(" ")}'`;
  return `complete -c paldron ${condition}${short} -l ${option.name.slice(2)}${value} -d ${fishQuote(option.help)}`;
}

function fish(): string {
  const lines = SPECS.flatMap((spec) => [
    `complete -c paldron -f -n __fish_use_subcommand -a ${spec.name} -d ${fishQuote(spec.summary)}`,
    ...optionsOf(spec).map((option) => fishOption(spec, option)),
    ...(OPERANDS[spec.name] ?? []).map(
      (word) => `complete -c paldron -f -n '__fish_seen_subcommand_from ${spec.name}' -a ${word}`,
    ),
  ]);
  return `# fish completion for paldron\n${lines.join("\n")}\n`;
}

/** The completion script for a shell, made from the table of commands. */
export function completionScript(shell: Shell): string {
  switch (shell) {
    case "bash":
      return bash();
    case "zsh":
      return zsh();
    case "fish":
      return fish();
  }
}
