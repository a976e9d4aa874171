import { changeFolder } from "./builtin-helpers.ts";
import { emitCode, emitFile, emitLoad, emitOpaque, type Owner, runShellText } from "./emit.ts";
import { runGitConfig } from "./git.ts";
import { findsWords } from "./searches.ts";
import type { Session } from "./session.ts";
import type { Found, ParsedCommand, Role } from "./spec.ts";
import type { Look, Word } from "./types.ts";
import { dropPrefix, isMany, knownPrefix, literal, partsOf, textOf } from "./value.ts";
import { emitAssignment } from "./variables.ts";

const LOOKS: Partial<Record<Role, Look>> = {
  file: "plain",
  name: "name",
  mention: "mention",
  read: "path",
  dir: "path",
  load: "path",
};

/** Turns the words of a parsed command into effects. The command behind a wrapper is left to the caller. */
export function applyRoles(session: Session, owner: Owner, parsed: ParsedCommand): void {
  for (const found of parsed.found) if (found.role === "chdir") enterFolder(session, owner, found);
  const sought = findsWords(owner.name, parsed);
  const appends = owner.name === "tee" && ["-a", "--append"].some((option) => parsed.given.has(option));
  for (const found of parsed.found)
    if (sought && found.role === "read") applyRole(session, owner, { ...found, sought });
    else applyRole(session, owner, appends ? { ...found, appends } : found);
}

function enterFolder(session: Session, owner: Owner, found: Found): void {
  emitFile(session, owner, found, "read", "path");
  session.scope = changeFolder(session, [found.word]).ok;
}

function applyRole(session: Session, owner: Owner, found: Found): void {
  const { role, word } = found;
  switch (role) {
    case "data":
    case "chdir":
    case "argv":
    case "unit":
      return;
    case "file":
    case "name":
      if (owner.spec.fetches === true && isUrl(word))
        session.emit({ kind: "network", command: owner.name, target: word });
      emitFile(session, owner, found, "read", LOOKS[role] ?? "plain");
      return;
    case "pattern":
      patternOfNames(session, owner, found);
      return;
    case "mention":
    case "read":
    case "dir":
      emitFile(session, owner, found, "read", LOOKS[role] ?? "plain");
      return;
    case "write":
      emitFile(session, owner, found, "write", "path");
      return;
    case "both":
      emitFile(session, owner, found, "read", "path");
      emitFile(session, owner, found, "write", "path");
      return;
    case "volume":
      emitVolume(session, owner, found);
      return;
    case "shell":
    case "program":
    case "split":
      runShellText(session, owner.name, word, found.option);
      return;
    case "code":
      emitCode(session, owner, word, found.option ?? "code");
      return;
    case "load":
      emitLoad(session, owner, found);
      return;
    case "opaque":
    case "elsewhere":
      emitOpaque(session, owner.name, role === "opaque" ? "code" : "elsewhere", found.option ?? "an operand");
      return;
    case "assign":
      assignWord(session, word);
      return;
    case "config":
      runConfig(session, owner, found);
      return;
    case "net":
      session.emit({ kind: "network", command: owner.name, target: word });
      return;
  }
}

/** `HOST:CONTAINER[:OPTIONS]`: only the first is a path here; a bare name is a volume of the daemon's. */
function emitVolume(session: Session, owner: Owner, found: Found): void {
  const text = textOf(found.word);
  const host = text === undefined ? undefined : /^([^:]*):/.exec(text)?.[1];
  const word = host === undefined ? found.word : literal(host);
  for (const kind of ["read", "write"] as const) emitFile(session, owner, { ...found, word }, kind, "name");
}

/** `grep --include=PATTERN`: names that are sought; with `!` they are left out. `.env*` and `{.env,x}` seek `.env`. */
function patternOfNames(session: Session, owner: Owner, found: Found): void {
  const text = textOf(found.word);
  if (text?.startsWith("!") === true) return;
  const texts = text === undefined ? [] : [text, ...text.replace(/[*?]/g, "").split(/[{},]/)];
  const words = texts.length === 0 ? [found.word] : [...new Set(texts)].map(literal);
  for (const word of words) emitFile(session, owner, { ...found, word }, "read", "mention");
}

