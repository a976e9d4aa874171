import { printed } from "./builtin-helpers.ts";
import { readCode } from "./code.ts";
import { emitCode, emitFile, emitOpaque, type Owner, runShellText } from "./emit.ts";
import { runFind } from "./find.ts";
import { parseCommand } from "./grammar.ts";
import { applyRoles } from "./roles.ts";
import type { Session } from "./session.ts";
import { runShell } from "./shells.ts";
import { specOf } from "./table.ts";
import type { Word } from "./types.ts";
import { dropPrefix, hole, knownPrefix, literal, type Text, textOf } from "./value.ts";
import { runXargs } from "./xargs.ts";

type Special = (session: Session, argv: readonly Word[], name: string) => Text;

const ownerOf = (name: string): Owner => ({ name, spec: specOf(name) ?? {} });

/** The operands with role `unit`, after everything else was dealt with. */
function units(session: Session, owner: Owner, argv: readonly Word[]): readonly Word[] {
  const parsed = parseCommand(owner.spec, argv);
  if (parsed.unlisted !== undefined && owner.spec.strict === true)
    session.problem(`\`${owner.name} ${parsed.unlisted}\` is not known`);
  if (parsed.unsure)
    emitOpaque(session, owner.name, "code", "an argument that is not known may be an option");
  applyRoles(session, owner, parsed);
  return parsed.found.filter((found) => found.role === "unit").map((found) => found.word);
}

const joined = (words: readonly Word[]): Text =>
  words.flatMap(
    (word, index): Text => [
      ...(index === 0 ? [] : [" "]),
      ...(word.kind === "literal"
        ? [word.text]
        : word.kind === "partial"
          ? word.parts
          : [{ hole: word.source } as const]),
    ],
  );

