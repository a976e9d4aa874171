/** Where the characters of a hole come from; decides how much is known about them. */
export type HoleSource =
  /** Nothing is known: any characters, also `/`, `..` and blanks. */
  | "unknown"
  /** From the environment the shell was started with. */
  | "inherited"
  /** Digits, perhaps a sign. */
  | "integer"
  /** Characters of a name that a glob, `find`, `ls` or `git ls-files` listed. */
  | "listing"
  /** A fresh temporary file (`mktemp`). */
  | "fresh";

/** A run of characters that is not written in the text. */
export interface Hole {
  readonly hole: HoleSource;
}

/** An unquoted `*`, `?`, `[…]` or extended glob, as written. */
export interface Glob {
  readonly glob: string;
}

export type WordPart = string | Hole | Glob;

/** In a name that `find` or a recursive search gives: any folders, hidden ones too, and their slash. No shell writes it. */
export const TREE = "**/";
/** The same in a list of git: only files that it tracks, or all that it sees. */
export const TRACKED = "**/tracked/";
export const SEEN = "**/seen/";
/** The same without hidden names. */
export const VISIBLE = "**/visible/";

/** One argument after all expansions, as far as it can be known. */
export type Word =
  | { readonly kind: "literal"; readonly text: string }
  /** Some characters are known. `many`: it can become any number of arguments. */
  | { readonly kind: "partial"; readonly parts: readonly WordPart[]; readonly many: boolean }
  | { readonly kind: "unknown"; readonly source: HoleSource; readonly many: boolean };

/** What every effect carries. */
export interface Where {
  /** How it comes to run other than by standing in the text: `pipeline`, `substitution`, `via env`… outermost first. */
  readonly context: readonly string[];
  /** Every folder the effect may happen in; undefined when that cannot be known. */
  readonly cwds: readonly string[] | undefined;
}

export interface CommandEffect extends Where {
  readonly kind: "command";
  readonly name: Word;
  /** The arguments after the name. */
  readonly argv: readonly Word[];
  /** `NAME=value` before the command. */
  readonly assignments: readonly { readonly name: string; readonly value: Word }[];
  /** A shell builtin that starts no program, or a function of the text. */
  readonly internal: boolean;
  /** A file that the text itself makes: `script` with content that was read too, `build` by a compiler or `venv`. */
  /** The name as it stands in the text, where it is not known. */
  readonly written?: string | undefined;
  readonly made?: "script" | "build" | undefined;
}

/**
 * How sure it is that a word is a file: `path` by the grammar of the command; `plain` when it looks like one; `name`
 * when it is rooted (`/x`, `../x`) or there is such a file; `mention` only its name counts, nothing is opened.
 */
export type Look = "path" | "plain" | "name" | "mention";

export interface FileEffect extends Where {
  readonly kind: "read" | "write";
  readonly path: Word;
  readonly from: "redirection" | "operand";
  readonly look: Look;
  /** The command it belongs to, when that is known. */
  readonly command: string | undefined;
  /** The option that carries it (`--output`), when it is no plain operand. */
  readonly option: string | undefined;
  /** Shown of it are only lines that a search for plain words finds. */
  readonly sought?: true;
}

/** How a variable reaches into what runs later. */
export type VariableRisk =
  /** Search paths, preloads, startup files: changes which code runs. */
  | "code"
  /** Its value is a command that some program runs; that command is listed as its own effect. */
  | "program"
  /** Moves files that later commands read (`HOME`, `GIT_DIR`). */
  | "location";

export interface AssignEffect extends Where {
  readonly kind: "assign";
  readonly name: string;
  readonly value: Word;
  readonly risk: VariableRisk;
}

/** Code in another language, or a file or daemon that runs whatever it holds. */
export interface OpaqueEffect extends Where {
  readonly kind: "opaque";
  readonly interpreter: string;
  /**
   * `code`: runs here, with the rights of the command. `elsewhere`: a daemon, another host, a later time. `known`: runs
   * here, was read, and reaches nothing but what is listed and what its literals name.
   */
  readonly reach: "code" | "elsewhere" | "known";
  /** Why, for people: `-c`, `system()`, `reads its script from a pipe`. */
  readonly detail: string;
  /** String literals of the code, so that the paths among them can be judged. */
  readonly literals: readonly string[];
}

/** A program that opens connections to `target` (a URL or host; unknown when it is not written). */
export interface NetworkEffect extends Where {
  readonly kind: "network";
  readonly command: string;
  readonly target: Word;
}

export type Effect = CommandEffect | FileEffect | AssignEffect | OpaqueEffect | NetworkEffect;

export interface AnalyzeOptions {
  /** Where the text starts; absolute. */
  readonly cwd: string;
  readonly home?: string | undefined;
  /** Variables whose value is known at the start (`TMPDIR`, `USER`); `HOME` and `PWD` come from the fields above. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Which shell reads the text; default `bash`. */
  readonly dialect?: Dialect | undefined;
  /** Whether a folder exists, so that `cd` into it cannot fail. Without it, every `cd x;` may have failed. */
  readonly isDirectory?: (path: string) => boolean;
  /** Whether `mkdir` can make a folder, so that `cd` into it cannot fail after that. Without it, it may have failed. */
  readonly canBeMade?: ((path: string) => boolean) | undefined;
  /** Whether there is a program of that name on PATH. */
  readonly findsProgram?: (name: string) => boolean;
  /** The top of the git working tree that holds a folder. */
  readonly toplevel?: (path: string) => string | undefined;
}

export type Dialect = "bash" | "sh" | "zsh";

export interface Analysis {
  readonly effects: readonly Effect[];
  /** False: something may run or be touched that is not listed. */
  readonly complete: boolean;
  /** Wildcards may match hidden names too (`shopt -s dotglob`). */
  readonly hidden: boolean;
  /** What was not understood, one line each. */
  readonly problems: readonly string[];
}
