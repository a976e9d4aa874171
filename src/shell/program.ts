import { madeBy, noteBuilt } from "./built.ts";
import { commandAmong, NOTHING, namedOptions } from "./by-name.ts";
import { emitCode, emitOpaque, emitWritten, type Owner } from "./emit.ts";
import { runGitUnits } from "./git.ts";
import { checkParse, parseCommand } from "./grammar.ts";
import { oddOperands, STANDARD_INPUT } from "./odd-operands.ts";
import { baseName, resolve } from "./path.ts";
import { programOutput } from "./program-output.ts";
import { isScript } from "./redirect.ts";
import { applyRoles } from "./roles.ts";
import type { Outcome, Session } from "./session.ts";
import { type CommandSpec, grammarOf, type ParsedCommand, uniform } from "./spec.ts";
import { SPECIAL } from "./special.ts";
import { archiveOf, archiveOfGit, passedThrough } from "./streams.ts";
import { moduleOf, specOf } from "./table.ts";
import { listedByGit } from "./trees.ts";
import type { Word } from "./types.ts";
import { hole, isMany, knownPrefix, literal, type Text, textOf } from "./value.ts";
import { loadWritten, runProgramText, runScriptOperand } from "./written-code.ts";

/** Starts a program: what its arguments make it read, write and run. */
export function runProgram(session: Session, name: string, argv: readonly Word[]): Outcome {
  const before = session.scope.cwds;
  const base = baseName(name).toLowerCase() === "git" ? "git" : baseName(name);
  const out = runNamed(session, name, base, argv);
  session.scope.cwds = before;
  return { ok: session.scope, fail: session.scope, out };
}

function runNamed(session: Session, name: string, base: string, argv: readonly Word[]): Text {
  loadWritten(session, base);
  const content = name.includes("/") ? contentOf(session, name) : undefined;
  if (content !== undefined) return runWritten(session, name, content, argv);
  if (name.includes("/") && madeBy(session, name) === undefined) emitWritten(session, base, literal(name));
  const special = SPECIAL.get(base);
  if (special !== undefined) return special(session, argv, base);
  const spec = specOf(base);
  return spec === undefined ? runUnknown(session, base, argv) : runSpec(session, { name: base, spec }, argv);
}

/** A program the tables do not know: what looks like a path is one, and what looks like a command may be started. */
function runUnknown(session: Session, name: string, argv: readonly Word[]): Text {
  const found = argv.filter((word) => textOf(word) !== "--" && textOf(word) !== "");
  for (const path of found)
    session.emit({ kind: "read", path, from: "operand", look: "plain", command: name, option: undefined });
  const command = commandAmong(session, argv);
  if (command !== undefined) runInner(session, name, command);
  applyRoles(session, { name, spec: {} }, { ...NOTHING, found: namedOptions(argv) });
  return passedThrough(session, name, undefined) ?? hole("unknown");
}

export function runSpec(session: Session, owner: Owner, argv: readonly Word[]): Text {
  const { spec } = owner;
  const commands = spec.commands;
  if (commands !== undefined) {
    const picked = pickCommand(session, owner, commands, argv);
    if (picked !== undefined) return picked;
  }
  const parsed = parseCommand(spec, argv);
  return runParsed(session, owner, parsed, argv);
}

const heads = new WeakMap<CommandSpec, CommandSpec>();

/** The same grammar, ending at the program's own command. Made once, because grammars are compiled by identity. */
function headOf(spec: CommandSpec): CommandSpec {
  const have = heads.get(spec);
  if (have !== undefined) return have;
  const head = uniform({ ...spec, operands: "argv" });
  heads.set(spec, head);
  return head;
}

const inherited = new WeakMap<CommandSpec, CommandSpec>();

