import { emitFile, emitOpaque, type Owner, runShellText } from "./emit.ts";
import { runFind } from "./find.ts";
import { parseCommand } from "./grammar.ts";
import { runCopy, runLn } from "./links.ts";
import { runMakefiles } from "./makefile.ts";
import { STANDARD_INPUT } from "./odd-operands.ts";
import { runPackageScripts } from "./package-scripts.ts";
import { applyRoles } from "./roles.ts";
import { awk, sed } from "./scripted.ts";
import type { Session } from "./session.ts";
import { runShell } from "./shells.ts";
import type { CommandSpec } from "./spec.ts";
import { specOf } from "./table.ts";
import type { Word } from "./types.ts";
import { dropPrefix, hole, knownPrefix, literal, type Text, textOf } from "./value.ts";
import { emitAssignment } from "./variables.ts";
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

const MAKE_SPEC = specOf("make") ?? {};
/** A makefile of the workspace is what `make` is for; it counts as a file that is read. */
const MAKE: CommandSpec = {
  ...MAKE_SPEC,
  options: (MAKE_SPEC.options ?? "").replace(/(-f|--file|--makefile):load/g, "$1:read"),
};

/** `make VAR=value target`: some variables are programs that make starts. */
const make: Special = (session, argv, name) => {
  const owner = ownerOf(name);
  const parsed = parseCommand(MAKE, argv);
  const input = parsed.found.some(
    ({ role, word, option }) =>
      (option === undefined || role === "read") && STANDARD_INPUT.test(textOf(word) ?? ""),
  );
  if (parsed.unsure) emitOpaque(session, name, "code", "an argument that is not known may be an option");
  applyRoles(session, owner, parsed);
  if (input) emitOpaque(session, name, "code", "a makefile from standard input");
  runMakefiles(session, parsed);
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
    else emitAssignment(session, key, value, true);
  }
  return hole("unknown");
};

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

/** Node's `-p` takes the next word only where that is no option (`-p -e CODE`), and `-pe` is both. */
const node: Special = (session, argv, name) => {
  const run = argv.findIndex((word) => textOf(word) === "--run");
  if (run !== -1) runPackageScripts(session, [literal("run"), ...argv.slice(run + 1)]);
  const words = argv.flatMap((word, at): readonly Word[] => {
    const text = textOf(word);
    if (text === "-pe") return [literal("--eval")];
    const isBare =
      /^(?:-p|--print)$/.test(text ?? "") && knownPrefix(argv[at + 1] ?? literal("-")).startsWith("-");
    return isBare ? [] : [word];
  });
  return session.spec(name, words);
};

/** `npm config set script-shell …` and `gh config set pager …`. */
const SETTINGS =
  /^(?:script-shell|shell|editor|git|browser|viewer|node-gyp|pager|node-options|git_protocol|prefix|globalconfig|userconfig|cafile)$/;

const packageManager: Special = (session, argv, name) => {
  const owner = ownerOf(name);
  const words = argv.filter((word) => !/^-/.test(knownPrefix(word)));
  if (name !== "gh") runPackageScripts(session, argv);
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
  ["ln", runLn],
  ["link", runLn],
  ["cp", runCopy],
  ["mv", runCopy],
  ["install", runCopy],
  ...["node", "nodejs", "tsx", "ts-node"].map((name): [string, Special] => [name, node]),
  ["npm", packageManager],
  ["pnpm", packageManager],
  ["yarn", packageManager],
  ["bun", packageManager],
  ["gh", packageManager],
  ...["awk", "gawk", "mawk", "nawk", "original-awk"].map((name): [string, Special] => [name, awk]),
  ...["sed", "gsed"].map((name): [string, Special] => [name, sed]),
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
    ..."osh ysh oil rc es brush lksh oksh loksh pdksh hush bash-static sash murex ion".split(" "),
  ].map((name): [string, Special] => [name, runShell]),
]);
