import { emitFile, emitOpaque, type Owner } from "./emit.ts";
import type { Session } from "./session.ts";
import { treesBelow } from "./trees.ts";
import type { Word } from "./types.ts";
import { globParts, hole, isMany, knownPrefix, literal, type Text, textOf } from "./value.ts";
import { replaceIn } from "./xargs.ts";

const OWNER: Owner = { name: "find", spec: {} };

type Argument = "data" | "name" | "regex" | "read" | "write" | "write2";

/** Tests and actions with an argument: what it is. */
const ARGUMENTS: Readonly<Record<string, Argument>> = {
  ...Object.fromEntries(
    "-amin -atime -cmin -ctime -mmin -mtime -fstype -gid -group -ilname -inum -links -lname -maxdepth -mindepth -perm -printf -regextype -size -type -uid -used -user -xtype -context -flags -Btime -depth_"
      .split(" ")
      .map((name) => [name, "data" as const]),
  ),
  "-name": "name",
  "-iname": "name",
  "-path": "name",
  "-ipath": "name",
  "-wholename": "name",
  "-iwholename": "name",
  "-regex": "regex",
  "-iregex": "regex",
  "-newer": "read",
  "-anewer": "read",
  "-cnewer": "read",
  "-samefile": "read",
  "-files0-from": "read",
  "-fprint": "write",
  "-fprint0": "write",
  "-fls": "write",
  "-fprintf": "write2",
};
const EXEC = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const FLAGS =
  /^(?:-(?:a|and|o|or|not|true|false|daystart|depth|d|follow|ignore_readdir_race|noignore_readdir_race|mount|xdev|noleaf|nowarn|warn|empty|executable|readable|writable|nogroup|nouser|prune|print|print0|ls|quit|delete|help|version|H|L|P|O\d|E|X|s|x|f)|[()!,])$/;

/** `find PATH… EXPRESSION`: what its actions run on the files it finds. */
export function runFind(session: Session, argv: readonly Word[]): Text {
  const roots: Word[] = [];
  let i = 0;
  for (; i < argv.length; i += 1) {
    const word = argv[i];
    const text = textOf(word);
    if (word === undefined) continue;
    if (/^-(?:[HLPEXdsx]+|O\d)$/.test(text ?? "") && roots.length === 0) continue;
    if (text === "-D") i += 1;
    else if (text !== undefined && /^[-(),!]/.test(text)) break;
    else roots.push(word);
  }
  for (const word of roots)
    emitFile(session, OWNER, { role: "read", word, option: undefined }, "read", "path");
  if (
    roots.some((word) => knownPrefix(word) === "" && word.kind === "unknown" && word.source === "unknown")
  ) {
    emitOpaque(session, "find", "code", "an argument that is not known may be an action");
  }
  return new Expression(session, roots, argv.slice(i)).run();
}

class Expression {
  private readonly session: Session;
  private readonly roots: readonly Word[];
  private readonly words: readonly Word[];
  private readonly patterns: Text[] = [];
  private readonly actions: (() => void)[] = [];
  private at = 0;
  private readonly outputs: Text[number][] = [];

  constructor(session: Session, roots: readonly Word[], words: readonly Word[]) {
    this.session = session;
    this.roots = roots;
    this.words = words;
  }

  run(): Text {
    while (this.at < this.words.length) this.primary();
    for (const action of this.actions) action();
    // What a command of `-exec` prints stands among the names, or instead of them.
    const isPlain = this.outputs.every(
      (part) => typeof part === "object" && "hole" in part && part.hole === "listing",
    );
    if (this.outputs.length > 0) return hole(isPlain ? "listing" : "unknown");
    const found = this.found();
    return found.flatMap((text, index) => (index === 0 ? text : ["\n", ...text]));
  }

  /** The names it may print: one text for each root and name pattern. */
  private found(): readonly Text[] {
    const patterns: readonly Text[] =
      this.patterns.length === 0 ? [[{ glob: "*" }]] : this.patterns.slice(0, 8);
    return treesBelow(this.roots).flatMap((below) => patterns.map((pattern) => [...below, ...pattern]));
  }

  private primary(): void {
    const { session } = this;
    const word = this.words[this.at];
    const text = textOf(word);
    this.at += 1;
    if (word === undefined) return;
    if (text === undefined) {
      if (isMany(word) || word.kind === "unknown")
        session.problem("a part of find's expression is not known");
      return;
    }
    if (EXEC.has(text)) {
      this.exec(text);
      return;
    }
    if (text === "-delete") this.actions.push(() => this.onRoots());
    const kind = Object.hasOwn(ARGUMENTS, text)
      ? ARGUMENTS[text]
      : /^-newer[aBcmt]{2}$/.test(text)
        ? "data"
        : undefined;
    if (kind === undefined) {
      if (!FLAGS.test(text)) session.problem(`\`find ${text}\` is not known`);
      return;
    }
    this.argument(text, kind);
  }

  private argument(name: string, kind: Argument): void {
    const value = this.words[this.at];
    const before = textOf(this.words[this.at - 2]);
    this.at += kind === "write2" ? 2 : 1;
    if (value === undefined) return;
    if (kind === "name") {
      const pattern = textOf(value);
      const negated = before === "!" || before === "-not";
      if (pattern === undefined) this.patterns.push(hole("listing"));
      else if (!negated) this.patterns.push(globParts(pattern.replace(/\\(.)/g, "$1")));
      return;
    }
    if (kind === "regex") {
      if (before !== "!" && before !== "-not") this.patterns.push(lastName(textOf(value)));
      return;
    }
    if (kind !== "data")
      emitFile(
        this.session,
        OWNER,
        { role: "file", word: value, option: name },
        kind === "read" ? "read" : "write",
        "path",
      );
  }

  private exec(name: string): void {
    const rest = this.words.slice(this.at);
    const end = rest.findIndex(
      (word, index) => textOf(word) === ";" || (textOf(word) === "+" && textOf(rest[index - 1]) === "{}"),
    );
    const command = end === -1 ? rest : rest.slice(0, end);
    if (command.some(isMany)) this.session.problem("the command of find is not known");
    this.at += end === -1 ? rest.length : end + 1;
    if (this.actions.length >= 50) this.session.problem("too many actions of find");
    else
      this.actions.push(() => {
        for (const text of this.found()) {
          const words = command.map((word) => replaceIn(word, "{}", text));
          const cwds = this.session.scope.cwds;
          if (name.endsWith("dir")) this.session.scope.cwds = undefined;
          const start = (): Text => this.session.start(words);
          this.outputs.push(...this.session.within(`via find ${name}`, start, hole("unknown")));
          this.session.scope.cwds = cwds;
        }
      });
  }

  private onRoots(): void {
    const roots = this.roots.length === 0 ? [literal(".")] : this.roots;
    for (const word of roots)
      emitFile(this.session, OWNER, { role: "write", word, option: "-delete" }, "write", "path");
    // What deletes files is `rm` by another name.
    this.session.emit({
      kind: "command",
      name: literal("rm"),
      argv: roots,
      assignments: [],
      internal: false,
    });
  }
}

/** The name at the end of a regular expression over whole paths, where it is plain text. */
function lastName(regex: string | undefined): Text {
  const last = regex?.slice(regex.lastIndexOf("/") + 1) ?? "";
  const plain = last.replace(/\\([.\-_])/g, "$1");
  return /^[\w.-]+$/.test(plain) && plain.length > 0 ? [plain] : hole("listing");
}
