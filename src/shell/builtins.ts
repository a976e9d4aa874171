import { checkText } from "./arithmetic.ts";
import { alias, evaluate, hash, leaves, passes, refuses, source, tells, trap } from "./builtin-code.ts";
import { type Builtin, changeFolder, popFolder, printed, prints } from "./builtin-helpers.ts";
import {
  declare,
  forgetNamed,
  letBuiltin,
  mapfile,
  printf,
  reads,
  set,
  shift,
  unset,
  waits,
} from "./builtin-variables.ts";
import { nothing } from "./session.ts";
import { hole, isMany, knownPrefix, literal, partsOf, textOf } from "./value.ts";

const quiet: Builtin = (session) => nothing(session);
const test: Builtin = (session, argv) => {
  argv.forEach((word, index) => {
    const before = textOf(argv[index - 1]);
    const text = textOf(word);
    if ((before === "-v" || before === "-R") && (text === undefined || text.includes("[")))
      checkText(session, partsOf(word));
    if (word.kind !== "literal" && isMany(word)) return;
    if (/^-[a-hknprstuwxGLNOS]$/.test(before ?? "") && text !== "]") {
      session.emit({
        kind: "read",
        path: word,
        from: "operand",
        look: "name",
        command: "test",
        option: undefined,
      });
    }
  });
  return nothing(session);
};

/** These change how the rest of the text is read. */
const ODD_OPTIONS =
  /^(?:extglob|expand_aliases|lastpipe|nullglob|globstar|nocasematch|dotglob|failglob|inherit_errexit|huponexit|checkwinsize|nocaseglob|globskipdots|xpg_echo|login_shell|cmdhist)$/;

const shopt: Builtin = (session, argv) => {
  for (const word of argv) {
    const text = textOf(word);
    if (text === "dotglob") session.hidden = true;
    if (text === undefined || (!text.startsWith("-") && !ODD_OPTIONS.test(text)))
      session.problem("a shell option that is not known");
  }
  return nothing(session);
};

/** `history -r FILE` reads it, and `history` then shows it; `-w` and `-a` write. */
const history: Builtin = (session, argv) => {
  const letters = argv.map((word) => /^-(\w+)$/.exec(textOf(word) ?? "")?.[1] ?? "").join("");
  // `-p` prints its words.
  if (!/[anrw]/.test(letters))
    return /[cds]/.test(letters) ? nothing(session) : prints(session, hole("unknown"));
  const base = { from: "operand", look: "path", command: "history", option: undefined } as const;
  for (const path of argv.filter((word) => !knownPrefix(word).startsWith("-"))) {
    if (/[nr]/.test(letters)) session.emit({ kind: "read", path, ...base });
    if (/[aw]/.test(letters)) session.emit({ kind: "write", path, ...base });
  }
  return nothing(session);
};

/** The builtins of bash; `[`, `echo` and the like are programs too, and do the same there. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ...["true", "false", ":", "fg", "bg", "disown", "suspend", "logout", "kill", "compopt"].map(
    (name): [string, Builtin] => [name, quiet],
  ),
  ...["umask", "times", "jobs", "ulimit", "dirs", "help", "caller", "type"].map((name): [string, Builtin] => [
    name,
    tells,
  ]),
  ["history", history],
  ["echo", (session, argv) => prints(session, printed.echo(session, argv))],
  ["printf", printf],
  ["pwd", (session) => prints(session, printed.pwd(session))],
  ["cd", (session, argv) => changeFolder(session, argv)],
  ["chdir", (session, argv) => changeFolder(session, argv)],
  ["pushd", (session, argv) => (argv.length === 0 ? popFolder(session) : changeFolder(session, argv))],
  ["popd", (session) => popFolder(session)],
  ...["export", "declare", "typeset", "local", "readonly"].map((name): [string, Builtin] => [name, declare]),
  ["unset", unset],
  ["set", set],
  ["shift", shift],
  ["read", reads("dinNptu", "a", "REPLY")],
  ["mapfile", mapfile],
  ["readarray", mapfile],
  [
    "getopts",
    (session, argv) => {
      for (const word of [...argv.slice(1, 2), literal("OPTARG")]) forgetNamed(session, word);
      return nothing(session);
    },
  ],
  ["let", letBuiltin],
  ["eval", evaluate],
  ["source", source],
  [".", source],
  ["trap", trap],
  ["alias", alias],
  ["unalias", quiet],
  ["command", passes("command", /^-p+$/, /^-p*[vV]/)],
  ["builtin", passes("builtin", /^$/, /^$/)],
  ["exec", passes("exec", /^-[cla]+$/, /^$/)],
  ["hash", hash],
  ["enable", refuses(/^-\w*[fnds]/, "enable changes the builtins")],
  ["bind", refuses(/^-\w*[xf]/, "bind runs commands")],
  ["complete", refuses(/^-\w*[CF]/, "complete runs commands")],
  ["compgen", refuses(/^-\w*[CF]|[$`]/, "compgen runs commands")],
  ["fc", refuses(/./, "fc runs commands from the history")],
  ["shopt", shopt],
  ["exit", leaves("exit")],
  ["return", leaves("jump")],
  ["break", leaves("jump")],
  ["continue", leaves("jump")],
  ["test", test],
  ["[", test],
  ["wait", waits],
]);
