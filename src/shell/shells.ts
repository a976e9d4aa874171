import { printed } from "./builtin-helpers.ts";
import { emitFile, emitOpaque, emitWritten } from "./emit.ts";
import type { Session } from "./session.ts";
import type { Dialect, Word } from "./types.ts";
import { hole, isMany, knownPrefix, partsOf, type Text, textOf } from "./value.ts";

const DIALECTS: Readonly<Record<string, Dialect>> = {
  bash: "bash",
  rbash: "bash",
  sh: "sh",
  dash: "sh",
  ash: "sh",
  yash: "sh",
  posh: "sh",
  zsh: "zsh",
  ksh: "zsh",
  mksh: "zsh",
  ksh93: "zsh",
  oksh: "zsh",
  loksh: "zsh",
  lksh: "zsh",
  pdksh: "zsh",
  "bash-static": "bash",
  osh: "bash",
  hush: "sh",
};

const VALUED = new Set(["--rcfile", "--init-file"]);
const FLAGS =
  /^--(?:login|noprofile|norc|posix|verbose|restricted|noediting|debugger|dump-strings|dump-po-strings|help|version|pretty-print)$/;

/** `bash -lc TEXT NAME ARG…`, `sh SCRIPT`, `sh` reading its standard input. */
export function runShell(session: Session, argv: readonly Word[], name: string): Text {
  const dialect = DIALECTS[name];
  let command = false;
  let input = false;
  let i = 0;
  for (; i < argv.length; i += 1) {
    const word = argv[i];
    const text = textOf(word);
    if (word === undefined) continue;
    if (text === undefined) {
      if (isOpen(word)) return unclear(session, name);
      break;
    }
    if (text === "--" || text === "-") {
      i += 1;
      break;
    }
    if (VALUED.has(text)) {
      i += 1;
      emitOpaque(session, name, "code", text);
    } else if (text.startsWith("--")) {
      if (!FLAGS.test(text)) return unclear(session, name);
    } else if (/^[-+][A-Za-z]/.test(text)) {
      if (/^-\w*c/.test(text)) command = true;
      if (name === "fish" && /^-\w*C/.test(text)) command = true;
      if (/^-\w*s/.test(text)) input = true;
      // Each `o` or `O` in a cluster takes a word of its own.
      const options = (text.match(/[oO]/g) ?? []).length;
      if (argv.slice(i + 1, i + 1 + options).some((option) => textOf(option) === "dotglob"))
        session.hidden = true;
      i += options;
    } else break;
  }
  const rest = argv.slice(i);
  if (command) return runCommandText(session, name, dialect, rest);
  return runInput(session, name, dialect, rest, input);
}

/** Nothing is known of it, so it may be `-c`. */
const isOpen = (word: Word): boolean =>
  isMany(word)
    ? knownPrefix(word) === "" && !(word.kind === "unknown" && word.source === "listing")
    : word.kind === "unknown" && word.source === "unknown";

function unclear(session: Session, name: string): Text {
  session.problem(`the arguments of \`${name}\` are not known`);
  return hole("unknown");
}

function runCommandText(
  session: Session,
  name: string,
  dialect: Dialect | undefined,
  rest: readonly Word[],
): Text {
  const [text, , ...args] = rest;
  if (text === undefined) return hole("unknown");
  if (dialect === undefined) {
    session.problem(`text for \`${name}\` cannot be read`);
    return hole("unknown");
  }
  if (isMany(text)) return unclear(session, name);
  const positional = rest.some(isMany) ? undefined : args;
  return session.walker.text(session, {
    text: partsOf(text),
    context: `via ${name} -c`,
    dialect,
    inPlace: false,
    positional,
  });
}

function runInput(
  session: Session,
  name: string,
  dialect: Dialect | undefined,
  rest: readonly Word[],
  input: boolean,
): Text {
  const [file, ...args] = rest;
  if (file !== undefined && !input) {
    emitFile(session, { name, spec: {} }, { role: "read", word: file, option: undefined }, "read", "path");
    for (const path of args)
      session.emit({ kind: "read", path, from: "operand", look: "plain", command: name, option: undefined });
    const content = printed.contentOf(session, file);
    if (file.kind !== "literal" && file.kind !== "partial") return unclear(session, name);
    if (content !== undefined && dialect !== undefined) {
      return session.walker.text(session, {
        text: [content],
        context: `via ${name}`,
        dialect,
        inPlace: false,
        positional: args,
      });
    }
    if (/^\/dev\/(?:stdin|fd\/0)$|^\/proc\/self\/fd\/0$/.test(textOf(file) ?? ""))
      return readStdin(session, name, dialect, args);
    // `bash <(curl …)`: the script is what a substitution prints.
    emitWritten(session, name, file);
    if (file.kind === "partial" || /^\/dev\/fd\//.test(textOf(file) ?? ""))
      emitOpaque(session, name, "code", "a script whose name is not known");
    return hole("unknown");
  }
  return readStdin(session, name, dialect, rest);
}

function readStdin(
  session: Session,
  name: string,
  dialect: Dialect | undefined,
  args: readonly Word[],
): Text {
  const { stdin } = session;
  if (stdin.kind === "text" && dialect !== undefined) {
    const positional = args.some(isMany) ? undefined : args;
    return session.walker.text(session, {
      text: stdin.text,
      context: `via ${name}`,
      dialect,
      inPlace: false,
      positional,
    });
  }
  if (stdin.kind === "inherited" || stdin.kind === "file") {
    emitOpaque(session, name, "code", "a script from standard input");
    if (stdin.kind === "file") session.problem(`\`${name}\` runs text that is not known`);
  }
  return hole("unknown");
}
