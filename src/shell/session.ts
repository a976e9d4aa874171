import type {
  AndOr,
  Function as FunctionNode,
  WordPart as PartNode,
  SyntaxNode,
  Word as WordNode,
} from "unbash";
import { CodeNotes } from "./code-notes.ts";
import { keyOf } from "./effect-key.ts";
import type { ExpandEnv } from "./expand.ts";
import { withHoles } from "./integer-mark.ts";
import { LIMITS } from "./limits.ts";
import { throughLinks } from "./made-links.ts";
import { Scope } from "./scope.ts";
import type { AnalyzeOptions, Dialect, Effect, Where, Word } from "./types.ts";
import { hole, type Text } from "./value.ts";

/** What a command would read from descriptor 0. */
export type Stdin =
  | { readonly kind: "inherited" }
  | { readonly kind: "empty" }
  | { readonly kind: "text"; readonly text: Text }
  /** `path`: the file that a redirection names, not yet read from. */
  | { readonly kind: "file"; readonly path?: Word };

/** Where control may be after a command, and what the command prints. */
export interface Outcome {
  readonly ok: Scope;
  readonly fail: Scope;
  readonly out: Text;
}

/** How a text that is run by a command is read. */
export interface NestedText {
  readonly text: Text;
  readonly context: string;
  readonly dialect: Dialect;
  /** Runs in the current shell (`eval`), not in one of its own. */
  readonly inPlace: boolean;
  readonly positional?: readonly Word[] | undefined;
}

export interface CommandOptions {
  /** `all`: functions, builtins, programs; a wrapper such as `env` only starts programs. */
  readonly lookup: "all" | "builtins" | "programs";
  readonly assignments: readonly { readonly name: string; readonly value: Word }[];
  /** The name as written, where it stands in the text: aliases replace only plain words. */
  readonly nameNode?: WordNode | undefined;
}

/** Nothing changes and nothing is printed. */
export const nothing = ({ scope }: Session): Outcome => ({ ok: scope, fail: scope, out: [] });

/** The walker, as the other files see it: they cannot import it without a cycle. */
export interface Walker {
  readonly text: (session: Session, nested: NestedText) => Text;
  readonly call: (session: Session, node: FunctionNode, args: readonly Word[]) => Text;
  /** Runs a command by its words: functions, builtins or programs. */
  readonly command: (session: Session, words: readonly Word[], options: CommandOptions) => Outcome;
  /** Starts a program by its words, as a wrapper does. */
  readonly start: (session: Session, words: readonly Word[]) => Text;
  /** Reads the arguments of a program by its table entry alone. */
  readonly spec: (session: Session, name: string, argv: readonly Word[]) => Text;
}

/** Thrown where a limit is reached; only `analyze` catches it. */
export const STOP = new Error("the analysis has reached a limit");

type WithoutWhere<E> = E extends Effect ? Omit<E, keyof Where> : never;

/** One analysis: its findings, its budget, and where it stands in the text. */
export class Session {
  readonly effects: Effect[] = [];
  readonly problems = new Set<string>();
  /** The `<file` of a substitution that holds nothing else, and so prints the file. */
  printing: SyntaxNode | undefined;
  readonly outputs = new Map<PartNode, Text>();
  /** What the commands of `a || b` print, each by itself. */
  readonly either = new Map<AndOr, readonly Text[]>();
  /** Each of the names that a substitution may print, where it looks for one program after another. */
  readonly alternatives = new Map<PartNode, readonly Text[]>();
  /** What the commands of a process substitution print. */
  readonly printed = new Map<PartNode, Text>();
  readonly walker: Walker;
  readonly options: AnalyzeOptions;
  readonly environment: ReadonlyMap<string, string>;
  /** How often each variable was assigned anywhere: more than once means a trap cannot know its value. */
  readonly assigned = new Map<string, number>();
  /** Variables whose values are evaluated as arithmetic when they are assigned: bash's own, and those of `declare -i`. */
  readonly integers = new Set(["RANDOM", "SECONDS", "OPTIND", "HISTCMD", "TMOUT"]);
  /** Programs, and folders of programs, that the text itself builds. */
  readonly built = new Set<string>();
  readonly notes = new CodeNotes();
  /** Some text was parsed with a mark for digits that are not known. */
  marked = false;
  /** Wildcards may match hidden names too. */
  hidden = false;
  /** `set -a`: whatever is assigned reaches the commands. */
  exportsAll = false;
  /** Arrays whose subscripts are plain text (`declare -A`). */
  readonly associative = new Set<string>();
  readonly bodies = new Map<FunctionNode, "defined" | "called">();
  readonly calls: FunctionNode[] = [];
  readonly traps: Text[] = [];
  /** Where `break`, `continue` and `return` left from, innermost loop or function last. */
  readonly exits: Scope[][] = [];
  scope: Scope;
  stdin: Stdin = { kind: "inherited" };
  context: readonly string[] = [];
  private textLeft: number = LIMITS.text;
  private wordsLeft: number = LIMITS.words;
  private stepsLeft: number = LIMITS.steps;
  private seen: Set<string> | undefined;