/** A command of `deno` reads its code as deno does. */
function inheriting(spec: CommandSpec, language: CommandSpec["language"]): CommandSpec {
  if (language === undefined || spec.language === language) return spec;
  const have = inherited.get(spec);
  if (have?.language === language) return have;
  const child = uniform({ ...spec, language });
  inherited.set(spec, child);
  return child;
}

/** `git -C x commit …`: the options of the program, then those of its command. */
function pickCommand(
  session: Session,
  owner: Owner,
  commands: Readonly<Record<string, CommandSpec>>,
  argv: readonly Word[],
): Text | undefined {
  const headSpec = headOf(owner.spec);
  const head = parseCommand(headSpec, argv);
  const [verb, ...rest] = head.argv ?? [];
  if (verb === undefined) return undefined;
  if (owner.spec.strict === true) checkParse(session, owner.name, headSpec, head);
  applyRoles(session, owner, head);
  const text = textOf(verb);
  if (text === undefined) {
    session.problem(`which command of \`${owner.name}\` is not known`);
    return hole("unknown");
  }
  const isKnown = Object.hasOwn(commands, text);
  const entry = isKnown ? commands[text] : commands["*"];
  if (entry === undefined) return undefined;
  const spec = uniform(entry);
  // An alias of the configuration may stand for any command of git; one that stands here is judged as what it is.
  const before = argv.slice(0, argv.length - rest.length - 1);
  if (!isKnown && owner.name === "git" && !definesAlias(before, text)) emitGit(session, [ANY]);
  const child: Owner = { name: owner.name, spec: inheriting(spec, owner.spec.language) };
  if (spec.commands !== undefined) return runSpec(session, child, rest);
  // `git stash` and `git stash -u` are `git stash push`.
  if (owner.name === "git" && text === "stash" && !rest.some((word) => !knownPrefix(word).startsWith("-")))
    emitGit(session, [verb, literal("push"), ...rest]);
  const parsed = parseCommand(spec, rest);
  const out = runParsed(session, child, parsed, rest);
  if (owner.name !== "git") return out;
  runGitUnits(session, child, text, parsed);
  return archiveOfGit(text, parsed, rest) ?? listedByGit(text, parsed, rest) ?? out;
}

/** What a command of git stands for as well. */
function emitGit(session: Session, argv: readonly Word[]): void {
  session.emit({ kind: "command", name: literal("git"), argv, assignments: [], internal: false });
}

/** `-c alias.NAME=…`. A `-c` that is itself another option's value is never followed by a word before the command. */
function definesAlias(options: readonly Word[], name: string): boolean {
  const key = `alias.${name}=`.toLowerCase();
  return options.some(
    (word, at) => textOf(options[at - 1]) === "-c" && textOf(word)?.toLowerCase().startsWith(key),
  );
}

function runParsed(session: Session, owner: Owner, parsed: ParsedCommand, argv: readonly Word[]): Text {
  const { name, spec } = owner;
  const asks = /^(?:-V|--version|--help)$/.test(textOf(argv.at(-1)) ?? "");
  if (!asks || argv.length > 1) checkParse(session, name, spec, parsed);
  if (parsed.unsure && parsed.argv === undefined && grammarOf(spec).dangerous) {
    emitOpaque(session, name, "code", "an argument that is not known may be an option");
  }
  applyRoles(session, owner, parsed);
  noteBuilt(session, spec, parsed, argv);
  oddOperands(session, owner, parsed);
  if (asks && (argv.length === 1 || (argv.length === 2 && spec.always === "net"))) return hole("unknown");
  if (spec.always === "elsewhere") emitOpaque(session, name, "elsewhere", "works outside this command");
  if (spec.always === "opaque") emitOpaque(session, name, "code", "runs what its files and arguments say");
  if (spec.always === "net" && !parsed.found.some(({ role }) => role === "net"))
    session.emit({ kind: "network", command: name, target: argv[0] ?? literal(name) });
  readsInput(session, owner, parsed, argv);
  runScriptOperand(session, owner, parsed);
  if (spec.makes === "environment") runModule(session, name, argv);
  if (parsed.argv !== undefined) return runInner(session, name, parsed.argv);
  return (
    passedThrough(session, name, parsed) ?? archiveOf(name, parsed) ?? programOutput(session, spec, parsed)
  );
}