/** `https://x`, `git+ssh://x`, `name@https://x`. */
function isUrl(word: Word): boolean {
  return /^(?:[^/]*@)?[a-z+]+:\/\//i.test(knownPrefix(word)) && !/^file:/i.test(knownPrefix(word));
}

function assignWord(session: Session, word: Word): void {
  const prefix = knownPrefix(word);
  const equals = prefix.indexOf("=");
  if (equals === -1 || isMany(word)) {
    if (word.kind !== "literal") session.problem("an assignment that is not known");
    return;
  }
  const name = prefix.slice(0, equals);
  const value = dropPrefix(word, equals + 1);
  session.countAssignment(name);
  session.scope.set(name, { values: [partsOf(value)] });
  emitAssignment(session, name, value, true);
}

/** `-o Key=value`, `-c key=value`: keys that name programs. */
function runConfig(session: Session, owner: Owner, found: Found): void {
  const { word, option } = found;
  const prefix = knownPrefix(word);
  if (owner.name === "git") {
    runGitConfig(session, word);
    return;
  }
  if (owner.name === "cmake") {
    const entry = /^(\w+)(?::\w+)?=/.exec(prefix);
    if (entry !== null) emitAssignment(session, entry[1] ?? "", dropPrefix(word, entry[0].length), true);
    return;
  }
  if (owner.name === "go") {
    const flags = textOf(word)?.trim().split(/\s+/) ?? ["?"];
    if (!flags.every((flag) => LINKER_FLAG.test(flag)))
      emitOpaque(session, "go", "code", option ?? "-ldflags");
    return;
  }
  if (owner.name === "tar") {
    const action = /^(exec|dot|echo|sleep|ttyout|totals|bell|wait)(=?)/.exec(prefix);
    if (action === null) {
      emitOpaque(session, "tar", "code", option ?? "--checkpoint-action");
      return;
    }
    if (action[1] === "exec") runShellText(session, "tar", dropPrefix(word, action[0].length), option);
    return;
  }
  const match = /^\s*([\w.-]+)\s*[= ]\s*/.exec(prefix);
  if (match === null) {
    if (word.kind !== "literal") emitOpaque(session, owner.name, "code", option ?? "-o");
    return;
  }
  const key = (match[1] ?? "").toLowerCase();
  const value = dropPrefix(word, match[0].length);
  if (PROGRAM_KEYS.test(key)) runShellText(session, owner.name, value, match[1]);
  else if (CODE_KEYS.test(key)) emitOpaque(session, owner.name, "code", match[1] ?? "");
  else if (FILE_KEYS.test(key))
    emitFile(session, owner, { role: "read", word: value, option: match[1] }, "read", "path");
}

/** Flags of Go's linker that start no other program: sizes, and strings that are set. */
const LINKER_FLAG = /^(?:|-[sw]|-X|(?:-X=)?['"]?[\w./][\w./-]*=[\w.:/+@-]*['"]?|-buildid=\w*)$/;

/** Keys of ssh_config(5), of wget's and cargo's configuration, and options of rustc. */
const PROGRAM_KEYS =
  /^(?:proxycommand|localcommand|remotecommand|knownhostscommand|use_askpass|(?:target\..*\.)?(?:runner|linker)|build\.rustc(?:-wrapper|-workspace-wrapper)?|build\.rustdoc)$/;
const CODE_KEYS =
  /^(?:include|pkcs11provider|securitykeyprovider|sendenv|setenv|xauthlocation|permitlocalcommand|alias\..*|env\..*|build\.rustflags|link-args?|pre-link-args?|codegen-backend|profile\..*)$/;
const FILE_KEYS =
  /^(?:identityfile|certificatefile|userknownhostsfile|globalknownhostsfile|controlpath|output_document|post_file|incremental)$/;