  constructor(options: AnalyzeOptions, walker: Walker) {
    this.options = options;
    this.walker = walker;
    this.environment = new Map(options.variables === undefined ? [] : Object.entries(options.variables));
    this.scope = new Scope({
      cwds: [options.cwd],
      positional: undefined,
      dialect: options.dialect ?? "bash",
    });
  }

  problem(text: string): void {
    if (this.problems.size < 50) this.problems.add(text);
  }

  start(words: readonly Word[]): Text {
    return this.walker.start(this, words);
  }

  spec(name: string, argv: readonly Word[]): Text {
    return this.walker.spec(this, name, argv);
  }

  /** Counts one unit of work. */
  step(): void {
    this.stepsLeft -= 1;
    if (this.stepsLeft <= 0) this.stop("too much to follow");
  }

  /** Stops before the first of more commands than may still be interpreted. */
  foresee(count: number): void {
    if (count >= this.stepsLeft) this.stop("too much to follow");
  }

  /** Counts words: wrappers within wrappers read the same ones again. */
  takeWords(count: number): void {
    this.wordsLeft -= count;
    if (this.wordsLeft < 0) this.stop("too many words");
  }

  /** Counts text that is parsed. */
  takeText(length: number): void {
    this.textLeft -= length;
    if (this.textLeft < 0) this.stop("text too long");
  }

  /** Ends the analysis here: what was found stays, and it is not complete. */
  private stop(why: string): never {
    this.problem(why);
    throw STOP;
  }

  emit(effect: WithoutWhere<Effect>): void {
    this.add(effect);
    const { links, cwds } = this.scope;
    if (links.size === 0 || (effect.kind !== "read" && effect.kind !== "write")) return;
    for (const path of throughLinks(links, cwds ?? [], effect.path)) this.add({ ...effect, path });
  }

  private add(effect: WithoutWhere<Effect>): void {
    if (this.effects.length >= LIMITS.effects) this.stop("too many effects");
    // Each caller hands in an object of its own.
    const placed = effect as { -readonly [K in keyof Where]: Where[K] } & WithoutWhere<Effect>;
    placed.context = this.context;
    placed.cwds = this.scope.cwds;
    const plain: Effect = placed;
    const whole = this.marked ? withHoles(plain) : plain;
    if (this.effects.length >= FEW) {
      if (this.seen === undefined) this.seen = new Set(this.effects.map(keyOf));
      const key = keyOf(whole);
      if (this.seen.has(key)) return;
      this.seen.add(key);
    }
    this.effects.push(whole);
  }

  /** Runs `work` one level deeper. */
  within<T>(context: string, work: () => T, otherwise: T): T {
    if (this.context.length >= LIMITS.depth) {
      this.problem("nested too deep");
      return otherwise;
    }
    const before = this.context;
    this.context = [...before, context];
    try {
      return work();
    } finally {
      this.context = before;
    }
  }

  /** Runs `work` in a copy of the scope, whose changes are lost (subshell). */
  isolated<T>(work: () => T): T {
    const before = this.scope;
    this.scope = before.fork();
    try {
      return work();
    } finally {
      this.scope = before;
    }
  }

  withStdin<T>(stdin: Stdin, work: () => T): T {
    const before = this.stdin;
    this.stdin = stdin;
    try {
      return work();
    } finally {
      this.stdin = before;
    }
  }

  countAssignment(name: string): void {
    this.assigned.set(name, (this.assigned.get(name) ?? 0) + 1);
  }

  expandEnv(pick: ExpandEnv["pick"]): ExpandEnv {
    return {
      scope: this.scope,
      home: this.options.home,
      environment: this.environment,
      pick,
      output: (part) => this.outputs.get(part) ?? hole("unknown"),
      alternatives: (part) => this.alternatives.get(part),
    };
  }
}

/** Up to here an effect may be listed twice: looking costs more than it saves. */
const FEW = 16;