/** `python3 -m MODULE …`: options of Python may stand before it. */
function runModule(session: Session, name: string, argv: readonly Word[]): void {
  const at = argv.findIndex((word) => /^-[bBdEiIOPqRsSuvx]*m/.test(textOf(word) ?? ""));
  const glued = textOf(argv[at])?.replace(/^-\w*?m/, "") ?? "";
  const module = glued === "" ? textOf(argv[at + 1]) : glued;
  const spec = at === -1 || module === undefined ? undefined : moduleOf(module);
  if (spec === undefined) return;
  runSpec(session, { name: `${name} -m ${module}`, spec }, argv.slice(at + (glued === "" ? 2 : 1)));
}

/** The command behind a wrapper. */
function runInner(session: Session, name: string, words: readonly Word[]): Text {
  return session.within(`via ${name}`, () => session.start(words), hole("unknown"));
}

/** An interpreter without a script reads its code from standard input. */
function readsInput(session: Session, owner: Owner, parsed: ParsedCommand, argv: readonly Word[]): void {
  const { spec } = owner;
  if (spec.input !== "code") return;
  const script = parsed.found.find(({ option }) => option === undefined);
  const dashed = argv.some((word) => textOf(word) === "-") || STANDARD_INPUT.test(textOf(script?.word) ?? "");
  const given = parsed.found.some((found) => found.role === "code" || found.role === "load");
  const hasScript = parsed.operands > (dashed ? 1 : 0) && !dashed;
  const databases =
    spec.language === "sql" || owner.name === "ed" || owner.name === "gdb" || owner.name === "ftp";
  if (
    !databases &&
    (given ||
      hasScript ||
      argv.some((word) =>
        /^(?:-m|-V|--version|-v|-h|--help|--test|--run|-jar)(?:=|$)/.test(textOf(word) ?? ""),
      ))
  )
    return;
  const { stdin } = session;
  if (stdin.kind === "text") {
    if (!(databases && given && stdin.text.length === 0))
      emitCode(session, owner, wordOfText(stdin.text), "standard input");
  } else if (stdin.kind === "file" && !given && !isScript(session))
    emitOpaque(session, owner.name, "code", "standard input");
}

const ANY: Word = { kind: "unknown", source: "unknown", many: true };

const wordOfText = (text: Text): Word =>
  text.every((part) => typeof part === "string")
    ? literal(text.join(""))
    : { kind: "unknown", source: "unknown", many: false };

function contentOf(session: Session, name: string): string | undefined {
  const { cwds, written } = session.scope;
  for (const cwd of cwds ?? []) {
    const content = written.get(resolve(cwd, name));
    if (content !== undefined) return content;
  }
  return undefined;
}

/** A file that the text itself wrote and now starts: its content is read like any other text. */
function runWritten(session: Session, name: string, content: string, argv: readonly Word[]): Text {
  const line = /^#!\s*(\S+)(?:[ \t]+(\S+))?/.exec(content);
  const program =
    line === null ? "sh" : baseName(line[1] ?? "") === "env" ? (line[2] ?? "") : baseName(line[1] ?? "");
  if (/^(?:ba|da|a|k|z)?sh$/.test(program)) {
    const dialect = program === "bash" ? "bash" : "sh";
    const positional = argv.some(isMany) ? undefined : argv;
    return session.walker.text(session, {
      text: [content],
      context: `via ${name}`,
      dialect,
      inPlace: false,
      positional,
    });
  }
  const spec = specOf(program);
  session.emit({ kind: "command", name: literal(program), argv, assignments: [], internal: false });
  runProgramText(session, { name: program, spec: spec ?? {} }, content);
  return hole("unknown");
}