/** Programs whose operands, put together, are shell text. */
const runsOperands: Special = (session, argv, name) => {
  const owner = ownerOf(name);
  const rest = units(session, owner, argv);
  const isInputList = name === "parallel";
  if (owner.spec.always === "net")
    session.emit({ kind: "network", command: name, target: argv[0] ?? literal("") });
  const marks = rest.findIndex((word) => /^:{3,4}\+?$/.test(textOf(word) ?? ""));
  const words = marks === -1 ? rest : rest.slice(0, marks);
  const items = marks === -1 ? [] : rest.slice(marks + 1);
  if (words.length === 0) {
    if (isInputList) {
      for (const item of items) runShellText(session, name, item, undefined);
      if (items.length === 0) session.problem("parallel runs the lines of its input");
    }
    return hole("unknown");
  }
  const text = joined(words);
  if (!isInputList)
    return session.walker.text(session, { text, context: `via ${name}`, dialect: "sh", inPlace: false });
  const [first] = words;
  const isText = words.length === 1 && /\s/.test(textOf(first) ?? "");
  const found = items.length > 0 ? items : [{ kind: "unknown", source: "unknown", many: true } as const];
  for (const item of found) {
    if (isText)
      session.walker.text(session, {
        text: replaceBraces(text, textOf(item) ?? "x"),
        context: "via parallel",
        dialect: "sh",
        inPlace: false,
      });
    else
      session.within(
        "via parallel",
        () =>
          session.start([
            ...words.map((word) => (/^\{[.#%/]*\}$/.test(textOf(word) ?? "") ? item : word)),
            item,
          ]),
        [],
      );
  }
  return hole("unknown");
};

const replaceBraces = (text: Text, by: string): Text =>
  text.map((part) => (typeof part === "string" ? part.replace(/\{[.#%/]*\}/g, by) : part));

const ssh: Special = (session, argv, name) => {
  const owner = ownerOf(name);
  const rest = units(session, owner, argv);
  if (rest.length === 0) return hole("unknown");
  emitOpaque(session, name, "elsewhere", "runs a command on another host");
  return session.within(
    "via ssh",
    () =>
      session.walker.text(session, {
        text: joined(rest),
        context: "on another host",
        dialect: "sh",
        inPlace: false,
      }),
    hole("unknown"),
  );
};

/** `make VAR=value target`: some variables are programs that make starts. */
const make: Special = (session, argv, name) => {
  const owner = ownerOf(name);
  const input = argv.some(
    (word, index) =>
      textOf(word) === "-" ||
      /^-f-$/.test(textOf(word) ?? "") ||
      (textOf(word) === "-f" && textOf(argv[index + 1]) === "-"),
  );
  const parsed = parseCommand(
    { ...owner.spec, options: (owner.spec.options ?? "").replace(/(-f|--file|--makefile):load/g, "$1:read") },
    argv,
  );
  if (parsed.unsure) emitOpaque(session, name, "code", "an argument that is not known may be an option");
  applyRoles(session, owner, parsed);
  if (input) emitOpaque(session, name, "code", "a makefile from standard input");
  for (const { role, word } of parsed.found) {
    if (role !== "unit") continue;
    const assignment = /^(\w+)\s*[:+?!]*=/.exec(knownPrefix(word));
    if (assignment === null) continue;
    const value = dropPrefix(word, assignment[0].length);
    const key = assignment[1] ?? "";
    if (
      /^(?:SHELL|MAKESHELL|MAKE|CC|CXX|CPP|LD|AR|AS|FC|RM|CP|MV|INSTALL|PYTHON\d*|NODE|NPM|GO|CARGO|LAUNCHER|WRAPPER)$/.test(
        key,
      )
    )
      runShellText(session, name, value, `${key}=`);
    else if (/[$`]/.test(textOf(value) ?? "$") || /^\.?(?:MAKEFLAGS|SHELLFLAGS)/.test(key))
      emitOpaque(session, name, "code", `${key}=`);
  }
  return hole("unknown");
};

/** awk and sed: a program in the first operand or behind an option, then files. */
const scripted =
  (name: "awk" | "sed", options: string, codeOptions: RegExp, fileOptions: RegExp): Special =>
  (session, argv) => {
    const spec = { options, operands: "data read", instead: "-e -f --expression --file --source -E" };
    const owner: Owner = { name, spec: { ...spec, language: name } };
    const parsed = parseCommand(spec, argv);
    if (parsed.unsure) emitOpaque(session, name, "code", "an argument that is not known may be an option");
    const given = spec.instead.split(" ").some((option) => parsed.given.has(option));
    let script: Word | undefined;
    for (const found of parsed.found) {
      if (found.option !== undefined && codeOptions.test(found.option))
        emitCode(session, owner, found.word, found.option);
      else if (found.option !== undefined && fileOptions.test(found.option))
        runScriptFile(session, owner, found.word, found.option);
      else if (!given && script === undefined && found.role === "data" && found.option === undefined)
        script = found.word;
      else if (found.option === undefined && found.role === "read")
        operand(session, owner, found.word, parsed.given);
    }
    if (script !== undefined) emitCode(session, owner, script, "its program");
    applyRoles(session, owner, {
      ...parsed,
      found: parsed.found.filter(
        (found) =>
          found.option !== undefined && !codeOptions.test(found.option) && !fileOptions.test(found.option),
      ),
    });
    return hole("unknown");
  };

function runScriptFile(session: Session, owner: Owner, word: Word, option: string): void {
  emitFile(session, owner, { role: "read", word, option }, "read", "path");
  const content = printed.contentOf(session, word);
  if (content !== undefined && readCode(owner.spec.language, content).harmless) return;
  if (content !== undefined) {
    emitCode(session, owner, literal(content), option);
    return;
  }
  emitOpaque(session, owner.name, "code", `${option} file`);
}

function operand(session: Session, owner: Owner, word: Word, given: ReadonlySet<string>): void {
  if (owner.name === "awk" && /^[A-Za-z_]\w*=/.test(knownPrefix(word))) return;
  emitFile(session, owner, { role: "read", word, option: undefined }, "read", "path");
  const inPlace = ["-i", "--in-place"].some((option) => given.has(option));
  if (inPlace) emitFile(session, owner, { role: "write", word, option: undefined }, "write", "path");
}

/** `jq --rawfile NAME FILE`, `--arg NAME VALUE`: options with two arguments. */
const jq: Special = (session, argv, name) => {
  const rest: Word[] = [];
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i];
    const text = textOf(word);
    if (word === undefined) continue;
    if (!/^--(?:rawfile|slurpfile|argfile|arg|argjson)$/.test(text ?? "")) {
      rest.push(word);
      continue;
    }
    const value = argv[i + 2];
    if (value !== undefined && text?.endsWith("file")) {
      emitFile(session, { name, spec: {} }, { role: "read", word: value, option: text }, "read", "path");
    }
    i += 2;
  }
  const owner = ownerOf(name);
  applyRoles(session, owner, parseCommand(owner.spec, rest));
  return hole("unknown");
};

/** `npm config set script-shell …` and `gh config set pager …`. */
const SETTINGS =
  /^(?:script-shell|shell|editor|git|browser|viewer|node-gyp|pager|node-options|git_protocol|prefix|globalconfig|userconfig|cafile)$/;

const packageManager: Special = (session, argv, name) => {
  const owner = ownerOf(name);
  const words = argv.filter((word) => !/^-/.test(knownPrefix(word)));
  if (/^(?:config|c|set)$/.test(textOf(words[0]) ?? "")) {
    const [key, value] = words.filter((word) => !/^(?:config|c|set)$/.test(textOf(word) ?? ""));
    const text = textOf(key) ?? "";
    if (key !== undefined && SETTINGS.test(text.split("=")[0] ?? ""))
      runShellText(session, name, value ?? literal(text.split("=")[1] ?? ""), text);
  }
  return session.spec(owner.name, argv);
};

export const SPECIAL: ReadonlyMap<string, Special> = new Map<string, Special>([
  ["find", runFind],
  ["gfind", runFind],
  ["xargs", runXargs],
  ["gxargs", runXargs],
  ["ssh", ssh],
  ["slogin", ssh],
  ["watch", runsOperands],
  ["parallel", runsOperands],
  ["make", make],
  ["gmake", make],
  ["jq", jq],
  ["npm", packageManager],
  ["pnpm", packageManager],
  ["yarn", packageManager],
  ["gh", packageManager],
  ...["awk", "gawk", "mawk", "nawk", "original-awk"].map((name): [string, Special] => [
    name,
    scripted(
      "awk",
      "-F:data -v:data -f:data -e:data -i:load -l:load -E:data -o?write -d?write -p?write -D?data -W:opaque -b -c -C -g -h -L -M -n -N -O -P -r -s -S -t -V --field-separator:data --assign:data --file:data --source:data --include:load --load:load --exec:data --dump-variables?write --pretty-print?write --profile?write --debug?data --posix --re-interval --sandbox --csv --version",
      /^(?:-e|--source)$/,
      /^(?:-f|--file|-E|--exec)$/,
    ),
  ]),
  ...["sed", "gsed"].map((name): [string, Special] => [
    name,
    scripted(
      "sed",
      "-n -E -r -s -u -z -b -i?data -e:data -f:data -l:data --quiet --silent --expression:data --file:data --in-place?data --line-length:data --regexp-extended --separate --null-data --posix --follow-symlinks --sandbox --debug --binary --unbuffered --help --version",
      /^(?:-e|--expression)$/,
      /^(?:-f|--file)$/,
    ),
  ]),
  ...[
    "sh",
    "bash",
    "dash",
    "ash",
    "zsh",
    "ksh",
    "mksh",
    "ksh93",
    "rbash",
    "yash",
    "posh",
    "fish",
    "csh",
    "tcsh",
    "nu",
    "elvish",
    "xonsh",
  ].map((name): [string, Special] => [name, runShell]),
]);
