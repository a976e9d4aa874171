/** How Paldron starts itself in a client's shell: absolute paths, so that nothing planted runs in their place. */
export interface OwnCommand {
  readonly node: string;
  readonly program: string;
  /** Absolute; undefined: the built-in defaults. */
  readonly policy: string | undefined;
  readonly workspace: string;
}

/** Text as one word for every shell in use (bash, dash, zsh): between single quotes nothing is special but one. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The inverse of {@link shellQuote}; undefined for any other spelling of the word. */
function shellUnquote(word: string): string | undefined {
  if (word.length < 2 || !word.startsWith("'") || !word.endsWith("'")) return undefined;
  const text = word.slice(1, -1).replaceAll("'\\''", "'");
  return shellQuote(text) === word ? text : undefined;
}

function start(own: OwnCommand, approved: boolean): string {
  const words = [
    own.node,
    own.program,
    "exec",
    "--exit=child",
    ...(approved ? ["--approved"] : []),
    ...(own.policy === undefined ? [] : [`--policy=${own.policy}`]),
    `--workspace=${own.workspace}`,
  ];
  return `${words.map(shellQuote).join(" ")} -- bash -c `;
}

/** The command that runs shell text confined. `approved`: a person says yes where the policy asks. */
export function wrapCommand(own: OwnCommand, text: string, approved: boolean): string {
  return start(own, approved) + shellQuote(text);
}

/** The text inside exactly Paldron's own wrapper, to the last byte; undefined for anything else. */
export function unwrapCommand(own: OwnCommand, command: string): string | undefined {
  for (const opening of [start(own, false), start(own, true)]) {
    if (command.startsWith(opening)) return shellUnquote(command.slice(opening.length));
  }
  return undefined;
}
