import type { Owner } from "./emit.ts";
import { emitFile, emitOpaque, runShellText } from "./emit.ts";
import { patchedFiles } from "./patches.ts";
import { searchedByGit } from "./searches.ts";
import type { Session } from "./session.ts";
import type { Found, ParsedCommand } from "./spec.ts";
import { GIT_CODE_KEYS, GIT_PROGRAM_KEYS } from "./table/git.ts";
import type { Word } from "./types.ts";
import { dropPrefix, knownPrefix, literal, partsOf, textOf } from "./value.ts";

const HARMLESS_VALUE = /^(?:|cat|less|more|true|false|:|on|off|yes|no|0|1)$/i;

/** `git -c key=value`: git runs, loads or follows what some keys hold. */
export function runGitConfig(session: Session, word: Word): void {
  const prefix = knownPrefix(word);
  const equals = prefix.indexOf("=");
  const key = equals === -1 ? prefix : prefix.slice(0, equals);
  if (equals === -1 && word.kind !== "literal") {
    session.problem("a key of git's configuration is not known");
    return;
  }
  judgeKey(session, key, equals === -1 ? literal("true") : dropPrefix(word, equals + 1));
}

function judgeKey(session: Session, key: string, value: Word): void {
  const text = textOf(value);
  if (/^alias\./i.test(key)) {
    const body = text ?? "";
    if (text === undefined) session.problem("a git alias is not known");
    else if (body.startsWith("!")) runShellText(session, "git", literal(body.slice(1)), key);
    else runShellText(session, "git", literal(`git ${body}`), key);
    return;
  }
  if (/^core\.(?:fsmonitor|bare)$/i.test(key) && /^(?:true|false|)$/i.test(text ?? "x")) return;
  if (GIT_PROGRAM_KEYS.test(key) || /^core\.fsmonitor$/i.test(key)) {
    if (text !== undefined && HARMLESS_VALUE.test(text)) return;
    // A leading `!` asks for a shell (credential.helper).
    runShellText(session, "git", text === undefined ? value : literal(text.replace(/^!/, "")), key);
    return;
  }
  if (GIT_CODE_KEYS.test(key)) emitOpaque(session, "git", "code", key);
}

/** A repository or URL: `ext::` and `fd::` run a program, another host is the network's. */
function runRepository(session: Session, owner: Owner, word: Word): void {
  const prefix = knownPrefix(word);
  const helper = /^([A-Za-z0-9+.-]+)::/.exec(prefix);
  if (helper !== null) {
    if (helper[1] === "ext") {
      const text = textOf(word)
        ?.slice(5)
        .replace(/%(.)/g, (_, char: string) => (char === " " ? "\\ " : char === "%" ? "%" : ""));
      if (text === undefined) session.problem("a transport of git is not known");
      else runShellText(session, "git", literal(text), "ext::");
    } else emitOpaque(session, "git", "code", `${helper[1]}::`);
    return;
  }
  if (/^-/.test(prefix)) {
    emitOpaque(session, "git", "code", "a repository that reads as an option");
    return;
  }
  if (/^(?:[a-z+]+:\/\/|[\w.-]+@[\w.-]+:|[\w.-]+:(?!\/\/)[^\\])/i.test(prefix) && !/^file:/i.test(prefix)) {
    session.emit({ kind: "network", command: "git", target: word });
    return;
  }
  emitFile(session, owner, { role: "name", word, option: undefined }, "read", "name");
}

/** Operands of the git commands that need more than a role. */
export function runGitUnits(session: Session, owner: Owner, command: string, parsed: ParsedCommand): void {
  const units = parsed.found.filter((found) => found.role === "unit").map((found) => found.word);
  const [first, second] = units;
  switch (command) {
    case "config":
      runConfigCommand(session, units, parsed);
      return;
    case "remote":
      if (/^(?:add|set-url)$/.test(textOf(first) ?? ""))
        for (const word of units.slice(2)) runRepository(session, owner, word);
      else if (/^(?:update|show|prune)$/.test(textOf(first) ?? ""))
        session.emit({ kind: "network", command: "git", target: second ?? literal("") });
      return;
    case "submodule":
      if (textOf(first) === "foreach") {
        runForeach(session, units.slice(1));
        return;
      }
      for (const word of units.slice(1)) runRepository(session, owner, word);
      return;
    case "bisect":
      if (textOf(first) === "run")
        session.walker.text(session, {
          text: joinWords(units.slice(1)),
          context: "via git bisect run",
          dialect: "sh",
          inPlace: false,
        });
      return;
    case "apply":
    case "am":
      patchedFiles(session, "git", parsed);
      return;
    case "grep":
      searchedByGit(session, parsed);
      return;
    case "worktree":
      runWorktree(session, owner, units);
      return;
    default:
      for (const word of units) runRepository(session, owner, word);
  }
}

function runForeach(session: Session, words: readonly Word[]): void {
  const rest = words.filter((word) => textOf(word) !== "--recursive" && textOf(word) !== "--quiet");
  session.walker.text(session, {
    text: joinWords(rest),
    context: "via git submodule foreach",
    dialect: "sh",
    inPlace: false,
  });
}

const joinWords = (words: readonly Word[]): ReturnType<typeof partsOf> =>
  words.flatMap((word, index) => (index === 0 ? partsOf(word) : [" ", ...partsOf(word)]));

function runConfigCommand(session: Session, units: readonly Word[], parsed: ParsedCommand): void {
  const words = /^(?:set|get|unset|list|edit|rename-section|remove-section)$/.test(textOf(units[0]) ?? "")
    ? units.slice(1)
    : units;
  const verb = textOf(units[0]);
  if (verb === "edit") {
    emitOpaque(session, "git", "code", "config edit");
    return;
  }
  const reading =
    verb === "get" ||
    verb === "list" ||
    [...parsed.given].some((name) => /^--get|^-l$|^--list$|^--unset/.test(name));
  const [key, value] = words;
  if (reading || key === undefined) return;
  const outside = ["--global", "--system"].find((name) => parsed.given.has(name));
  if (value !== undefined && outside !== undefined)
    emitOpaque(session, "git", "elsewhere", `config ${outside}`);
  const name = textOf(key);
  if (name === undefined) {
    if (value !== undefined) session.problem("a key of git's configuration is not known");
    return;
  }
  if (value !== undefined) judgeKey(session, name, value);
}

/** `worktree add PATH`: a new folder, by custom beside the workspace. */
function runWorktree(session: Session, owner: Owner, units: readonly Word[]): void {
  const verb = textOf(units[0]);
  const [, path] = units;
  if (path === undefined || verb === "list" || verb === "prune") return;
  const text = textOf(path) ?? "";
  const found: Found = { role: "write", word: path, option: undefined };
  if (/(?:^|\/)\.git(?:\/|$)/i.test(text)) emitOpaque(session, "git", "code", "a worktree named .git");
  else if (/^\.\.\/[\w][\w.-]*$/.test(text) && verb === "add")
    emitFile(session, owner, found, "read", "mention");
  else emitFile(session, owner, found, "write", "path");
}
